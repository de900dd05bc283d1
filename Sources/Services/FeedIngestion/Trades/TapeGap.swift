import Instruments
import Venues

/// What is missing of one instrument's tape, and how far fetching it has come.
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
        /// There are more pages than are believed: what is left of the gap is a hole.
        case tooLong(TapeGap)
    }

    /// Pages of one gap at most: 100 pages of 1,000 trades are a busy instrument's hour.
    static let maximumPages = 100

    /// The last trade before what is missing.
    private(set) var after: TradeMark
    /// The first live trade after it, once there is one.
    private(set) var until: TradeMark?
    private var pages = 0
    /// Whether it grew since the venue was asked, so that the answer says nothing of its end.
    private var hasGrown = false
    /// Whether the first answer was judged.
    private var isJudged = false
    /// Nanoseconds without a trade that an answer may claim without showing the trade before them.
    static let believedSilence: Int64 = 60_000_000_000

    init(after: TradeMark, until: TradeMark? = nil) {
        self.after = after
        self.until = until
    }

    /// A live trade arrived: the gap ends there at the latest.
    mutating func meet(live mark: TradeMark) {
        if until == nil { until = mark }
    }

    /// More is missing: it begins here at the latest, and ends where `end` says.
    ///
    /// - Parameters:
    ///   - mark: Where it begins, if that is older.
    ///   - end: The first live trade after it; `nil` when it is still to come or nobody knows it.
    mutating func widen(to mark: TradeMark, until end: TradeMark?) {
        if mark.venueTime < after.venueTime {
            after = mark
            isJudged = false
        }
        until = end
        hasGrown = true
    }

    /// The venue is asked now for what follows ``after``.
    mutating func asked() { hasGrown = false }

    /// Judges the first answer.
    ///
    /// The routes begin with the trade that was named, so an answer with that trade proves that nothing lies
    /// between it and the next one. An empty answer, or one that begins much later, proves nothing: the venue
    /// has forgotten the trade, or is another one than before, as a market that began anew. Of a short
    /// silence it is believed all the same.
    ///
    /// - Parameters:
    ///   - trades: Those of the answer.
    ///   - now: The time of day.
    /// - Returns: What of the gap it leaves without proof; `nil` where nothing is.
    mutating func unproven(_ trades: [TradeMark], at now: Timestamp) -> TapeGap? {
        guard !isJudged, !hasGrown else { return nil }
        isJudged = true
        let first = trades.filter { $0.venueTime >= after.venueTime }.min { $0.venueTime < $1.venueTime }
        let end = first?.venueTime ?? until?.venueTime ?? now
        guard end.nanoseconds(since: after.venueTime) > Self.believedSilence else { return nil }
        return TapeGap(after: after, until: first ?? until)
    }

    /// Takes in a page by its newest trade, `nil` for an empty page.
    mutating func answered(newest: TradeMark?) -> Step {
        pages += 1
        if hasGrown { return .ask(after: after) }
        // A page that brings nothing new is the last: routes begin with the trade that was named.
        guard let newest, newest.venueTime >= after.venueTime, newest != after else { return .done }
        if let until, newest.venueTime > until.venueTime || newest.id == until.id { return .done }
        after = newest
        return pages >= TapeGap.maximumPages ? .tooLong(self) : .ask(after: newest)
    }
}
