public import Instruments

/// How long a candle is.
///
/// Intervals are cut from UTC; days begin at midnight and weeks on Monday.
public enum CandleInterval: String, Sendable, Hashable, CaseIterable, Comparable {
    /// One second.
    case second = "1s"
    /// One minute.
    case minute = "1m"
    /// Five minutes.
    case fiveMinutes = "5m"
    /// A quarter of an hour.
    case quarterHour = "15m"
    /// Half an hour.
    case halfHour = "30m"
    /// One hour.
    case hour = "1h"
    /// Four hours, the first from midnight.
    case fourHours = "4h"
    /// One day.
    case day = "1d"
    /// One week.
    case week = "1w"

    /// Its length in seconds.
    public var seconds: Int64 {
        switch self {
        case .second: 1
        case .minute: 60
        case .fiveMinutes: 300
        case .quarterHour: 900
        case .halfHour: 1_800
        case .hour: 3_600
        case .fourHours: 14_400
        case .day: 86_400
        case .week: 604_800
        }
    }

    /// The interval of a length in seconds; `nil` where no candles are so long.
    package init?(seconds: Int64) {
        guard let interval = Self.allCases.first(where: { $0.seconds == seconds }) else { return nil }
        self = interval
    }

    /// Its length in nanoseconds.
    public var nanoseconds: Int64 { seconds * 1_000_000_000 }

    /// Its place among all intervals, shortest first: 0 for a second, 8 for a week.
    public var rank: Int {
        switch self {
        case .second: 0
        case .minute: 1
        case .fiveMinutes: 2
        case .quarterHour: 3
        case .halfHour: 4
        case .hour: 5
        case .fourHours: 6
        case .day: 7
        case .week: 8
        }
    }

    /// The first instant of the interval that contains another.
    ///
    /// The first of all begins before the range of `Timestamp` does and stops at its end.
    public func start(of time: Timestamp) -> Timestamp {
        // 1970-01-01 was a Thursday: the week's Monday was three days before.
        let shift: Int64 = self == .week ? 3 * 86_400_000_000_000 : 0
        let length = nanoseconds
        let rest = ((time.nanoseconds % length) + shift) % length
        return time.adding(nanoseconds: -(rest < 0 ? rest + length : rest))
    }

    /// The first instant after the interval that begins at `start`.
    public func end(from start: Timestamp) -> Timestamp { start.adding(nanoseconds: nanoseconds) }

    public static func < (left: CandleInterval, right: CandleInterval) -> Bool { left.rank < right.rank }
}
