import Instruments
import MarketData
import MarketState

/// Candles of what was played, for the REST routes that give history.
///
/// Holds minutes of each symbol, and seconds where the venue gives candles of them. A venue's own candles
/// that were recorded are kept as they are and win over what trades add up to.
struct CandleTape: Sendable {
    /// Five weeks of minutes.
    static let limit = 50_000
    /// Two hours, if each second has a trade.
    static let secondLimit = 7_200

    private var minutes = CandleParts(.minute, limit: limit)
    private var seconds: CandleParts?
    private var recorded: [String: [RecordedCandle]] = [:]

    /// Begins with nothing.
    ///
    /// - Parameter keepsSeconds: Whether candles shorter than a minute are asked for.
    init(keepsSeconds: Bool) {
        if keepsSeconds { seconds = CandleParts(.second, limit: CandleTape.secondLimit) }
    }

    /// Adds a trade.
    ///
    /// One that a venue sends again, as with a subscription, was before.
    mutating func add(_ trade: Trade, of symbol: String) {
        if trade.isBackfill { return }
        minutes.add(trade, of: symbol)
        seconds?.add(trade, of: symbol)
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

    /// Candles from the first whole one on, as far as a query can want them, those without trades included.
    ///
    /// - Parameters:
    ///   - query: Of a second only where seconds are kept.
    ///   - begin: Candles that begin before it are not whole.
    ///   - position: What the venue's clock shows; a candle that ends later is still open.
    ///   - past: Candles of the query's length of before, earliest first; the last may go on here.
    /// - Returns: Earliest first; nothing before the first trade.
    func candles(
        _ query: CandleQuery, from begin: Timestamp, at position: Timestamp, after past: [Candle] = []
    ) -> [Candle] {
        let interval = query.interval
        let parts = interval < .minute ? seconds : minutes
        var rolled = parts?.rolled(query.symbol, into: interval, from: begin, at: position) ?? []
        if !past.isEmpty {
            rolled = (try? CandleRollup.roll(past + rolled, into: interval, closedAt: position)) ?? rolled
        }
        guard let first = rolled.first, let last = rolled.last else { return [] }
        let end = interval.end(from: max(interval.start(of: position), last.start))
        let wanted = query.reach(from: first.start, to: end)
        var candles = rolled.filter { wanted.contains($0.start) }
        // What was traded before the first wanted one is the price of one without trades.
        if let before = rolled.last(where: { $0.start < wanted.lowerBound }),
            !wanted.isEmpty, candles.first?.start != wanted.lowerBound
        {
            candles.insert(before.flat(at: wanted.lowerBound), at: 0)
        }
        candles = CandleRollup.filled(candles, until: wanted.upperBound)
        if let last = candles.last, last.end > position { candles[candles.count - 1].flags.remove(.closed) }
        return candles
    }

    /// Forgets everything.
    mutating func removeAll() {
        minutes.removeAll()
        seconds?.removeAll()
        recorded.removeAll()
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
    /// Whether the newest are given where there are more than `limit`; otherwise the earliest.
    var takesNewest = false

    /// The starts among which the candles that are wanted are, the one that is open included.
    ///
    /// A market without trades would have as many candles as seconds went by: only those are made that an
    /// answer has room for.
    ///
    /// - Parameters:
    ///   - first: The start of the earliest candle that there is.
    ///   - last: The end of the newest.
    /// - Returns: Empty where there are none.
    func reach(from first: Timestamp, to last: Timestamp) -> Range<Timestamp> {
        let room = interval.nanoseconds * Int64(limit)
        let end = min(last, end.map { interval.end(from: interval.start(of: $0)) } ?? last)
        if takesNewest {
            let begin = max(first, end.adding(nanoseconds: -room - interval.nanoseconds))
            return begin..<max(begin, end)
        }
        let start = start.map { $0.adding(nanoseconds: interval.nanoseconds - 1) } ?? first
        let begin = max(first, interval.start(of: start))
        return begin..<max(begin, min(end, begin.adding(nanoseconds: room)))
    }

    func contains(_ start: Timestamp) -> Bool {
        if let first = self.start, start < first { return false }
        if let end, start > end { return false }
        return true
    }
}
