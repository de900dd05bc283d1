extension Timestamp {
    /// The instant as `2021-07-22T22:36:07.865000000Z`, always nine digits.
    public var iso8601: String { iso8601(fractionDigits: 9) }

    /// The instant in ISO 8601 UTC, cut (not rounded) to 0...9 digits of the second.
    public func iso8601(fractionDigits: Int) -> String {
        let seconds = Timestamp.floorDivide(rawValue, 1_000_000_000)
        // Wrapping, since the first second of the range begins before the range does; the difference is
        // right.
        let fraction = rawValue &- seconds &* 1_000_000_000
        let days = Timestamp.floorDivide(seconds, 86_400)
        let clock = seconds - days * 86_400
        let (year, month, day) = Timestamp.civil(fromDays: days)
        var text = ""
        text.reserveCapacity(30)
        Timestamp.pad(year, 4, to: &text)
        text += "-"
        Timestamp.pad(month, 2, to: &text)
        text += "-"
        Timestamp.pad(day, 2, to: &text)
        text += "T"
        Timestamp.pad(clock / 3_600, 2, to: &text)
        text += ":"
        Timestamp.pad(clock / 60 % 60, 2, to: &text)
        text += ":"
        Timestamp.pad(clock % 60, 2, to: &text)
        let digits = min(max(fractionDigits, 0), 9)
        if digits > 0 {
            text += "."
            Timestamp.pad(fraction / Scale.power(9 - digits), digits, to: &text)
        }
        return text + "Z"
    }

    /// Parses `2021-07-22T22:36:07.865Z` with 0...9 digits of the second; only UTC (`Z`) is taken.
    ///
    /// Returns `nil` for anything else, a day that does not exist included.
    public init?(iso8601 bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
            bytes[16] == 0x3A, bytes[bytes.count - 1] == 0x5A,
            let year = Timestamp.digits(bytes, 0, 4), let month = Timestamp.digits(bytes, 5, 2),
            let day = Timestamp.digits(bytes, 8, 2), let hour = Timestamp.digits(bytes, 11, 2),
            let minute = Timestamp.digits(bytes, 14, 2), let second = Timestamp.digits(bytes, 17, 2),
            year >= 1678, year <= 2261, month >= 1, month <= 12, day >= 1, hour < 24, minute < 60,
            second < 60,
            day <= Timestamp.daysInMonth(year: year, month: month)
        else { return nil }
        var fraction: Int64 = 0
        if bytes[19] == 0x2E {
            let count = bytes.count - 21
            guard count >= 1, count <= 9, let value = Timestamp.digits(bytes, 20, count) else { return nil }
            fraction = value * Scale.power(9 - count)
        } else if bytes.count != 20 {
            return nil
        }
        let days = Timestamp.days(fromCivil: year, month, day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
        self.init(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    /// Parses text as ``init(iso8601:)-(UnsafeRawBufferPointer)`` does.
    public init?(iso8601 text: String) {
        var text = text
        let parsed = text.withUTF8 { Timestamp(iso8601: UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The UTC calendar day that contains the instant, as (year, month, day).
    public var civilDay: (year: Int64, month: Int64, day: Int64) {
        Timestamp.civil(fromDays: Timestamp.floorDivide(rawValue, 86_400_000_000_000))
    }

    @inline(__always)
    private static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int64? {
        var value: Int64 = 0
        for index in start..<start + count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    private static func pad(_ value: Int64, _ width: Int, to text: inout String) {
        let digits = String(value)
        for _ in digits.utf8.count..<max(width, digits.utf8.count) { text += "0" }
        text += digits
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func daysInMonth(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 of a date in the proleptic Gregorian calendar, counted in eras of 400 years.
    ///
    /// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", 2013.
    private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The inverse of ``days(fromCivil:_:_:)``.
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
