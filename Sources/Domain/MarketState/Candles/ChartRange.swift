/// What a chart shows: a span of time before now, in candles that a screen can hold.
public enum ChartRange: String, Sendable, Hashable, CaseIterable {
    /// One hour: 60 candles of a minute.
    case hour = "1H"
    /// One day: 288 candles of five minutes.
    case day = "1D"
    /// One week: 336 candles of half an hour.
    case week = "1W"
    /// One month of 31 days: 186 candles of four hours.
    case month = "1M"
    /// Three months of 92 days: 92 candles of a day.
    case threeMonths = "3M"
    /// Six months of 184 days: 184 candles of a day.
    case sixMonths = "6M"
    /// One year of 366 days: 366 candles of a day.
    case year = "1Y"

    public var interval: CandleInterval {
        switch self {
        case .hour: .minute
        case .day: .fiveMinutes
        case .week: .halfHour
        case .month: .fourHours
        case .threeMonths, .sixMonths, .year: .day
        }
    }

    /// How many candles it has, the open one included.
    public var count: Int {
        switch self {
        case .hour: 60
        case .day: 288
        case .week: 336
        case .month: 186
        case .threeMonths: 92
        case .sixMonths: 184
        case .year: 366
        }
    }
}
