import Instruments
import Support
import Testing

@Suite("Timestamp")
struct TimestampTests {
    @Test(
        "is written in ISO 8601 with nine digits",
        arguments: [
            (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_626_993_367_865_000_000, "2021-07-22T22:36:07.865000000Z"),
            (951_782_400_000_000_001, "2000-02-29T00:00:00.000000001Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000000000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000000Z"),
            (-2_203_891_200_000_000_000, "1900-03-01T00:00:00.000000000Z"),
            (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
            (.min + 1, "1677-09-21T00:12:43.145224193Z"),
        ] as [(Int64, String)])
    func writing(nanoseconds: Int64, expected: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).iso8601 == expected)
    }

    @Test(
        "is cut, not rounded, to the digits asked for",
        arguments: [
            (999_999_999, 0, "1970-01-01T00:00:00Z"), (999_999_999, 3, "1970-01-01T00:00:00.999Z"),
            (1_234_567_891, 6, "1970-01-01T00:00:01.234567Z"), (-1, 1, "1969-12-31T23:59:59.9Z"),
            (-1, 0, "1969-12-31T23:59:59Z"), (5, -4, "1970-01-01T00:00:00Z"),
            (5, 12, "1970-01-01T00:00:00.000000005Z"),
        ] as [(Int64, Int, String)])
    func cutting(nanoseconds: Int64, digits: Int, expected: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).iso8601(fractionDigits: digits) == expected)
    }

    @Test(
        "is read with zero to nine digits of the second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 500_000_000),
            ("1969-12-31T23:59:59.999999999Z", -1), ("2021-07-22T22:36:07.865Z", 1_626_993_367_865_000_000),
            ("2000-02-29T00:00:00.000000001Z", 951_782_400_000_000_001),
            ("1900-03-01T00:00:00Z", -2_203_891_200_000_000_000),
        ] as [(String, Int64)])
    func reading(text: String, expected: Int64) {
        #expect(Timestamp(iso8601: text)?.nanoseconds == expected)
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", "Z", "2021", "2021-07-22", "2021-07-22T22:36:07", "2021-07-22T22:36:07z",
            "2021-07-22 22:36:07Z",
            "2021-07-22T22:36:07+00:00", "2021-07-22T22:36:07.Z", "2021-07-22T22:36:07.1234567890Z",
            "2021-07-22T22:36:07,5Z", "2021-07-22T22:36:07.5", "2021-7-22T22:36:07.00Z",
            "2021-07-22T22:36:60Z",
            "2021-07-22T22:60:00Z", "2021-07-22T24:00:00Z", "2021-00-22T00:00:00Z", "2021-13-22T00:00:00Z",
            "2021-07-00T00:00:00Z", "2021-07-32T00:00:00Z", "2021-06-31T00:00:00Z", "2021-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
            "-021-07-22T22:36:07Z", "+021-07-22T22:36:07Z", "2021-07-22T22:36:07.-1Z", "2021-07-22T22:36:0７Z",
            "2021-07-22T22:36:07ZZ", " 2021-07-22T22:36:07Z",
        ])
    func notReading(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test("has a 29th of February in leap years only")
    func leapYears() {
        for year in 1678...2261 {
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            #expect((Timestamp(iso8601: "\(year)-02-29T00:00:00Z") != nil) == isLeap, "\(year)")
        }
    }

    @Test("is written and read back without a difference")
    func roundTrip() {
        property(cases: 1_000) { rng in
            let time = Timestamp(nanoseconds: .random(in: firstRead...lastRead, using: &rng))
            let parsed = Timestamp(iso8601: time.iso8601)
            try #require(parsed == time, "\(time.nanoseconds)")
            let digits = rng.int(0...9)
            let cut = Timestamp(iso8601: time.iso8601(fractionDigits: digits))
            let lost = try #require(cut.map { time.nanoseconds(since: $0) }, "\(time.nanoseconds)")
            let bound = Scale(9 - digits)?.power ?? 0
            try #require(lost >= 0 && lost < bound, "\(time.nanoseconds) with \(digits) digits")
        }
    }

    @Test("counts the days of the calendar one by one")
    func calendar() {
        var day: Int64 = 0
        for date in NaiveCalendar(firstYear: 1970) {
            guard date.year < 2262 else { break }
            let midnight = Timestamp(nanoseconds: day * 86_400_000_000_000)
            guard midnight.civilDay == date, midnight.adding(nanoseconds: 86_399_999_999_999).civilDay == date
            else {
                Issue.record("day \(day) is \(midnight.civilDay), not \(date)")
                return
            }
            day += 1
        }
        #expect(day == 106_651)
    }

    @Test("counts the days before 1970 as well")
    func calendarBefore() {
        let days = NaiveCalendar(firstYear: 1678).prefix { $0.year < 1970 }
        var day = Int64(-days.count)
        for date in days {
            guard Timestamp(nanoseconds: day * 86_400_000_000_000).civilDay == date else {
                Issue.record("day \(day) is not \(date)")
                return
            }
            day += 1
        }
        #expect(days.count == 106_650)
        #expect(Timestamp(nanoseconds: .min).civilDay == (1677, 9, 21))
        #expect(Timestamp(nanoseconds: .max).civilDay == (2262, 4, 11))
        #expect(Timestamp(nanoseconds: -1).civilDay == (1969, 12, 31))
    }

    @Test("stops at the ends of its range")
    func ends() {
        let last = Timestamp(nanoseconds: .max)
        let first = Timestamp(nanoseconds: .min)
        #expect(last.adding(nanoseconds: 1) == last)
        #expect(first.adding(nanoseconds: -1) == first)
        #expect(first.adding(nanoseconds: .max).nanoseconds == -1)
        #expect(last.nanoseconds(since: first) == .max)
        #expect(first.nanoseconds(since: last) == .min)
        #expect(Timestamp.zero.nanoseconds(since: first) == .max)
        #expect(last.nanoseconds(since: .zero) == .max)
        #expect(Timestamp(milliseconds: 1_626_993_367_865)?.nanoseconds == 1_626_993_367_865_000_000)
        #expect(Timestamp(milliseconds: -1)?.nanoseconds == -1_000_000)
        #expect(Timestamp(milliseconds: 9_223_372_036_855) == nil)
        #expect(Timestamp(milliseconds: -9_223_372_036_855) == nil)
        #expect(Timestamp(milliseconds: .max) == nil)
    }

    @Test("never traps on arbitrary bytes or instants")
    func arbitraryBytes() {
        let valid = Array("2021-07-22T22:36:07.865Z".utf8)
        property(cases: 2_000) { rng in
            let bytes = rng.chance(90) ? rng.damaged(rng.damaged(valid)) : rng.bytes(0...40)
            _ = bytes.withUnsafeBytes { Timestamp(iso8601: $0) }
            _ = rng.timestamp().iso8601(fractionDigits: rng.int(-2...12))
        }
    }

    /// 1678-01-01 and the last nanosecond of 2261.
    private let firstRead: Int64 = -9_214_560_000_000_000_000
    private let lastRead: Int64 = 9_214_646_399_999_999_999
}

/// Every day from the first of a year, by the rule that people know.
private struct NaiveCalendar: Sequence, IteratorProtocol {
    private var year: Int64
    private var month: Int64 = 1
    private var day: Int64 = 0

    init(firstYear: Int64) { year = firstYear }

    mutating func next() -> (year: Int64, month: Int64, day: Int64)? {
        day += 1
        if day > length {
            day = 1
            month += 1
        }
        if month > 12 {
            month = 1
            year += 1
        }
        return (year, month, day)
    }

    private var length: Int64 {
        if month == 2 { return year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
