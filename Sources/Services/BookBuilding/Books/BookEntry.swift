import Instruments
import MarketData

/// One book of a ``BookSet`` with what was told of it.
struct BookEntry: Sendable {
    let id: InstrumentID
    var replica = BookReplica()
    /// Which producer's life the book follows.
    var follows: (producer: Int, epoch: UInt64)?
    /// The top as last told.
    private(set) var told: PublishedTop?
    /// Changed since the last whole book was told.
    var isChanged = false
    /// Changed since its depth was looked at.
    var isDepthChanged = false
    /// Somebody wants the whole book.
    var isWanted = false
    var toldWholeAt = Timestamp.zero
    /// Changed since the last whole book was stored.
    var isUnstored = false
    var changedAt = Timestamp.zero
    /// When to ask the broker again, while the book waits for a snapshot.
    var askAt: Timestamp?
    private var askDelay = BookEntry.firstDelay
    /// Since when the book has not been live; `nil` for a live one.
    var notLiveSince: Timestamp?

    /// What of a top makes it another one.
    struct PublishedTop: Hashable, Sendable {
        var state: BookState
        var reason: BookStateReason
        var priceScale: Scale
        var sizeScale: Scale
        var bid: BookLevel?
        var ask: BookLevel?
    }

    /// Nanoseconds.
    private static let firstDelay: Int64 = 1_000_000_000
    /// Nanoseconds.
    private static let longestDelay: Int64 = 15_000_000_000

    init(id: InstrumentID, at now: Timestamp) {
        self.id = id
        notLiveSince = now
    }

    /// The top, if it is another than the one last told.
    mutating func newTop() -> BookTop? {
        let now = PublishedTop(
            state: replica.state, reason: replica.reason, priceScale: replica.book.priceScale,
            sizeScale: replica.book.sizeScale, bid: replica.book.bestBid, ask: replica.book.bestAsk)
        guard now != told else { return nil }
        told = now
        return replica.top()
    }

    /// The book was asked for: the next time comes later each time.
    mutating func asked(at now: Timestamp) {
        askAt = now.adding(nanoseconds: askDelay)
        askDelay = min(askDelay * 2, Self.longestDelay)
    }

    /// The book is there: nothing is to be asked for.
    mutating func settled() {
        askAt = nil
        askDelay = Self.firstDelay
    }

    /// The minute of the last change, counted from 1970-01-01 UTC, by the venue's time where it gives one.
    var minute: Int64 { Self.minute(replica.venueTime ?? replica.receivedTime) }

    static func minute(_ time: Timestamp) -> Int64 {
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 60_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
