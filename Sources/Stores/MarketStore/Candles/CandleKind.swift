/// The candles that are stored, by their length; the raw value is seconds.
///
/// Cut from UTC: days begin at midnight and weeks on Monday.
public enum CandleKind: Int32, Sendable, Hashable, CaseIterable, Comparable {
    /// One second.
    case second = 1
    /// One minute.
    case minute = 60
    /// Five minutes.
    case fiveMinutes = 300
    /// A quarter of an hour.
    case quarterHour = 900
    /// Half an hour.
    case halfHour = 1_800
    /// One hour.
    case hour = 3_600
    /// Four hours.
    case fourHours = 14_400
    /// One day.
    case day = 86_400
    /// One week.
    case week = 604_800

    /// Its name in topics and commands, such as `15m`.
    public var name: String {
        switch self {
        case .second: "1s"
        case .minute: "1m"
        case .fiveMinutes: "5m"
        case .quarterHour: "15m"
        case .halfHour: "30m"
        case .hour: "1h"
        case .fourHours: "4h"
        case .day: "1d"
        case .week: "1w"
        }
    }

    /// Its length in nanoseconds.
    var nanoseconds: Int64 { Int64(rawValue) * 1_000_000_000 }

    /// Days that one partition spans.
    ///
    /// The function `market.candle_partition_days` says the same.
    var partitionDays: Int64 {
        switch self {
        case .second: 1
        case .minute: 28
        case .fiveMinutes, .quarterHour, .halfHour: 364
        case .hour, .fourHours, .day, .week: 3_640
        }
    }

    /// Orders by length.
    public static func < (left: CandleKind, right: CandleKind) -> Bool { left.rawValue < right.rawValue }
}
