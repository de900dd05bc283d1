/// Times of a day as `22:00-07:00`.
package enum QuietHoursText {
    /// Reads two different times; `nil` for anything else.
    package static func parse(_ text: String) -> ChannelPreferences.Quiet? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
        guard ends.count == 2, let from = ends[0], let to = ends[1], from != to else { return nil }
        return ChannelPreferences.Quiet(from: from, to: to)
    }

    /// Writes them.
    package static func format(_ quiet: ChannelPreferences.Quiet) -> String {
        "\(format(quiet.from))-\(format(quiet.to))"
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func format(_ minute: Int) -> String {
        let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }
}
