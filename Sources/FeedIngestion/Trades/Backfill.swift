import Instruments
import Venues

/// Which trades of one instrument are missing, and how far fetching them has come.
///
/// It decides when to ask the venue for more. A gap begins after a trade that is kept and ends at the first
/// live one after it; it is fetched page by page, each page after the newest trade of the last.
struct TapeGap: Sendable, Hashable {
    /// What to do after an answer.
    enum Step: Hashable, Sendable {
        /// The gap is closed.
        case done
        /// Ask for what follows this trade.
        case ask(after: TradeMark)
        /// There are more pages than are believed: the rest is a hole.
        case tooLong(after: TradeMark)
    }

    /// Pages of one gap at most: 100 pages of 1,000 trades are a busy instrument's hour.
    static let maximumPages = 100

    /// The last trade before what is missing.
    private(set) var after: TradeMark
    /// The first live trade after it, once there is one.
    private(set) var until: TradeMark?
    private var pages = 0

    init(after: TradeMark, until: TradeMark? = nil) {
        self.after = after
        self.until = until
    }

    /// A live trade arrived: the gap ends there at the latest.
    mutating func meet(live mark: TradeMark) {
        if until == nil { until = mark }
    }

    /// An older place to begin at, as after trades were given up.
    mutating func widen(to mark: TradeMark) {
        if mark.venueTime < after.venueTime { after = mark }
    }

    /// Takes in a page by its newest trade, `nil` for an empty page.
    mutating func answered(newest: TradeMark?) -> Step {
        pages += 1
        // A page that brings nothing new is the last: routes begin with the trade that was named.
        guard let newest, newest.venueTime >= after.venueTime, newest != after else { return .done }
        if let until, newest.venueTime > until.venueTime || newest.id == until.id { return .done }
        after = newest
        return pages >= TapeGap.maximumPages ? .tooLong(after: newest) : .ask(after: newest)
    }
}

/// The tapes of one feed: where each stands, and which gaps are being closed.
struct Backfill: Sendable {
    /// The newest trade known of each instrument, by index.
    private(set) var newest: [TradeMark?] = []
    /// The first live trade of the present connection, by index.
    private var firstLive: [TradeMark?] = []
    private var gaps: [TapeGap?] = []
    private var isAsking: [Bool] = []

    /// Gaps that are not closed yet.
    var openCount: Int { gaps.count { $0 != nil } }

    /// Makes room for instruments.
    mutating func grow(to count: Int) {
        while newest.count < count {
            newest.append(nil)
            firstLive.append(nil)
            gaps.append(nil)
            isAsking.append(false)
        }
    }

    /// A live trade.
    @inline(__always)
    mutating func meet(live mark: TradeMark, _ index: InstrumentIndex) {
        if firstLive[index.offset] == nil {
            firstLive[index.offset] = mark
            gaps[index.offset]?.meet(live: mark)
        }
        if let known = newest[index.offset], known.venueTime > mark.venueTime { return }
        newest[index.offset] = mark
    }

    /// Opens a gap from a stored trade to the first live one, or makes an open gap longer.
    mutating func open(_ index: InstrumentIndex, after mark: TradeMark) {
        open(index, after: mark, until: firstLive[index.offset])
        if newest[index.offset] == nil { newest[index.offset] = mark }
    }

    /// Opens a gap between a trade and the newest known one, as where trades were given up.
    mutating func reopen(_ index: InstrumentIndex, after mark: TradeMark) {
        open(index, after: mark, until: newest[index.offset])
    }

    /// The connection is new: what happened since the newest known trade is missing.
    mutating func reconnected(_ index: InstrumentIndex) {
        firstLive[index.offset] = nil
        if let mark = newest[index.offset] { open(index, after: mark, until: nil) }
    }

    private mutating func open(_ index: InstrumentIndex, after mark: TradeMark, until end: TradeMark?) {
        if gaps[index.offset] == nil {
            gaps[index.offset] = TapeGap(after: mark, until: end)
        } else {
            gaps[index.offset]?.widen(to: mark)
        }
    }

    /// Gaps that nobody is asking about; they count as asked from here on.
    mutating func takeDue() -> [(index: InstrumentIndex, after: TradeMark)] {
        var due: [(index: InstrumentIndex, after: TradeMark)] = []
        for offset in gaps.indices where !isAsking[offset] {
            guard let gap = gaps[offset] else { continue }
            isAsking[offset] = true
            due.append((InstrumentIndex(rawValue: Int32(truncatingIfNeeded: offset)), gap.after))
        }
        return due
    }

    /// Takes in a page of trades; a gap that is not closed is due again.
    mutating func answered(_ index: InstrumentIndex, newest mark: TradeMark?) -> TapeGap.Step {
        isAsking[index.offset] = false
        guard let step = gaps[index.offset]?.answered(newest: mark) else { return .done }
        switch step {
        case .done, .tooLong: gaps[index.offset] = nil
        case .ask: break
        }
        return step
    }

    /// Gives a gap up that nobody can close, and returns where it began.
    mutating func giveUp(_ index: InstrumentIndex) -> TradeMark? {
        isAsking[index.offset] = false
        let mark = gaps[index.offset]?.after
        gaps[index.offset] = nil
        return mark
    }
}
