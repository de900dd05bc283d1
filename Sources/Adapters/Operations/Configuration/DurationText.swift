/// Times as an operator writes them: `250ms`, `5s`, `2m`, `1h`.
enum DurationText {
    private static let units: [(suffix: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
    ]

    /// Reads a whole number with a unit; `nil` for anything else, also for a number without one.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text[digits.endIndex...]
        guard let count = Int64(digits), let unit = units.first(where: { $0.suffix == suffix }) else {
            return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        return overflow ? nil : .nanoseconds(product)
    }

    /// Writes a time in the largest unit that keeps it whole.
    static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return "\(seconds)s" }
        let nanoseconds = whole + attoseconds / 1_000_000_000
        guard nanoseconds != 0 else { return "0s" }
        let unit = units.last { nanoseconds % $0.nanoseconds == 0 } ?? units[0]
        return "\(nanoseconds / unit.nanoseconds)\(unit.suffix)"
    }
}
