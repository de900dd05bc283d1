import Alerting
import AlertStore
import Bus
import Instruments
import MarketData
import MarketStore

/// How far one instrument's data has been evaluated, and what waits to be.
///
/// PostgreSQL has the tape without holes but at its end, and live trades are its forecast. While something
/// may be missing, live trades wait; what is stored after the last evaluated trade is read, and marked late,
/// until it is known that nothing is missing before the first that waits: because that one is stored, or
/// because the feed says, twice, that everything it has is stored.
struct EvaluationProgress: Sendable {
    enum Phase: Hashable, Sendable {
        /// Something may be missing.
        case waiting
        /// The stored tape is being read.
        case reading
        /// Every trade was evaluated up to the last one.
        case live
    }

    struct Waiting: Sendable {
        var trade: Trade
        var sequence: UInt64
    }

    let id: InstrumentID
    let shard: Shard
    let market: MarketHandle
    private(set) var phase = Phase.waiting
    /// Counts what was lost: a reading begun before is worth nothing.
    private(set) var generation: UInt64
    /// The latest venue time of any trade that was evaluated.
    private(set) var time: Timestamp?
    /// Ids of the trades of exactly that time.
    private(set) var ids: Set<String> = []
    /// The venue's clock less ours, by the last trade that was not fetched afterwards.
    private(set) var clockOffset: Int64 = 0
    /// Live trades that wait, in their order.
    private(set) var pending: [Waiting] = []
    /// Trades that were let go; they are read when they are stored.
    private(set) var dropped: UInt64 = 0
    /// Stored trades that were read and may be among those that wait.
    private var read: Set<String> = []
    /// Stored trades that were read and may yet come over the bus.
    private var overtaken = OvertakenTrades()
    /// How often the feed said that everything it has is stored.
    private var quiet = 0
    /// When it said so last.
    private var quietTime = Timestamp.zero
    private var wasQuiet = false
    /// When the tape was read last without an end.
    private var retryAt = Timestamp.zero
    /// The bus confirmed that it brings the trades.
    var isSynchronized = false
    /// Rules that come into force when the tape reaches the time of their making, earliest first.
    var late: [StoredRule] = []
    /// Rules that look at it.
    var rules: Set<RuleID> = []
    /// Who says its best prices.
    var bookProducer: BusProducerIndex?
    /// Who says its index price or value.
    var referenceProducer: BusProducerIndex?
    /// The number of the last instrument that a venue listed; `nil` before any was looked for.
    var listed: Int64?
    /// When the first of the rules was made that look for what a venue lists.
    var listedFrom: Timestamp?
    var closes: [Int64: CandleProgress] = [:]
    /// Prefixes of the bus that are subscribed.
    var prefixes: Set<String> = []
    /// Since when it is watched: what cannot be believed some seconds after it is doubted.
    let since: Timestamp

    /// Live trades that may wait.
    static let limit = 20_000
    /// How soon a tape that had no end is read again, in nanoseconds.
    private static let patience: Int64 = 200_000_000

    init(
        _ id: InstrumentID, _ market: MarketHandle, _ shard: Shard, tape: EngineState.Tape?,
        generation: UInt64, at now: Timestamp
    ) {
        self.id = id
        self.market = market
        self.generation = generation
        self.shard = shard
        since = now
        guard let tape else { return }
        guard id.isTraded else {
            listed = tape.ids.first.flatMap { Int64($0) }
            return
        }
        time = tape.time
        ids = Set(tape.ids)
        for (interval, start) in tape.closes { closes[interval] = CandleProgress(last: start) }
    }

    /// Where it stands, to be kept.
    var tape: EngineState.Tape? {
        if let listed { return EngineState.Tape(instrument: id, time: .zero, ids: [String(listed)]) }
        guard let time else { return nil }
        return EngineState.Tape(
            instrument: id, time: time, ids: ids.sorted(), closes: closes.compactMapValues(\.last))
    }

    // MARK: - Trades

    /// Whether a stored trade was evaluated before.
    func knows(_ trade: Trade) -> Bool {
        guard let time else { return false }
        return trade.venueTime < time || trade.venueTime == time && ids.contains(trade.id)
    }

    /// A trade is evaluated now.
    mutating func note(_ trade: borrowing Trade) {
        if !trade.isBackfill { clockOffset = trade.venueTime.nanoseconds(since: trade.receivedTime) }
        if let time, trade.venueTime <= time {
            if trade.venueTime == time { ids.insert(trade.id) }
        } else {
            time = trade.venueTime
            ids.removeAll(keepingCapacity: true)
            ids.insert(trade.id)
        }
    }

