import Instruments
import MarketData
import MarketState
import MarketStore
import Wire

/// The candles and the last 24 hours of one instrument, with what is to be told and stored of them.
///
/// It is idle while another instance owns the instrument, recovering until its tape was read, and then
/// follows the live trades. Without a database it follows at once, and its first candles are incomplete.
struct InstrumentMarket: Sendable {
    enum Phase: Hashable, Sendable {
        case idle
        case recovering
        case following
    }

    /// What became of what came, since the start.
    struct Counts: Hashable, Sendable {
        var trades: UInt64 = 0
        var duplicates: UInt64 = 0
        /// Live trades that the feed never stored.
        var lost: UInt64 = 0
        /// Readings of the tape after the first one of a recovery.
        var repairs: UInt64 = 0
    }

    let id: InstrumentID
    let hasTape: Bool
    var phase = Phase.idle
    var counts = Counts()
    var tape: TapeReconciliation
    var day: RollingDay?
    /// From when on nothing is missing that this system ever had.
    var knownFrom: Timestamp?
    /// What is to be told now: closed and amended candles.
    var told: [Candle] = []
    /// Closed candles that wait until their trades are known to be stored.
    var unstored: [CandleKey: Candle] = [:]
    /// Intervals whose open candle changed since it was told; a bit each.
    private(set) var openChanges: UInt16 = 0
    /// Venue time of the earliest trade that could not be taken in.
    private var missedFrom: Timestamp?
    /// From when on the tape is being read at the latest.
    var readFrom: Timestamp?
    /// The number of the reading that is under way, or of the last one.
    private(set) var reading: UInt64 = 0
    /// When the tape may be read again.
    private var readAgainAt = Timestamp(nanoseconds: .min)
    private var patience = InstrumentMarket.firstPatience
    var aggregator = CandleAggregator()
    /// What is missing of the tape for good.
    var holes = TapeHoles()
    /// What the venue is asked for because of that.
    var mending: CandleRefetch

    /// Nanoseconds.
    private static let pause: Int64 = 1_000_000_000
    /// Nanoseconds.
    private static let firstPatience: Int64 = 30_000_000_000
    /// Nanoseconds.
    private static let longestPatience: Int64 = 600_000_000_000
    static let identities = 4_096

    /// - Parameters:
    ///   - id: What is traded.
    ///   - hasTape: Whether trades are stored, and read.
    ///   - pendingLimit: Trades that may wait until they are known to be stored.
    ///   - mendable: The lengths of candles that the venue can be asked for.
    init(
        _ id: InstrumentID, hasTape: Bool, pendingLimit: Int, mendable: Set<CandleInterval> = []
    ) {
        self.id = id
        self.hasTape = hasTape
        mending = CandleRefetch(mendable)
        tape = TapeReconciliation(limit: pendingLimit)
    }

    // MARK: - Whose it is

    /// The instrument is ours now.
    mutating func begin() {
        guard phase == .idle else { return }
        aggregator = CandleAggregator(CandleAggregatorConfiguration(identities: Self.identities))
        phase = hasTape ? .recovering : .following
        if hasTape { tape.doubt() }
    }

    /// Another instance has it, or may have it.
    mutating func end() {
        guard phase != .idle else { return }
        let (before, number) = (counts, reading)
        self = InstrumentMarket(
            id, hasTape: hasTape, pendingLimit: tape.limit, mendable: mending.intervals)
        (counts, reading) = (before, number)
    }

    // MARK: - Live

    /// A live trade whose time is believed.
    mutating func take(_ trade: Trade) {
        switch phase {
        case .idle: return
        case .recovering: tape.accept(trade)
        case .following:
            if knownFrom == nil { know(from: trade.venueTime) }
            receive(trade)
        }
    }

    /// A live trade that is not believed: it may be stored.
    mutating func refuse() { tape.miss() }

    /// The feed stored a batch.
    mutating func take(_ mark: TradesStored) {
        guard phase != .idle, hasTape else { return }
        guard tape.mark(mark) == .agreed else { return }
        patience = Self.firstPatience
        // What follows a hole says where it ends.
        if holes.isOpen { tape.doubt() }
    }

    /// Messages about trades were lost.
    mutating func lose(at time: Timestamp?) {
        guard phase != .idle else { return }
        if hasTape { return tape.doubt() }
        // Nothing else knows of them.
        guard let last = aggregator.newest(.second)?.sums.closeTime else { return }
        aggregator.markGap(from: last, to: max(last, time ?? last))
    }

    mutating func miss(_ time: Timestamp) {
        tape.miss()
        missedFrom = min(missedFrom ?? time, time)
    }

    /// The feed started again: it may have stored what it never said, and said what it never stored.
    mutating func suspect() { if phase != .idle, hasTape { tape.suspect() } }

    /// What is stored may be something else.
    mutating func doubt() { if phase != .idle, hasTape { tape.doubt() } }

