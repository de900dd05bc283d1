import Alerting
import Instruments
import MarketData

/// Closes of candles, made from the trades of one instrument in their order.
///
/// A candle is closed by the first trade after it; a time without trades has none.
struct CandleCloses {
    private struct Open {
        var number: Int64
        var close: Price
        var scale: Scale
    }

    private let intervals: [Int64]
    private var open: [Open?]

    init(intervals: [Int64]) {
        self.intervals = intervals
        open = intervals.map { _ in nil }
    }

    /// Takes a trade; the candles that it closes, by interval.
    mutating func add(_ trade: Trade) -> [ClosedCandle] {
        var closed: [ClosedCandle] = []
        for (index, interval) in intervals.enumerated() {
            let nanoseconds = trade.venueTime.nanoseconds
            let number = nanoseconds / interval - (nanoseconds % interval < 0 ? 1 : 0)
            if let last = open[index], number > last.number {
                closed.append(
                    ClosedCandle(
                        interval: interval, start: Timestamp(nanoseconds: last.number * interval),
                        close: last.close, priceScale: last.scale, receivedTime: trade.receivedTime))
            }
            // A trade of an older candle comes too late to change it.
            guard number >= open[index]?.number ?? number else { continue }
            open[index] = Open(number: number, close: trade.price, scale: trade.priceScale)
        }
        return closed
    }
}
