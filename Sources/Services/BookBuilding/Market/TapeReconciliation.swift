import Instruments
import MarketData
import Wire

/// Whether what was made of one instrument's live trades is what PostgreSQL has.
///
/// PostgreSQL is the truth, live trades are a forecast of it. A trade is pending from when it came until the
/// feed says that it is stored. The feed stores in the order of arrival and says after each batch how many
/// rows were new and which was the last by venue time: that many pending trades must end with that one. If
/// they do not, or if anything was missed, the tape must be read.
///
/// A reading is what was stored at one instant. It settles all pending trades that it holds; those that it
/// does not hold stay pending, unless a trade that came later and is not earlier by venue time is stored:
/// then the feed never stored them. Marks that came during a reading are judged after it, and those of
/// batches that it held already are passed over.
struct TapeReconciliation: Sendable {
    /// What a mark means.
    enum Verdict: Hashable, Sendable {
        /// It confirms what we have.
        case agreed
        /// It says nothing about what we have.
        case ignored
        /// Something is missing or too much: the tape must be read.
        case disagreed
        /// A reading is under way: it is judged after it.
        case postponed
    }

    struct Identity: Hashable, Sendable {
        let id: String
        let isAggregate: Bool

        init(_ trade: Trade) { (id, isAggregate) = (trade.id, trade.isAggregate) }
    }

    /// Trades that came and are not known to be stored, in the order of arrival.
    private(set) var pending: [Trade] = []
    /// The number of each of them, in the order of arrival.
    private var numbers: [UInt64] = []
    private var next: UInt64 = 0
    /// The number of the last arrival that is known to be stored; 0 for none.
    private var confirmed: UInt64 = 0
    /// Whether the tape must be read.
    private(set) var needsReading = false
    /// Whether a reading is under way.
    private(set) var isReading = false
    /// Pending trades up to this number were passed over, or said before the feed started again: they may
    /// never be stored, and count with no later ones.
    private var strays: UInt64 = 0
    /// The last trade that a mark confirmed.
    private var last: (id: String, time: Timestamp)?
    /// Something came that could not be taken in: the next mark of new rows cannot agree.
    private var isDirty = false
    /// Trades that came and may not be stored are no longer known.
    private var hasForgotten = false
    /// Ids of trades that the last reading held, until a mark after it is met.
    private var settled: Set<String> = []
    private var marks: [TradesStored] = []
    let limit: Int

    private static let markLimit = 1_024

    /// - Parameter limit: Pending trades at the most.
    init(limit: Int) { self.limit = limit }

    /// A trade came and is part of what we have, or will be with the reading under way.
    mutating func accept(_ trade: Trade) {
        if pending.count >= limit {
            // What was let go is read again when it is stored.
            pending.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            isDirty = true
            hasForgotten = true
        }
        next += 1
        pending.append(trade)
        numbers.append(next)
    }

    /// A trade came and could not be taken in, or not wholly.
    mutating func miss() { isDirty = true }

    /// Messages were lost, or what is stored may be something else.
    mutating func doubt() { needsReading = true }

    /// The feed started again: it may have lost what it said and did not store.
    mutating func suspect() {
        strays = next
        needsReading = true
    }

    /// The feed stored a batch.
    mutating func mark(_ mark: TradesStored) -> Verdict {
        if isReading {
            if marks.count < Self.markLimit { marks.append(mark) } else { isDirty = true }
            return .postponed
        }
        let verdict = judge(mark)
        if verdict == .disagreed { needsReading = true }
        return verdict
    }

    private mutating func judge(_ mark: TradesStored) -> Verdict {
        if settled.contains(mark.lastTradeID) { return .ignored }
        if mark.inserted == 0 {
            // The rows of a batch whose first attempt had been stored after all are not new, and we may lack
            // them.
            let isKnown = last.map { $0 == (mark.lastTradeID, mark.lastVenueTime) } ?? false
            return isKnown ? .ignored : .disagreed
        }
        guard !isDirty, let run = run(of: mark) else { return .disagreed }
        let (first, last) = (run.lowerBound, run.upperBound)
        if first > 0 { strays = max(strays, numbers[first - 1]) }
        confirmed = max(confirmed, numbers[last])
        self.last = (mark.lastTradeID, mark.lastVenueTime)
        pending.removeSubrange(first...last)
        numbers.removeSubrange(first...last)
        settled.removeAll(keepingCapacity: false)
        return .agreed
    }

    /// The pending trades that a batch was: so many in the order of arrival, of which the mark's is the last
    /// by venue time.
    ///
    /// They are the first ones, or, where others are held back, those that end with it.
    private func run(of mark: TradesStored) -> ClosedRange<Int>? {
        guard let place = place(of: mark), mark.inserted <= UInt64(pending.count) else { return nil }
        let count = Int(mark.inserted)
        for first in [0, place + 1 - count] where first >= 0 && (first..<first + count).contains(place) {
            let run = first...first + count - 1
            let isLast = run.allSatisfy { index in
                let time = pending[index].venueTime
                return index > place ? time < mark.lastVenueTime : time <= mark.lastVenueTime
            }
            let isMixed = numbers[first] <= strays && numbers[run.upperBound] > strays
            if isLast, !isMixed { return run }
        }
        return nil
    }

    private func place(of mark: TradesStored) -> Int? {
        pending.firstIndex { $0.venueTime == mark.lastVenueTime && $0.id == mark.lastTradeID }
    }

    /// A reading begins: what comes from here on is judged after it.
    mutating func beginReading() {
        isReading = true
        needsReading = false
    }

    /// The reading could not be had.
    mutating func abandonReading() {
        isReading = false
        needsReading = true
        marks.removeAll()
    }

    /// Takes a reading in; ``resume()`` must follow.
    ///
    /// - Parameters:
    ///   - trades: The newest stored ones, all from an instant on.
    ///   - newest: Venue time of the newest stored trade.
    /// - Returns: How many pending trades the feed never stored: they were forgotten.
    mutating func settle(_ trades: [Trade], newest: Timestamp?) -> Int {
        isReading = false
        isDirty = false
        hasForgotten = false
        let stored = Set(trades.map(Identity.init))
        if let last = pending.lastIndex(where: { stored.contains(Identity($0)) }) {
            confirmed = max(confirmed, numbers[last])
        }
        var kept: [Trade] = []
        var keptNumbers: [UInt64] = []
        var lost = 0
        // What the feed said twice is the same trade.
        var seen = stored
        for (trade, number) in zip(pending, numbers) where seen.insert(Identity(trade)).inserted {
            if let newest, number < confirmed, trade.venueTime <= newest {
                lost += 1
            } else {
                kept.append(trade)
                keptNumbers.append(number)
            }
        }
        (pending, numbers) = (kept, keptNumbers)
        settled = Set(trades.lazy.map(\.id))
        return lost
    }

    /// Judges the marks that came during the reading, after the pending trades were taken in.
    mutating func resume() {
        let waiting = marks
        marks.removeAll()
        for mark in waiting where judge(mark) == .disagreed { needsReading = true }
    }

    /// Keeps those pending trades that could be taken in, by their order; the others are missed.
    mutating func keep(_ flags: [Bool]) {
        if flags.contains(false) { isDirty = true }
        pending = zip(pending, flags).filter(\.1).map(\.0)
        numbers = zip(numbers, flags).filter(\.1).map(\.0)
    }

    /// Whether it is known which of the trades that came are stored.
    var isCertain: Bool { !isReading && !needsReading && !hasForgotten }

    /// Venue time of the earliest trade that is not known to be stored.
    var firstPending: Timestamp? { pending.lazy.map(\.venueTime).min() }
}
