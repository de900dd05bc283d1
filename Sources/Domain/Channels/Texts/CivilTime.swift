import Instruments

/// A time as a calendar and a clock on the wall show it.
struct CivilTime: Hashable {
    var year: Int64
    /// 1...12.
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// - Parameter localSeconds: Seconds since 1970 as the clock on the wall counts them.
    init(localSeconds: Int64) {
        // Cut to what a timestamp reaches: the years 1677 to 2262.
        let (nanoseconds, overflow) = localSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        let civil = Timestamp(nanoseconds: overflow ? (localSeconds < 0 ? .min : .max) : nanoseconds).civilDay
        (year, month, day) = (civil.year, Int(civil.month), Int(civil.day))
        let clock = localSeconds - CivilTime.days(localSeconds) * 86_400
        (hour, minute, second) = (Int(clock / 3_600), Int(clock / 60 % 60), Int(clock % 60))
    }

    /// 0 is Monday; 1970-01-01 was a Thursday.
    static func weekday(_ time: Timestamp) -> Int {
        let seconds = time.nanoseconds / 1_000_000_000 - (time.nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
        let day = (days(seconds) + 3) % 7
        return Int(day < 0 ? day + 7 : day)
    }

    private static func days(_ seconds: Int64) -> Int64 {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
