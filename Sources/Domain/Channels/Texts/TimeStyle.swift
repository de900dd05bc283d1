package import Alerting
package import Instruments

/// How a language writes a day with a time; source: Unicode CLDR 46, medium formats of each locale.
package struct TimeStyle: Hashable, Sendable {
    /// The pattern by UTS 35: `y`, `M`, `MM`, `MMM`, `d`, `dd`, `H`, `HH`, `h`, `mm`, `ss`, `a`.
    ///
    /// All other letters and signs stay as they are.
    package var pattern: String
    /// Twelve short names.
    package var months: [String]
    /// What stands for the hours before noon, and for those after.
    package var halves: [String]

    package init(pattern: String, months: [String], halves: [String] = ["AM", "PM"]) {
        self.pattern = pattern
        self.months = months
        self.halves = halves
    }

    /// A time by the clock of a place, to the second, with that clock's offset from UTC.
    package func text(_ time: Timestamp, in zone: ZoneOffsets, digits: NumberStyle) -> String {
        let local = zone.localSeconds(time)
        let civil = CivilTime(localSeconds: local)
        var text = ""
        var rest = pattern[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            text += field(letter, run.count, civil, digits) ?? String(run)
        }
        return "\(text) \(offset(local - zone.utcSeconds(time)))"
    }

    private func field(_ letter: Character, _ width: Int, _ time: CivilTime, _ digits: NumberStyle) -> String?
    {
        func number(_ value: Int) -> String {
            let text = String(value)
            let padded = String(repeating: "0", count: max(0, width - text.utf8.count)) + text
            return padded.map { $0.wholeNumberValue.map { digits.digits[$0] } ?? "" }.joined()
        }
        return switch letter {
        case "y": number(Int(time.year))
        case "M": width == 3 ? months[time.month - 1] : number(time.month)
        case "d": number(time.day)
        case "H": number(time.hour)
        case "h": number((time.hour + 11) % 12 + 1)
        case "m": number(time.minute)
        case "s": number(time.second)
        case "a": halves[time.hour < 12 ? 0 : 1]
        default: nil
        }
    }

    /// `UTC`, `UTC+1`, `UTC-3:30`: names of zones mean different places in different countries.
    private func offset(_ seconds: Int64) -> String {
        guard seconds != 0 else { return "UTC" }
        let minutes = seconds.magnitude / 60
        let rest = minutes % 60
        let text = "UTC\(seconds < 0 ? "-" : "+")\(minutes / 60)"
        return rest == 0 ? text : "\(text):\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension ZoneOffsets {
    fileprivate func utcSeconds(_ time: Timestamp) -> Int64 { ZoneOffsets.utc.localSeconds(time) }
}
