import Instruments
import MarketData

/// What two connections have said of the same tapes, by which each event is told once.
///
/// It knows events by their identity: trades by their id, closed candles by their start, liquidations by all
/// that they say. What one of them says first is told, and awaited of the other; what the other says then is
/// not told again. So both may be behind or ahead of each other, and what one has lost the other tells.
struct TapeOverlap: Sendable {
    /// Which event of which instrument.
    struct Key: Hashable, Sendable {
        enum Kind: Hashable, Sendable { case trade, candle, liquidation }

        let instrument: InstrumentIndex
        let kind: Kind
        let text: String
    }

    /// Events that are awaited of one connection at most; past it the oldest are forgotten.
    static let limit = 8_192

    /// By connection: what it has said and the other has not.
    private var awaited: [Awaited] = [Awaited(), Awaited()]
    /// What the second has said, while only the first is listened to.
    private var held = Held()
    /// Whether one of the connections is gone: nothing more is awaited of it.
    private var isSettled = false

    /// Whether an event that one of them says is to be told.
    ///
    /// - Parameters:
    ///   - key: Which it is.
    ///   - place: 0 or 1, who says it.
    ///   - time: When that is.
    /// - Returns: False when the other has said it already.
    mutating func isNews(_ key: Key, from place: Int, at time: Timestamp) -> Bool {
        if awaited[1 - place].remove(key) { return false }
        // What the second has said meanwhile is told now, by the first.
        if place == 0, held.remove(key) { return true }
        if !isSettled { awaited[place].insert(key, at: time) }
        return true
    }

    /// Keeps an event of the second connection that the first has not said, to be told if it never does.
    mutating func hold(_ event: MarketEvent, _ key: Key) {
        if !awaited[0].remove(key) { held.insert(event, key) }
    }

    /// What only the second has said, in its order: it is told from here on.
    mutating func release(at time: Timestamp) -> [MarketEvent] {
        held.takeAll().map { entry in
            awaited[1].insert(entry.key, at: time)
            return entry.event
        }
    }

    /// The second has begun anew: what it had said is not whole.
    mutating func forgetHeld() { held = Held() }

    /// Whether the second owes trades that the first has said in a span of time.
    func owesTrades(saidFrom start: Timestamp, to end: Timestamp) -> Bool {
        awaited[0].containsTrade(from: start, to: end)
    }

    /// One of the connections is gone; what it has said is not told again by the other, which is the first
    /// from here on.
    mutating func settle(without place: Int) {
        awaited = [Awaited(), awaited[place]]
        held = Held()
        isSettled = true
    }
}

extension TapeOverlap {
    /// Events by identity, the oldest of which are forgotten.
    private struct Awaited: Sendable {
        private var times: [Key: Timestamp] = [:]
        /// Those and some that have come since.
        private var order: [Key] = []
        private var oldest = 0

        mutating func insert(_ key: Key, at time: Timestamp) {
            if times.updateValue(time, forKey: key) == nil { order.append(key) }
            while times.count > TapeOverlap.limit {
                times[order[oldest]] = nil
                oldest += 1
            }
            if order.count > 4 * TapeOverlap.limit {
                order = order[oldest...].filter { times[$0] != nil }
                oldest = 0
            }
        }

        mutating func remove(_ key: Key) -> Bool { times.removeValue(forKey: key) != nil }

        func containsTrade(from start: Timestamp, to end: Timestamp) -> Bool {
            times.contains { $0.key.kind == .trade && $0.value >= start && $0.value <= end }
        }
    }

    /// Events that are not told yet.
    private struct Held: Sendable {
        private var events: [Key: (place: Int, event: MarketEvent)] = [:]
        private var count = 0

        mutating func insert(_ event: MarketEvent, _ key: Key) {
            // Far more than any lag: what is not said by the first for so long it never says.
            if events.count >= TapeOverlap.limit { events.removeAll() }
            count += 1
            events[key] = (count, event)
        }

        mutating func remove(_ key: Key) -> Bool { events.removeValue(forKey: key) != nil }

        mutating func takeAll() -> [(key: Key, event: MarketEvent)] {
            defer { events.removeAll() }
            return events.sorted { $0.value.place < $1.value.place }.map { ($0.key, $0.value.event) }
        }
    }
}

extension MarketEvent {
    /// By what it is known when it is said twice; `nil` for a state, which replaces the one before.
    var identity: TapeOverlap.Key? {
        switch self {
        case .trade(let index, let trade):
            return TapeOverlap.Key(instrument: index, kind: .trade, text: trade.id)
        case .candle(let index, let candle):
            guard candle.isClosed else { return nil }
            let text = "\(candle.interval)@\(candle.start.nanoseconds)"
            return TapeOverlap.Key(instrument: index, kind: .candle, text: text)
        case .liquidation(let index, let row):
            let time = row.venueTime?.nanoseconds ?? 0
            let text = row.id ?? "\(row.side)\(row.price)×\(row.size)@\(time)"
            return TapeOverlap.Key(instrument: index, kind: .liquidation, text: text)
        case .book, .state, .ticker, .mark, .derivative, .instrument: return nil
        }
    }
}
