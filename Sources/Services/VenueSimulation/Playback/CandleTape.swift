import Instruments
import MarketData
import MarketState

/// Candles of what was played, for the REST routes that give history.
///
/// Holds minutes of each symbol, at the most `limit`; the oldest go first, an eighth at a time. A venue's own
/// candles that were recorded are kept as they are and win over what trades add up to.
struct CandleTape: Sendable {
    /// Five weeks.
    static let limit = 50_000

    private var minutes: [String: [Timestamp: CandleSums<Int64>]] = [:]
    private var recorded: [String: [RecordedCandle]] = [:]

    /// Adds a trade.
    ///
    /// One that a venue sends again, as with a subscription, was before.
    mutating func add(_ trade: Trade, of symbol: String) {
        if trade.isBackfill { return }
        let start = CandleInterval.minute.start(of: trade.venueTime)
        if var sums = minutes[symbol]?[start] {
            // A sum beyond 128 bits is no market: the candle stays as it is.
            try? sums.add(CandleTrade(trade))
            minutes[symbol]?[start] = sums
        } else {
            minutes[symbol, default: [:]][start] = CandleSums(CandleTrade(trade))
            drop(symbol)
        }
    }

    /// Keeps a venue's own candle that is over.
    mutating func add(_ candle: RecordedCandle) {
        recorded[candle.symbol, default: []].append(candle)
        if recorded[candle.symbol, default: []].count > Self.limit {
            recorded[candle.symbol]?.removeFirst(Self.limit / 8)
        }
    }

    /// The venue's own candles of a length, by start.
    func recorded(_ symbol: String, _ interval: CandleInterval) -> [Timestamp: RecordedCandle] {
        let candles = (recorded[symbol] ?? []).filter { $0.interval == interval }
        return Dictionary(candles.map { ($0.start, $0) }) { _, last in last }
    }

    /// Candles from the first whole one on, those without trades included; the last one is still open.
    ///
    /// - Parameters:
    ///   - symbol: Whose.
    ///   - interval: A minute or longer.
    ///   - begin: Candles that begin before it are not whole.
    ///   - position: What the venue's clock shows.
    /// - Returns: Earliest first; nothing before the first trade.
    func candles(
        _ symbol: String, _ interval: CandleInterval, from begin: Timestamp, at position: Timestamp
    ) -> [Candle] {
        let parts = (minutes[symbol] ?? [:]).sorted { $0.key < $1.key }.map {
            Candle(interval: .minute, start: $0.key, sums: $0.value)
        }
        let whole = parts.drop { interval.start(of: $0.start) < begin }
        guard let rolled = try? CandleRollup.roll(whole, into: interval, closedAt: position) else {
            return []
        }
        let end = interval.end(from: interval.start(of: position))
        var candles = CandleRollup.filled(rolled, until: end)
        if let last = candles.last, last.end > position { candles[candles.count - 1].flags.remove(.closed) }
        return candles
    }

    /// Forgets everything.
    mutating func removeAll() { self = CandleTape() }

    private mutating func drop(_ symbol: String) {
        guard let starts = minutes[symbol]?.keys, starts.count > Self.limit else { return }
        for start in starts.sorted().prefix(Self.limit / 8) { minutes[symbol]?[start] = nil }
    }
}

/// A candle that the venue itself sent and said to be over, as its REST route gives it.
struct RecordedCandle: Hashable, Sendable {
    var symbol: String
    var interval: CandleInterval
    var start: Timestamp
    /// A row of the route's answer.
    var row: [UInt8]
}

/// Which candles are wanted.
struct CandleQuery: Hashable, Sendable {
    var symbol: String
    var interval: CandleInterval
    /// Candles that begin at it or later.
    var start: Timestamp?
    /// Candles that begin at it or earlier.
    var end: Timestamp?
    /// At the most so many.
    var limit: Int
    /// Newest first.
    var isReversed = false

    func contains(_ start: Timestamp) -> Bool {
        if let first = self.start, start < first { return false }
        if let end, start > end { return false }
        return true
    }
}
