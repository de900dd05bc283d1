import Instruments

/// When a place changes its clocks in the years to come, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2017, 8.3, "TZ", with the extensions of RFC 8536, 3.3.1.
struct ZoneRule {
    /// A moment of each year, by the clock that was in force.
    private struct Moment {
        enum Day {
            /// 1...365; February 29 is never counted.
            case julian(Int64)
            /// 0...365; February 29 is counted.
            case ordinal(Int64)
            /// Month 1...12, week 1...5 with 5 for the last, weekday 0...6 from Sunday.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var day: Day
        /// Seconds after midnight.
        var time: Int64
    }

    private var standard: Int64 = 0
    private var summer: (offset: Int64, begins: Moment, ends: Moment)?

    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else { return }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3_600
        if rest.first != 0x2C, !rest.isEmpty {
            guard let west = Self.time(&rest) else { return nil }
            offset = -west
        }
        guard let begins = Self.moment(&rest), let ends = Self.moment(&rest), rest.isEmpty else { return nil }
        summer = (offset, begins, ends)
    }

    /// The changes after an instant in seconds, until 2100.
    func spans(after last: Int64) -> [ZoneOffsets.Span] {
        guard let summer else { return [] }
        var spans: [ZoneOffsets.Span] = []
        for year in Int64(1970)...2100 {
            for (moment, before, after) in [
                (summer.begins, standard, summer.offset), (summer.ends, summer.offset, standard),
            ] {
                let time = Self.day(moment.day, of: year) * 86_400 + moment.time - before
                if time > last { spans.append(.init(from: ZoneFile.instant(time), seconds: Int32(after))) }
            }
        }
        return spans
    }

    // MARK: - Days

    /// Days since 1970.
    private static func day(_ day: Moment.Day, of year: Int64) -> Int64 {
        switch day {
        case .julian(let number):
            return days(year, 1, 1) + number - 1 + (isLeap(year) && number >= 60 ? 1 : 0)
        case .ordinal(let number): return days(year, 1, 1) + number
        case .weekday(let month, let week, let weekday):
            let first = days(year, month, 1)
            // 1970-01-01 was a Thursday.
            let ahead = (weekday - (first + 4) % 7 + 7) % 7
            var day = first + ahead + (week - 1) * 7
            let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
            while day >= next { day -= 7 }
            return day
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days since 1970 of a date from 1970 on.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let before = year - 1
        let leaps = before / 4 - before / 100 + before / 400 - 477
        return (year - 1970) * 365 + leaps + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
    }

    // MARK: - Text

    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == 0x3C {
            guard let end = rest.firstIndex(of: 0x3E) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Hours, minutes and seconds with a sign, in seconds.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        var sign: Int64 = 1
        if rest.first == 0x2D || rest.first == 0x2B { sign = rest.popFirst() == 0x2D ? -1 : 1 }
        guard var seconds = number(&rest).map({ $0 * 3_600 }) else { return nil }
        for unit in [Int64(60), 1] where rest.first == 0x3A {
            rest = rest.dropFirst()
            guard let part = number(&rest) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    private static func moment(_ rest: inout ArraySlice<UInt8>) -> Moment? {
        guard rest.popFirst() == 0x2C, let day = day(&rest) else { return nil }
        guard rest.first == 0x2F else { return Moment(day: day, time: 7_200) }
        rest = rest.dropFirst()
        return time(&rest).map { Moment(day: day, time: $0) }
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Moment.Day? {
        switch rest.first {
        case 0x4A:
            rest = rest.dropFirst()
            return number(&rest).flatMap { (1...365).contains($0) ? .julian($0) : nil }
        case 0x4D:
            rest = rest.dropFirst()
            guard let month = number(&rest), rest.popFirst() == 0x2E, let week = number(&rest),
                rest.popFirst() == 0x2E, let day = number(&rest), (1...12).contains(month),
                (1...5).contains(week), (0...6).contains(day)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        default: return number(&rest).flatMap { (0...365).contains($0) ? .ordinal($0) : nil }
        }
    }
}
