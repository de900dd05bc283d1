import Instruments
import MarketData
import MarketState
import MarketStore
import Wire

/// The candles and the last 24 hours of one instrument, with what is to be told and stored of them.
///
/// It is idle while another instance owns the instrument, recovering until its tape was read, and then follows
/// the live trades. Without a database it follows at once, and its first candles are incomplete.
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
    private(set) var phase = Phase.idle
    private(set) var counts = Counts()
    private(set) var tape: TapeReconciliation
    private(set) var day: RollingDay?
    /// From when on nothing is missing that this system ever had.
    private(set) var knownFrom: Timestamp?
    /// What is to be told now: closed and amended candles.
    var told: [Candle] = []
    /// Closed candles that wait until their trades are known to be stored.
    private(set) var unstored: [CandleKey: Candle] = [:]
    /// Intervals whose open candle changed since it was told; a bit each.
    private(set) var openChanges: UInt16 = 0
    /// Venue time of the earliest trade that could not be taken in.
    private var missedFrom: Timestamp?
    /// From when on the tape is being read at the latest.
    private(set) var readFrom: Timestamp?
    /// When the tape may be read again.
    private var readAgainAt = Timestamp(nanoseconds: .min)
    private var patience = InstrumentMarket.firstPatience
    private(set) var aggregator = CandleAggregator()

    private static let pause: Int64 = 1_000_000_000
    private static let firstPatience: Int64 = 30_000_000_000
    private static let longestPatience: Int64 = 600_000_000_000
    private static let identities = 16_384

    init(_ id: InstrumentID, hasTape: Bool, pendingLimit: Int) {
        self.id = id
        self.hasTape = hasTape
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
        let before = counts
        self = InstrumentMarket(id, hasTape: hasTape, pendingLimit: tape.limit)
        counts = before
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
        if tape.mark(mark) == .agreed { patience = Self.firstPatience }
    }

    /// Messages about trades were lost.
    mutating func lose(at time: Timestamp?) {
        guard phase != .idle else { return }
        if hasTape { return tape.doubt() }
        // Nothing else knows of them.
        guard let last = aggregator.newest(.second)?.sums.closeTime else { return }
        aggregator.markGap(from: last, to: max(last, time ?? last))
    }

    private mutating func miss(_ time: Timestamp) {
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

    private enum Application {
        /// It is in every candle that it belongs to.
        case whole
        /// It is not in all of them.
        case partial
        /// It was there.
        case duplicate
    }

    private mutating func apply(_ trade: Trade) -> Application {
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

    private mutating func know(from time: Timestamp) {
        knownFrom = time
        aggregator.markGap(from: Timestamp(nanoseconds: .min), to: time.adding(nanoseconds: -1))
    }

    /// Sees what changed; called after every batch.
    mutating func drain() {
        guard phase == .following else { return }
        var changed: [Candle] = []
        aggregator.drain { changed.append($0) }
        for candle in changed { note(candle) }
    }

    private mutating func note(_ candle: Candle) {
        guard candle.flags.contains(.closed) else {
            openChanges |= 1 << UInt16(candle.interval.rank)
            return
        }
        told.append(candle)
        if hasTape { unstored[CandleKey(candle)] = candle }
    }

    // MARK: - Out

    /// Whether trades after an instant may be missing.
    func isIncomplete(since time: Timestamp) -> Bool {
        phase != .following || tape.needsReading || (knownFrom.map { $0 > time } ?? true)
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
        let wanted = [readFrom, missedFrom, tape.firstPending, open] + unstored.keys.map(\.start)
        readFrom = wanted.compactMap { $0 }.min()
        missedFrom = nil
        tape.beginReading()
        return true
    }

    /// The tape could not be read.
    mutating func abandonReading() { if phase != .idle { tape.abandonReading() } }

    /// Begins anew from what is stored, with the live trades that are not stored yet on top.
    ///
    /// What is stored otherwise than its trades say is told and stored again.
    mutating func adopt(_ reading: TapeReading) {
        guard phase != .idle, tape.isReading else { return }
        counts.lost &+= UInt64(tape.settle(reading.trades, newest: reading.newest))
        aggregator = CandleAggregator(CandleAggregatorConfiguration(identities: Self.identities))
        unstored.removeAll()
        readFrom = nil
        phase = .following
        restore(reading)
        knownFrom = nil
        if let time = reading.knownFrom { know(from: time) }
        for trade in reading.trades { _ = apply(trade) }
        var made: [Candle] = []
        aggregator.drain { made.append($0) }
        for candle in made { noteIfNew(candle, reading) }
        if let first = tape.pending.first, knownFrom == nil { know(from: first.venueTime) }
        let pending = tape.pending
        let taken = pending.map { apply($0) == .whole }
        tape.keep(taken)
        for (trade, isTaken) in zip(pending, taken) where !isTaken { miss(trade.venueTime) }
        tape.resume()
    }

    private mutating func restore(_ reading: TapeReading) {
        let limits = CandleAggregatorConfiguration().amendable
        for interval in CandleInterval.allCases {
            let candles: [Candle]
            switch interval {
            case .second: candles = reading.seconds
            case .minute: candles = reading.minutes
            default:
                let rolled = try? CandleRollup.roll(reading.minutes, into: interval, closedAt: reading.base)
                candles = rolled ?? []
            }
            for candle in candles where candle.flags.contains(.closed) {
                noteIfNew(marked(candle, reading), reading)
            }
            // One more than is kept, so that what is before them is out of reach.
            for candle in candles.suffix(limits[interval.rank] + 2) { aggregator.restore(candle) }
        }
        aggregator.forget(before: reading.base)
        restoreDay(reading)
    }

    private mutating func restoreDay(_ reading: TapeReading) {
        day = nil
        guard let sums = reading.seconds.last?.sums ?? reading.minutes.last?.sums else { return }
        guard let price = Scale(rawValue: sums.pricePlaces), let size = Scale(rawValue: sums.sizePlaces)
        else { return }
        var day = RollingDay(priceScale: price, sizeScale: size)
        let first = reading.seconds.first?.start ?? reading.base
        // A number that does not fit is told of by the candles.
        if let prior = reading.minutes.last(where: { $0.end <= first }) { try? day.restore(prior) }
        for second in reading.seconds where !second.flags.contains(.flat) { try? day.restore(second) }
        self.day = day
    }

    private func marked(_ candle: Candle, _ reading: TapeReading) -> Candle {
        guard let known = reading.knownFrom, candle.start < known, known < candle.end else { return candle }
        var candle = candle
        candle.flags.insert(.incomplete)
        return candle
    }

    /// Tells and stores a closed candle unless it is stored like this, or better.
    private mutating func noteIfNew(_ candle: Candle, _ reading: TapeReading) {
        guard candle.flags.contains(.closed), let stored = reading.rows[CandleKey(candle)] else {
            return note(candle)
        }
        // What the venue says stays; and trades may be gone that a stored candle was made of.
        let isOlder = reading.oldest.map { candle.start < $0 } ?? true
        if stored.flags.contains(.fromVenue) || isOlder && stored.tradeCount > candle.sums.count { return }
        if let row = CandleRow(candle), row.says(the: stored) { return }
        var candle = candle
        if stored.flags.contains(.closed) { candle.flags.insert(.amended) }
        note(candle)
    }
}
