/// Writes times of the log.
enum UTCText {
    /// `2021-07-22T22:36:07.865Z`: UTC, milliseconds, rounded down.
    static func format(nanoseconds: Int64) -> String {
        let (seconds, rest) = divide(nanoseconds, 1_000_000_000)
        let (days, second) = divide(seconds, 86_400)
        let (year, month, day) = civil(days: days)
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        let parts = [second / 3600, second / 60 % 60, second % 60]
        let clock = parts.map { padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(clock).\(padded(rest / 1_000_000, 3))Z"
    }

    /// The date of a day counted from 1970-01-01.
    ///
    /// Source: the arithmetic of the proleptic Gregorian calendar in 400-year eras that begin in March, so
    /// that the leap day is the last of its year.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Division that rounds down, with its remainder, for times before 1970 too.
    private static func divide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