    /// Lets venue time act.
    mutating func advance(to time: Timestamp) {
        guard phase == .following else { return }
        aggregator.advance(to: time)
        day?.advance(to: time)
    }

    private mutating func receive(_ trade: Trade) {
        switch apply(trade) {
        case .whole: if hasTape { tape.accept(trade) }
        case .partial: miss(trade.venueTime)
        case .duplicate: counts.duplicates &+= 1
        }
    }

    enum Application {
        /// It is in every candle that it belongs to.
        case whole
        /// It is not in all of them.
        case partial
        /// It was there.
        case duplicate
    }

    mutating func apply(_ trade: Trade) -> Application {
        switch aggregator.apply(trade) {
        case .duplicate: return .duplicate
        case .unknown, .overflow:
            _ = aggregator.takeRepairs()
            return .partial
        case .added: break
        }
        counts.trades &+= 1
        if day == nil { day = RollingDay(priceScale: trade.priceScale, sizeScale: trade.sizeScale) }
        let isCounted = (try? day?.apply(trade)) != nil
        return aggregator.takeRepairs().isEmpty && isCounted ? .whole : .partial
    }

    mutating func know(from time: Timestamp) {
        knownFrom = time
        aggregator.markGap(from: Timestamp(nanoseconds: .min), to: time.adding(nanoseconds: -1))
    }

    /// Sees what changed; called after every batch.
    mutating func drain() {
        guard phase == .following else { return }
        var changed: [Candle] = []
        aggregator.drain { changed.append($0) }
        for candle in changed {
            note(candle)
            guard candle.lacksTrades, !mending.want(CandleKey(candle)) else { continue }
            // The venue has none of this length: it may be made of its minutes, which takes what is stored.
            if candle.interval.rank > 1, !holes.spans.isEmpty { tape.doubt() }
        }
    }

    mutating func note(_ candle: Candle) {
        guard candle.flags.contains(.closed) else {
            openChanges |= 1 << UInt16(candle.interval.rank)
            return
        }
        // One without trades is the venue's word that nothing is missing: stored, and shown only on request.
        if !candle.flags.contains(.flat) { told.append(candle) }
        if hasTape { unstored[CandleKey(candle)] = candle }
    }

    // MARK: - Out

    /// Whether trades after an instant may be missing.
    func isIncomplete(since time: Timestamp) -> Bool {
        phase != .following || tape.needsReading || (knownFrom.map { $0 > time } ?? true)
            || holes.reach(past: time)
    }

    /// The open candles that changed since the last call.
    mutating func takeOpen() -> [Candle] {
        guard openChanges != 0 else { return [] }
        let changes = openChanges
        openChanges = 0
        return CandleInterval.allCases.compactMap { interval in
            guard changes & 1 << UInt16(interval.rank) != 0, let candle = aggregator.newest(interval),
                !candle.flags.contains(.closed)
            else { return nil }
            return candle
        }
    }

    /// The closed candles whose trades are all stored, shortest and earliest first.
    mutating func takeStorable() -> [Candle] {
        guard !unstored.isEmpty, phase == .following, tape.isCertain else { return [] }
        let first = tape.firstPending
        // tidy: unordered-iteration They are sorted below.
        let ready = first.map { time in unstored.filter { $0.value.end <= time } } ?? unstored
        guard !ready.isEmpty else { return [] }
        for key in ready.keys { unstored[key] = nil }
        return ready.values.sorted { ($0.interval.rank, $0.start) < ($1.interval.rank, $1.start) }
    }

    // MARK: - The tape

    /// Whether the tape is to be read now; if so, a reading is under way.
    mutating func beginReading(at now: Timestamp) -> Bool {
        guard phase != .idle, !tape.isReading else { return false }
        if let first = tape.pending.first, phase == .following,
            now.nanoseconds(since: first.receivedTime) > patience, now >= readAgainAt
        {
            // The feed stores within a second: whether it ever will is to be seen.
            tape.doubt()
            patience = min(patience * 2, Self.longestPatience)
        }
        guard tape.needsReading, now >= readAgainAt else { return false }
        if phase == .following { counts.repairs &+= 1 }
        readAgainAt = now.adding(nanoseconds: Self.pause)
        // What was not stored yet lies in what is read.
        drain()
        let open = aggregator.newest(.minute)?.start
        // tidy: unordered-iteration The earliest counts.
        let wanted = [readFrom, missedFrom, tape.firstPending, open] + unstored.keys.map(\.start)
        readFrom = wanted.compactMap { $0 }.min()
        missedFrom = nil
        tape.beginReading()
        reading &+= 1
        return true
    }

    /// The tape could not be read.
    mutating func abandonReading(_ number: UInt64) {
        if phase != .idle, tape.isReading, number == reading { tape.abandonReading() }
    }
}
