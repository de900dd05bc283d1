import Instruments
import MarketData
import Venues

/// The tapes of one feed: where each stands, which gaps are being closed, and which trades wait for that.
///
/// It decides in which order trades are stored: while something before them is missing, newer ones wait. So
/// what is stored of an instrument has no hole but at its end, and whoever is killed knows from the newest
/// stored trade where to begin again. The one exception is told by ``takeEarlyReleases()``.
struct Backfill: Sendable {
    private struct Tape: Sendable {
        /// The newest trade known.
        var newest: TradeMark?
        /// The first live trade of the present connection.
        var firstLive: TradeMark?
        /// What is missing.
        var gap: TapeGap?
        var isAsking = false
        /// Not before this time is the venue asked again.
        var askAt: Timestamp?
        /// Whether it is known what is stored; until then every trade waits.
        var isKnown: Bool
        var held: [QueuedTrade] = []

        var isHolding: Bool { !isKnown || gap != nil }
    }

    /// Trades that wait, of all instruments.
    private(set) var heldCount = 0
    private var tapes: [Tape] = []
    private var earlyReleases: [(index: InstrumentIndex, gap: TapeGap?)] = []
    /// How far a venue's time may lie ahead of ours: an hour, in nanoseconds.
    private static let aheadLimit: Int64 = 3_600_000_000_000
    private let isStoring: Bool
    /// Trades.
    private let heldLimit: Int

    /// - Parameters:
    ///   - isStoring: Whether trades are stored, so that there is something to wait for.
    ///   - heldLimit: Trades that may wait; past it they are stored out of order.
    init(isStoring: Bool, heldLimit: Int) {
        self.isStoring = isStoring
        self.heldLimit = heldLimit
    }

    /// Gaps that are not closed yet.
    var openCount: Int { tapes.count { $0.gap != nil } }

    /// Where each tape is whole up to, by index: what a feed that takes over begins with.
    var wholeUpTo: [TradeMark?] { tapes.map { $0.gap?.after ?? $0.newest } }

    /// Makes room for instruments.
    mutating func grow(to count: Int) {
        while tapes.count < count { tapes.append(Tape(isKnown: !isStoring)) }
    }

    // MARK: - Trades

    /// A trade: goes to `ready` when it may be stored now, else it waits.
    ///
    /// - Parameters:
    ///   - trade: The trade.
    ///   - index: Its instrument's place.
    ///   - isAnswer: Whether it was asked for, to close the gap.
    ///   - ready: Gets what may be stored.
    mutating func take(
        _ trade: QueuedTrade, of index: InstrumentIndex, isAnswer: Bool, into ready: inout [QueuedTrade]
    ) {
        if isAnswer {
            ready.append(trade)
            return
        }
        if !trade.trade.isBackfill {
            meet(live: trade.mark, receivedTime: trade.trade.receivedTime, index.offset)
        }
        guard isStoring, tapes[index.offset].isHolding else {
            ready.append(trade)
            return
        }
        tapes[index.offset].held.append(trade)
        heldCount += 1
        if heldCount > heldLimit { releaseAll(into: &ready) }
    }

    /// Lets the trades go that wait for nothing any more.
    mutating func release(_ index: InstrumentIndex, into ready: inout [QueuedTrade]) {
        guard !tapes[index.offset].isHolding else { return }
        release(index.offset, into: &ready)
    }

    private mutating func meet(live mark: TradeMark, receivedTime: Timestamp, _ offset: Int) {
        // A time that lies far ahead is the venue's mistake: everything else would be older than it.
        guard mark.venueTime.nanoseconds(since: receivedTime) <= Backfill.aheadLimit else { return }
        if tapes[offset].firstLive == nil {
            tapes[offset].firstLive = mark
            tapes[offset].gap?.meet(live: mark)
        }
        if let known = tapes[offset].newest, known.venueTime > mark.venueTime { return }
        tapes[offset].newest = mark
    }

    private mutating func releaseAll(into ready: inout [QueuedTrade]) {
        for offset in tapes.indices where !tapes[offset].held.isEmpty {
            release(offset, into: &ready)
            earlyReleases.append(
                (InstrumentIndex(rawValue: Int32(truncatingIfNeeded: offset)), tapes[offset].gap))
        }
    }

