public import Instruments

/// A place in the delta stream of one book: who published it, in which life, and the number of the message.
public struct StreamPosition: Hashable, Sendable, CustomStringConvertible {
    /// The publisher's name.
    public var producer: String
    /// When that publisher started, in nanoseconds since 1970-01-01 UTC; a later start is greater.
    public var epoch: UInt64
    /// Rises by one per message from 1.
    public var sequence: UInt64

    public init(producer: String, epoch: UInt64, sequence: UInt64) {
        self.producer = producer
        self.epoch = epoch
        self.sequence = sequence
    }

    /// `producer/epoch/sequence`.
    public var description: String { "\(producer)/\(epoch)/\(sequence)" }
}

/// Changed levels of one book, all from one message of the venue.
public struct BookDelta: Hashable, Sendable {
    /// Decimal places of all prices.
    public var priceScale: Scale
    /// Decimal places of all sizes.
    public var sizeScale: Scale
    /// In the venue's order; sizes are absolute, 0 removes.
    public var changes: [BookLevelChange]
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read it.
    public var receivedTime: Timestamp

    public init(
        priceScale: Scale, sizeScale: Scale, changes: [BookLevelChange], venueTime: Timestamp?,
        receivedTime: Timestamp
    ) {
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.changes = changes
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}

/// The state of a book from here on.
///
/// `syncing` empties the book until a snapshot continues from this message.
public struct BookStateChange: Hashable, Sendable {
    /// The new state.
    public var state: BookState
    public var reason: BookStateReason
    /// Words for a person.
    public var detail: String
    /// When we found out.
    public var receivedTime: Timestamp

    /// Describes a change of state.
    public init(state: BookState, reason: BookStateReason, detail: String = "", receivedTime: Timestamp) {
        self.state = state
        self.reason = reason
        self.detail = detail
        self.receivedTime = receivedTime
    }
}

/// A whole book with its state.
public struct BookSnapshot: Hashable, Sendable {
    /// The state that the levels are in.
    public var state: BookState
    public var reason: BookStateReason
    /// Words for a person.
    public var detail: String
    /// Decimal places of all prices.
    public var priceScale: Scale
    /// Decimal places of all sizes.
    public var sizeScale: Scale
    /// Best first.
    public var bids: [BookLevel]
    /// Best first.
    public var asks: [BookLevel]
    /// The last message of the delta stream that the levels contain; `nil` outside a stream.
    public var continues: StreamPosition?
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read what last changed it.
    public var receivedTime: Timestamp

    public init(
        state: BookState, reason: BookStateReason, detail: String = "", priceScale: Scale, sizeScale: Scale,
        bids: [BookLevel], asks: [BookLevel], continues: StreamPosition?, venueTime: Timestamp?,
        receivedTime: Timestamp
    ) {
        self.state = state
        self.reason = reason
        self.detail = detail
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.bids = bids
        self.asks = asks
        self.continues = continues
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}

/// The best bid and ask of a book with its state.
public struct BookTop: Hashable, Sendable {
    /// The state that the levels are in.
    public var state: BookState
    public var reason: BookStateReason
    /// Decimal places of both prices.
    public var priceScale: Scale
    /// Decimal places of both sizes.
    public var sizeScale: Scale
    /// The highest bid, `nil` when there is none.
    public var bid: BookLevel?
    /// The lowest ask, `nil` when there is none.
    public var ask: BookLevel?
    /// The message of the delta stream that it was read at.
    public var at: StreamPosition?
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read what last changed the book.
    public var receivedTime: Timestamp

    public init(
        state: BookState, reason: BookStateReason, priceScale: Scale, sizeScale: Scale, bid: BookLevel?,
        ask: BookLevel?, at: StreamPosition?, venueTime: Timestamp?, receivedTime: Timestamp
    ) {
        self.state = state
        self.reason = reason
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.bid = bid
        self.ask = ask
        self.at = at
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}
