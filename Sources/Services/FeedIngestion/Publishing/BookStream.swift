import Instruments
import MarketData
import Venues

/// What the bus has been told of one book, and what it must be told before the next thing can be true.
///
/// It decides one thing: which messages keep every follower from reading a wrong book. A whole book always
/// comes after a message of the delta topic that emptied the old one, so that nobody goes on applying deltas
/// to it.
struct BookStream: Sendable, Hashable {
    /// As last told.
    private(set) var state = BookState.syncing
    /// As last told.
    private(set) var reason = BookStateReason.connecting
    /// As last told.
    private(set) var detail = ""
    /// The venue's time of the last change.
    private(set) var venueTime: Timestamp?
    /// When the last change was read.
    private(set) var receivedTime = Timestamp.zero
    /// Messages of the delta topic since the last snapshot.
    private(set) var messagesSinceSnapshot = 0
    /// Whether followers need a snapshot that they have not been sent.
    private(set) var owesSnapshot = false
    /// Whether the last message of the delta topic emptied the book and no whole one followed.
    private(set) var isEmptied = false

    /// A state was told.
    mutating func apply(_ change: BookStateChange) {
        state = change.state
        reason = change.reason
        detail = change.detail
        receivedTime = change.receivedTime
        isEmptied = change.state == .syncing
        messagesSinceSnapshot += 1
    }

    /// Changed levels were told.
    @inline(__always)
    mutating func tellDelta(venueTime time: Timestamp?, receivedTime received: Timestamp) {
        if let time { venueTime = time }
        receivedTime = received
        isEmptied = false
        messagesSinceSnapshot += 1
    }

    /// What must be told before a whole book; `nil` when the old one has been emptied already.
    func emptying(at time: Timestamp) -> BookStateChange? {
        isEmptied ? nil : BookStateChange(state: .syncing, reason: .snapshotReplaced, receivedTime: time)
    }

    /// A whole book is being told: it is proven, unless it is crossed.
    mutating func tellWhole(isCrossed: Bool, venueTime time: Timestamp?, receivedTime received: Timestamp) {
        state = isCrossed ? .suspect : .live
        reason = isCrossed ? .crossed : .verified
        detail = ""
        venueTime = time
        receivedTime = received
        isEmptied = false
        snapshotWasSent()
    }

    /// Somebody needs a snapshot.
    mutating func wantSnapshot() { owesSnapshot = true }

    /// A snapshot was told.
    mutating func snapshotWasSent() {
        owesSnapshot = false
        messagesSinceSnapshot = 0
    }

    /// The book as it is now, for those who missed how it came about.
    func snapshot(of book: Book, continues position: StreamPosition) -> BookSnapshot {
        let isEmpty = state == .syncing
        return BookSnapshot(
            state: state, reason: reason, detail: detail, priceScale: book.priceScale,
            sizeScale: book.sizeScale,
            bids: isEmpty ? [] : book.bids.top(.max), asks: isEmpty ? [] : book.asks.top(.max),
            continues: position,
            venueTime: venueTime, receivedTime: receivedTime)
    }
}
