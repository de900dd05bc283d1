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

    /// The best levels of a book; `nil` when its scales make no sense.
    init?(_ depth: Bitpal_V1_BookDepth) {
        guard let priceScale = Scale(Int(depth.priceScale)), let sizeScale = Scale(Int(depth.sizeScale))
        else {
            return nil
        }
        func levels(_ prices: [Int64], _ sizes: [Int64]) -> [BookLevel] {
            zip(prices, sizes).map { BookLevel(price: Price($0), size: Quantity($1)) }
        }
        let bids = levels(depth.bidPrices, depth.bidSizes)
        let asks = levels(depth.askPrices, depth.askSizes)
        self.init(
            bid: bids.first, ask: asks.first, bids: bids, asks: asks, priceScale: priceScale,
            sizeScale: sizeScale,
            venueTime: depth.venueTimeUnixNanos == 0
                ? nil : Timestamp(nanoseconds: depth.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: depth.receivedTimeUnixNanos))
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
