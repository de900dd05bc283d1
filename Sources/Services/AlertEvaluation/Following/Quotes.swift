import Alerting
import Instruments
import MarketData
import MarketState
import Wire

extension BookQuote {
    /// The best prices of a book.
    init(_ top: BookTop, _ sequence: UInt64) {
        self.init(
            bid: top.bid, ask: top.ask, priceScale: top.priceScale, sizeScale: top.sizeScale,
            venueTime: top.venueTime, receivedTime: top.receivedTime, sequence: sequence)
    }

    /// The best levels of a book.
    init(_ depth: BookDepth) {
        self.init(
            bid: depth.bids.first, ask: depth.asks.first, bids: depth.bids, asks: depth.asks,
            priceScale: depth.priceScale, sizeScale: depth.sizeScale, venueTime: depth.venueTime,
            receivedTime: depth.receivedTime)
    }
}

extension ClosedCandle {
    /// A candle of ours; `nil` when its scale makes no sense.
    init?(_ candle: Bitpal_V1_Candle, _ interval: Int64) {
        guard let scale = Scale(Int(candle.priceScale)) else { return nil }
        self.init(
            interval: interval, start: Timestamp(nanoseconds: candle.startUnixNanos),
            close: Price(candle.close), priceScale: scale,
            receivedTime: Timestamp(nanoseconds: candle.receivedTimeUnixNanos))
    }
}

extension CandleInterval {
    /// The name of an interval in topics; empty for one of which no candles are made.
    static func name(of nanoseconds: Int64) -> String {
        allCases.first { $0.nanoseconds == nanoseconds }?.rawValue ?? ""
    }
}
