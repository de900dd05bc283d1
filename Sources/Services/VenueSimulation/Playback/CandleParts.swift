import Instruments
import MarketData
import MarketState

/// The short candles of each symbol that longer ones are added up from.
///
/// At the most `limit` of each symbol are kept; the oldest go first, an eighth at a time.
struct CandleParts: Sendable {
    /// How long each of them is.
    let interval: CandleInterval
    /// How many of a symbol are kept.
    let limit: Int

    private var sums: [String: [Timestamp: CandleSums<Int64>]] = [:]
    /// Where a symbol had more: the first instant that nothing is missing from.
    private var begins: [String: Timestamp] = [:]

    /// Begins without any.
    init(_ interval: CandleInterval, limit: Int) {
        self.interval = interval
        self.limit = limit
    }

    /// Adds a trade.
    mutating func add(_ trade: Trade, of symbol: String) {
        let start = interval.start(of: trade.venueTime)
        if var known = sums[symbol]?[start] {
            // A sum beyond 128 bits is no market: the candle stays as it is.
            try? known.add(CandleTrade(trade))
            sums[symbol]?[start] = known
        } else {
            sums[symbol, default: [:]][start] = CandleSums(CandleTrade(trade))
            drop(symbol)
        }
    }

    /// Those of a symbol as longer candles, earliest first; only intervals with trades, of which nothing is
    /// missing.
    ///
    /// - Parameters:
    ///   - symbol: Whose.
    ///   - longer: Not shorter than the parts.
    ///   - begin: Candles that begin before it are not whole.
    ///   - position: Candles that end at or before it are closed.
    /// - Returns: Nothing where a sum does not fit.
    func rolled(
        _ symbol: String, into longer: CandleInterval, from begin: Timestamp, at position: Timestamp
    ) -> [Candle] {
        let begin = max(begin, begins[symbol] ?? begin)
        let parts = (sums[symbol] ?? [:]).sorted { $0.key < $1.key }.map {
            Candle(interval: interval, start: $0.key, sums: $0.value)
        }
        let whole = parts.drop { longer.start(of: $0.start) < begin }
        // As of a trade: a sum that no candle holds is no market.
        return (try? CandleRollup.roll(whole, into: longer, closedAt: position)) ?? []
    }

    /// Forgets everything.
    mutating func removeAll() {
        sums.removeAll()
        begins.removeAll()
    }

    private mutating func drop(_ symbol: String) {
        guard let starts = sums[symbol]?.keys, starts.count > limit else { return }
        let sorted = starts.sorted()
        let count = max(limit / 8, 1)
        for start in sorted.prefix(count) { sums[symbol]?[start] = nil }
        begins[symbol] = interval.end(from: sorted[count - 1])
    }
}
