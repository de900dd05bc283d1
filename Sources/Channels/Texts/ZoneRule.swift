import Alerting
import Instruments

/// The rule after a zone's last change, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2017, 8.3 (`TZ`), with the hours of -167...167 of RFC 9636, 3.3.1.
struct ZoneRule {
    /// A day of the year and the second of that day at which an offset begins to hold.
    private struct Change {
        enum Day {
            /// 1...365, without 29 February.
            case julian(Int)
            /// 0...365.
            case ordinal(Int)
            /// A month, a week (5 is the last) and a day of the week, 0 for Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        var seconds: Int64
    }

    private let standard: Int32
    private let daylight: (offset: Int32, start: Change, end: Change)?

    init?(_ text: String) {
        var reader = RuleReader(text)
        guard reader.name(), let west = reader.time() else { return nil }
        standard = Int32(-west)
        guard !reader.isAtEnd else {
            daylight = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = Int64(standard) + 3_600
        if reader.peek != 0x2C {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard let start = ZoneRule.change(&reader), let end = ZoneRule.change(&reader), reader.isAtEnd else {
            return nil
        }
        daylight = (Int32(offset), start, end)
    }

    /// All changes of 1970 to 2100.
    var spans: [ZoneOffsets.Span] {
        guard let daylight else { return [] }
        return (1_970...2_100).flatMap { year in
            [
                span(daylight.start, year, before: standard, after: daylight.offset),
                span(daylight.end, year, before: daylight.offset, after: standard),
            ]
        }
    }

    /// A second since 1970, as far as a timestamp reaches.
    static func instant(_ seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return Timestamp(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    private func span(_ change: Change, _ year: Int, before: Int32, after: Int32) -> ZoneOffsets.Span {
        let seconds = Int64(ZoneRule.days(change.day, year)) * 86_400 + change.seconds - Int64(before)
        return ZoneOffsets.Span(from: ZoneRule.instant(seconds), seconds: after)
    }

    /// Days since 1970 of a rule's day in a year.
    private static func days(_ day: Change.Day, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let earlier = year - 1
        let start = 365 * (year - 1_970) + (earlier / 4 - earlier / 100 + earlier / 400) - 477
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        switch day {
        case .julian(let number): return start + number - 1 + (isLeap && number >= 60 ? 1 : 0)
        case .ordinal(let number): return start + number
        case .weekday(let month, let week, let day):
            let first = start + lengths[..<(month - 1)].reduce(0, +)
            // 1970-01-01 was a Thursday, which is 4.
            var number = (day - (first + 4) % 7 + 7) % 7 + (week - 1) * 7
            while number >= lengths[month - 1] { number -= 7 }
            return first + number
        }
    }

    private static func change(_ reader: inout RuleReader) -> Change? {
        guard reader.take(0x2C), let day = day(&reader) else { return nil }
        guard reader.take(0x2F) else { return Change(day: day, seconds: 7_200) }
        return reader.time().map { Change(day: day, seconds: $0) }
    }

    private static func day(_ reader: inout RuleReader) -> Change.Day? {
        if reader.take(0x4A) { return reader.number(1...365).map { .julian($0) } }
        guard reader.take(0x4D) else { return reader.number(0...365).map { .ordinal($0) } }
        guard let month = reader.number(1...12), reader.take(0x2E), let week = reader.number(1...5),
            reader.take(0x2E), let day = reader.number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}

/// Takes a rule's text apart.
private struct RuleReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }
    var peek: UInt8? { rest.first }

    mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// A name of at least three letters, or of more kinds of signs in angle brackets.
    mutating func name() -> Bool {
        if take(0x3C) {
            let count = rest.prefix { $0 != 0x3E }.count
            rest = rest.dropFirst(count)
            return take(0x3E) && count >= 3
        }
        let count = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }.count
        rest = rest.dropFirst(count)
        return count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count), let value = Int(String(decoding: digits, as: UTF8.self)),
            range.contains(value)
        else { return nil }
        rest = rest.dropFirst(digits.count)
        return value
    }

    /// Hours, minutes and seconds as seconds.
    mutating func time() -> Int64? {
        let isNegative = take(0x2D)
        if !isNegative { _ = take(0x2B) }
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where take(0x3A) {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }
}
