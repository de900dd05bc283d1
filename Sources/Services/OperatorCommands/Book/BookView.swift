import Instruments
import MarketData

/// How well we are connected to what we show, in the words that a person sees.
enum ConnectionWord: String, Sendable, Hashable {
    /// What is shown is what the venue has.
    case live
    /// On the way there.
    case connecting
    /// The bus or the venue cannot be reached.
    case offline
    /// It was right and may not be any more.
    case stale
    /// Something contradicts what is shown.
    case error

    /// Reads a book's state as a connection.
    init(_ state: BookState, _ reason: BookStateReason) {
        switch (state, reason) {
        case (.live, _): self = .live
        case (_, .disconnected), (_, .busSilent): self = .offline
        case (.syncing, .unsubscribed): self = .stale
        case (.stale, _): self = .stale
        case (.syncing, .connecting), (.syncing, .snapshotPending), (.syncing, .snapshotReplaced),
            (.syncing, .busGap):
            self = .connecting
        case (.suspect, _), (.syncing, _): self = .error
        }
    }

    var style: TextStyle {
        switch self {
        case .live: .good
        case .connecting, .stale: .warning
        case .offline, .error: .bad
        }
    }
}

/// Which part of a book is wanted.
struct BookRange: Sendable, Hashable {
    /// Levels a side, at least 1.
    var depth: Int
    /// Percent of the middle price to either side; `nil` for no limit.
    var within: DecimalNumber?

    /// The wanted levels of both sides, best first.
    func levels(of book: Book) -> (bids: [BookLevel], asks: [BookLevel]) {
        let top = book.top(depth)
        guard let within, let middle = BookRange.doubledMiddle(book) else { return top }
        let whole = Int128(100) * Int128(within.scale.power)
        let (low, high) = (middle * (whole - Int128(within.units)), middle * (whole + Int128(within.units)))
        return (
            top.bids.filter { Int128($0.price.rawValue) * 2 * whole >= low },
            top.asks.filter { Int128($0.price.rawValue) * 2 * whole <= high }
        )
    }

    /// Twice the middle price, so that it is whole; a side alone stands for both.
    private static func doubledMiddle(_ book: Book) -> Int128? {
        guard let some = book.bestBid ?? book.bestAsk else { return nil }
        return Int128((book.bestBid ?? some).price.rawValue) + Int128((book.bestAsk ?? some).price.rawValue)
    }
}

/// A book as it is to be shown at one moment.
struct BookView: Sendable {
    var instrument: InstrumentID
    var connection: ConnectionWord
    var state: BookState
    var reason: BookStateReason
    var detail: String
    var position: StreamPosition?
    var book: Book
    var range: BookRange
    /// When the last change was read from the venue; `nil` before the first.
    var receivedTime: Timestamp?
    var venueTime: Timestamp?
    /// The state for a person: of a book that nobody follows nothing is on its way.
    var word: String { state == .syncing && reason.isUnlisted ? "unlisted" : state.name }

    /// Shows what a replica holds.
    init(
        _ replica: BookReplica, of instrument: InstrumentID, range: BookRange,
        connection: ConnectionWord? = nil
    ) {
        self.instrument = instrument
        self.range = range
        state = replica.state
        reason = replica.reason
        detail = replica.detail
        position = replica.position
        book = replica.book
        receivedTime = replica.receivedTime == .zero ? nil : replica.receivedTime
        venueTime = replica.venueTime
        self.connection = connection ?? ConnectionWord(replica.state, replica.reason)
    }
}
