package import MarketState
import Store

/// A column of seconds.
extension CandleInterval: SQLParameter {
    package var sqlValue: Int32 { Int32(seconds) }
}

extension CandleInterval {
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
}

extension RowReader {
    /// An `integer` of seconds that is an interval of candles.
    mutating func candleInterval() throws(StoreError) -> CandleInterval {
        guard let interval = CandleInterval(seconds: Int64(try int32())) else { throw refusal() }
        return interval
    }
}
