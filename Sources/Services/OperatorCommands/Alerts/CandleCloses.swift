import Alerting
import Instruments
import MarketData
import MarketState

/// Closes of candles, made from the trades of one instrument in their order.
///
/// A candle is closed by the first trade after it; a time without trades has none.
struct CandleCloses {
    private struct Open {
        var start: Timestamp
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
            let start = Self.start(of: trade.venueTime, interval)
            if let last = open[index], start > last.start {
                closed.append(
                    ClosedCandle(
                        interval: interval, start: last.start, close: last.close, priceScale: last.scale,
                        receivedTime: trade.receivedTime))
            }
            // A trade of an older candle comes too late to change it.
            guard start >= open[index]?.start ?? start else { continue }
            open[index] = Open(start: start, close: trade.price, scale: trade.priceScale)
        }
        return closed
    }

    /// Cut as all of our candles are: weeks begin on Monday.
    private static func start(of time: Timestamp, _ interval: Int64) -> Timestamp {
        if let known = CandleInterval.allCases.first(where: { $0.nanoseconds == interval }) {
            return known.start(of: time)
        }
        let rest = time.nanoseconds % interval
        return time.adding(nanoseconds: -(rest < 0 ? rest + interval : rest))
    }
}