    /// A live trade has to wait.
    mutating func hold(_ trade: Trade, _ sequence: UInt64) {
        // What the venue repeats, or what was fetched, comes from the stored tape.
        guard !trade.isBackfill else { return }
        if pending.count >= Self.limit {
            dropped &+= UInt64(pending.count)
            pending.removeAll(keepingCapacity: true)
        }
        pending.append(Waiting(trade: trade, sequence: sequence))
    }

    /// Messages may be missing from here on.
    mutating func lose() {
        phase = .waiting
        generation &+= 1
        pending.removeAll()
        read.removeAll()
        overtaken.forget()
        quiet = 0
        retryAt = .zero
    }

    /// The feed says, at that time, what it has that is not stored.
    mutating func hear(isQuiet: Bool, saidAt time: Timestamp) {
        quiet = isQuiet ? quiet + 1 : 0
        quietTime = time
    }

    /// Whether a live trade was read from the stored tape before it came.
    mutating func hasRead(_ trade: Trade) -> Bool { overtaken.take(trade) }

    /// The feed stored trades up to a time.
    mutating func hear(storedUpTo time: Timestamp) {
        if let first = pending.first, first.trade.venueTime <= time { retryAt = .zero }
    }

    // MARK: - Reading

    /// Begins a reading if it can end well; `nil` otherwise.
    mutating func beginReading(at now: Timestamp) -> TapeRequest? {
        guard phase == .waiting, isSynchronized, now >= retryAt else { return nil }
        // What was read meanwhile meets nothing that is still to be read.
        if let first = pending.first, knows(first.trade) {
            pending.removeSubrange(..<(pending.firstIndex { !knows($0.trade) } ?? pending.endIndex))
        }
        guard quiet > 1 || !pending.isEmpty else { return nil }
        phase = .reading
        wasQuiet = quiet > 1
        // Without one that waits the feed was quiet.
        overtaken.begin(after: pending.first?.trade.receivedTime ?? quietTime)
        if let time { return TapeRequest(id: id, generation: generation, from: time, armsBefore: false) }
        // Some seconds earlier: clocks differ.
        let first = late.first?.updated ?? now
        return TapeRequest(
            id: id, generation: generation, from: first.adding(nanoseconds: -5_000_000_000), armsBefore: true)
    }

    /// A stored trade was read.
    mutating func noteRead(_ trade: Trade) {
        if let first = pending.first, trade.venueTime >= first.trade.venueTime { read.insert(trade.id) }
        overtaken.note(trade)
    }

    /// The reading came to its end: true when nothing is missing before what waits.
    mutating func endReading(at now: Timestamp) -> Bool {
        let meets = pending.first.map { read.contains($0.trade.id) } ?? false
        guard wasQuiet || meets, !overtaken.isFull else {
            phase = .waiting
            retryAt = now.adding(nanoseconds: Self.patience)
            // What the feed said before tells nothing of trades that it said since.
            if overtaken.isFull { quiet = 0 }
            return false
        }
        return true
    }

    /// The reading could not be had.
    mutating func abandonReading(at now: Timestamp) {
        phase = .waiting
        retryAt = now.adding(nanoseconds: Self.patience)
    }

    /// Nothing is missing: what waited and was not read goes on from here.
    mutating func goLive() -> [Waiting] {
        var waiting: [Waiting] = []
        for entry in pending
        where !overtaken.take(entry.trade) && !read.contains(entry.trade.id) && !knows(entry.trade) {
            waiting.append(entry)
        }
        pending = []
        read = []
        phase = .live
        return waiting
    }
}

/// Which part of a tape is to be read.
struct TapeRequest: Hashable, Sendable {
    var id: InstrumentID
    var generation: UInt64
    /// Included.
    var from: Timestamp
    /// Whether the last trade before is wanted, too: to know on which side of their levels rules begin.
    var armsBefore: Bool
}

/// Closed candles of one interval of an instrument.
struct CandleProgress: Hashable, Sendable {
    /// Start of the last one that was evaluated.
    var last: Timestamp?
    /// Those that wait, in their order.
    var pending: [ClosedCandle] = []
    /// Whether stored ones are being read.
    var isReading = false
    /// Whether what is stored was read since data was missing.
    var isWhole = false

    /// Trades.
    static let limit = 1_000

    init(last: Timestamp? = nil) { self.last = last }
}
