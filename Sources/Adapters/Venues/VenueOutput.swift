public import Instruments
public import MarketData

/// The best levels of a book after an event, with the level counts.
public struct BookSummary: Hashable, Sendable {
    /// The highest bid.
    public var bid: BookLevel?
    /// The lowest ask.
    public var ask: BookLevel?
    /// Levels on the bid side.
    public var bidCount: Int
    /// Levels on the ask side.
    public var askCount: Int

    @inlinable
    public init(_ book: borrowing Book) {
        bid = book.bestBid
        ask = book.bestAsk
        bidCount = book.bidCount
        askCount = book.askCount
    }
}

/// Changed or whole levels of one book; the levels lie in ``VenueOutput/levels``.
public struct BookEvent: Hashable, Sendable {
    public var instrument: InstrumentIndex
    /// True for a whole book: bids, then asks, each best first.
    ///
    /// False for changes in the venue's order.
    public var isSnapshot: Bool
    /// Where the levels lie.
    public var levels: Range<Int>
    /// Decimal places of the prices.
    public var priceScale: Scale
    /// Decimal places of the sizes.
    public var sizeScale: Scale
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When the message that completed it was read.
    public var receivedTime: Timestamp
    /// The book after the event.
    public var summary: BookSummary

    @inlinable
    public init(
        instrument: InstrumentIndex, isSnapshot: Bool, levels: Range<Int>, priceScale: Scale,
        sizeScale: Scale,
        venueTime: Timestamp?, receivedTime: Timestamp, summary: BookSummary
    ) {
        self.instrument = instrument
        self.isSnapshot = isSnapshot
        self.levels = levels
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.venueTime = venueTime
        self.receivedTime = receivedTime
        self.summary = summary
    }
}

/// Something that happened on a venue, in our terms.
public enum MarketEvent: Hashable, Sendable {
    /// A whole or changed book.
    ///
    /// Follows every change of a book that is `live` after it.
    case book(BookEvent)
    /// A book's state from here on.
    ///
    /// `syncing` empties it until the next whole book.
    case state(InstrumentIndex, BookStateChange)
    /// A public execution.
    case trade(InstrumentIndex, Trade)
    /// Best bid and ask as the venue says.
    case ticker(InstrumentIndex, Ticker)
    /// A derivative's mark price.
    case mark(InstrumentIndex, MarkPrice)
    /// All that is known of the state of a derivative, after a message that changed something of it.
    case derivative(InstrumentIndex, DerivativeTicker)
    /// A position that the venue closes.
    case liquidation(InstrumentIndex, Liquidation)
    /// A candle as the venue computes it.
    case candle(InstrumentIndex, VenueCandle)
    /// What the venue says of an instrument.
    case instrument(InstrumentIndex, Instrument)
}

/// Counts of what a session met; never reset by the session.
public struct VenueCounters: Hashable, Sendable {
    /// Messages of the venue, of all kinds.
    public var messages: UInt64 = 0
    /// Messages or answers that could not be read.
    public var malformed: UInt64 = 0
    /// Trades without a price or a size above zero, each time that one was met; left out.
    public var unusableTrades: UInt64 = 0
    /// Messages about symbols or channels that nobody asked for.
    public var unexpected: UInt64 = 0
    /// Checksums compared.
    public var checksums: UInt64 = 0
    public var checksumsRight: UInt64 = 0
    /// Sequence gaps found.
    public var gaps: UInt64 = 0
    /// Books thrown away and fetched again.
    public var resyncs: UInt64 = 0
    /// Changes that a snapshot already contained.
    public var staleDropped: UInt64 = 0
    /// Subscriptions that the venue refused.
    public var refused: UInt64 = 0

    public init() {}
}

/// A trade that was left out because its price or its size is not above zero.
public struct UnusableTrade: Hashable, Sendable {
    /// Whose trade it would have been.
    public var instrument: InstrumentIndex
    /// The venue's id; empty where it gives none.
    public var id: String
    /// As the venue says it.
    public var price: DecimalNumber
    /// As the venue says it.
    public var size: DecimalNumber
}

/// What a session says in answer to one call; reused, so that a call allocates nothing once it has grown.
public struct VenueOutput: Sendable {
    /// In the order in which they happened.
    public var events: [MarketEvent] = []
    /// The levels that book events point into.
    public var levels: [BookLevelChange] = []
    /// Instruments of the venue that nobody follows, as its list has them.
    public var listed: [Instrument] = []
    /// In the order in which they are to be done.
    public var actions: [VenueAction] = []
    /// Running counts over the life of this output.
    public var counters = VenueCounters()
    /// The kind and size of the latest malformed message, for a log line.
    public var latestMalformed: (kind: StaticString, bytes: Int)?
    /// The latest trade that was left out, for a log line.
    public var latestUnusable: UnusableTrade?

    public init() {}

    /// Forgets events, levels, lists and actions and keeps the counters and the memory.
    @inlinable
    public mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        levels.removeAll(keepingCapacity: true)
        actions.removeAll(keepingCapacity: true)
        // Thousands, once in a life: not worth keeping the room.
        if !listed.isEmpty { listed = [] }
        latestMalformed = nil
        if latestUnusable != nil { latestUnusable = nil }
    }

    mutating func malformed(_ kind: StaticString, bytes: Int) {
        counters.malformed &+= 1
        latestMalformed = (kind, bytes)
    }

    /// Whether a price and a size are those of an execution; a trade of others is counted and named.
    ///
    /// Such a row is left out alone: the message can be read, so its other rows stand, and no book is
    /// doubted.
    @inline(__always)
    mutating func accepts(
        _ price: DecimalNumber, _ size: DecimalNumber, of instrument: InstrumentIndex,
        id: @autoclosure () -> String?
    ) -> Bool {
        if price.units > 0, size.units > 0 { return true }
        counters.unusableTrades &+= 1
        latestUnusable = UnusableTrade(instrument: instrument, id: id() ?? "", price: price, size: size)
        return false
    }
}