    /// Instruments whose trades could not wait any longer since the last call, each with what is missing
    /// before them.
    mutating func takeEarlyReleases() -> [(index: InstrumentIndex, gap: TapeGap?)] {
        defer { earlyReleases.removeAll() }
        return earlyReleases
    }

    private mutating func release(_ offset: Int, into ready: inout [QueuedTrade]) {
        heldCount -= tapes[offset].held.count
        ready.append(contentsOf: tapes[offset].held)
        tapes[offset].held.removeAll()
    }

    // MARK: - Gaps

    /// It is known now what is stored: the newest trade, or nothing.
    mutating func know(stored mark: TradeMark?, of index: InstrumentIndex) {
        let offset = index.offset
        tapes[offset].isKnown = true
        guard let mark else { return }
        open(offset, after: mark, until: tapes[offset].firstLive)
        if tapes[offset].newest == nil { tapes[offset].newest = mark }
    }

    /// The same of an instrument that is followed from now on, if it is not known already.
    mutating func learn(stored mark: TradeMark?, of index: InstrumentIndex) {
        if !tapes[index.offset].isKnown { know(stored: mark, of: index) }
    }

    /// Another feed has had the tape meanwhile: it is whole up to where that one says, if that is newer.
    mutating func followed(elsewhere mark: TradeMark?, _ index: InstrumentIndex) {
        guard let mark, let newest = tapes[index.offset].newest, newest.venueTime < mark.venueTime else {
            return
        }
        tapes[index.offset].newest = mark
    }

    /// The connection is new: what happened since the newest known trade is missing.
    mutating func reconnected(_ index: InstrumentIndex) {
        tapes[index.offset].firstLive = nil
        if let mark = tapes[index.offset].newest { open(index.offset, after: mark, until: nil) }
    }

    /// Everything after this trade was refused by the way to PostgreSQL.
    mutating func refused(after mark: TradeMark, of index: InstrumentIndex) {
        open(index.offset, after: mark, until: nil)
    }

    private mutating func open(_ offset: Int, after mark: TradeMark, until end: TradeMark?) {
        if tapes[offset].gap == nil {
            tapes[offset].gap = TapeGap(after: mark, until: end)
        } else {
            tapes[offset].gap?.widen(to: mark, until: end)
        }
    }

    /// Gaps that the venue is to be asked about now; they count as asked from here on.
    mutating func takeDue(at now: Timestamp) -> [(index: InstrumentIndex, after: TradeMark)] {
        var due: [(index: InstrumentIndex, after: TradeMark)] = []
        for offset in tapes.indices where !tapes[offset].isAsking {
            guard let gap = tapes[offset].gap, tapes[offset].askAt.map({ $0 <= now }) ?? true else {
                continue
            }
            tapes[offset].isAsking = true
            tapes[offset].askAt = nil
            tapes[offset].gap?.asked()
            due.append((InstrumentIndex(rawValue: Int32(truncatingIfNeeded: offset)), gap.after))
        }
        return due
    }

    /// What of a gap an answer leaves without proof, once; called before the answer is taken in.
    mutating func unproven(
        _ index: InstrumentIndex, _ trades: [TradeMark], at now: Timestamp
    ) -> TapeGap? {
        tapes[index.offset].gap?.unproven(trades, at: now)
    }

    /// Takes in a page of trades; a gap that is not closed is due again.
    mutating func answered(_ index: InstrumentIndex, newest mark: TradeMark?) -> TapeGap.Step {
        tapes[index.offset].isAsking = false
        guard let step = tapes[index.offset].gap?.answered(newest: mark) else { return .done }
        switch step {
        case .done, .tooLong: tapes[index.offset].gap = nil
        case .ask: break
        }
        return step
    }

    /// Nobody answered: the venue is asked again at a time.
    mutating func failed(_ index: InstrumentIndex, askAgainAt time: Timestamp) {
        tapes[index.offset].isAsking = false
        tapes[index.offset].askAt = time
    }

    /// Gives a gap up that nobody can close, and returns it.
    mutating func giveUp(_ index: InstrumentIndex) -> TapeGap? {
        tapes[index.offset].isAsking = false
        defer { tapes[index.offset].gap = nil }
        return tapes[index.offset].gap
    }
}
