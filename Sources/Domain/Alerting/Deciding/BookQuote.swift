public import Instruments
public import MarketData

/// The best of a live book, with as many levels as imbalance rules look at.
public struct BookQuote: Sendable {
    /// The highest bid, `nil` when there is none.
    public var bid: BookLevel?
    /// The lowest ask, `nil` when there is none.
    public var ask: BookLevel?
    /// The best levels, best first; may be empty where ``AlertEngine/depth(of:)`` is 0.
    public var bids: [BookLevel]
    /// The best levels, best first; may be empty where ``AlertEngine/depth(of:)`` is 0.
    public var asks: [BookLevel]
    /// Decimal places of the prices.
    public var priceScale: Scale
    /// Decimal places of the sizes.
    public var sizeScale: Scale
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read it.
    public var receivedTime: Timestamp
    /// The number of the message; 0 outside a stream.
    public var sequence: UInt64

    public init(
        bid: BookLevel?, ask: BookLevel?, bids: [BookLevel] = [], asks: [BookLevel] = [], priceScale: Scale,
        sizeScale: Scale, venueTime: Timestamp?, receivedTime: Timestamp, sequence: UInt64 = 0
    ) {
        self.bid = bid
        self.ask = ask
        self.bids = bids
        self.asks = asks
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.venueTime = venueTime
        self.receivedTime = receivedTime
        self.sequence = sequence
    }
}

/// A candle that can change no more.
public struct ClosedCandle: Hashable, Sendable {
    /// Nanoseconds.
    public var interval: Int64
    /// The first instant that belongs to it.
    public var start: Timestamp
    /// The last price.
    public var close: Price
    /// Decimal places of the price.
    public var priceScale: Scale
    /// When it was known to be closed.
    public var receivedTime: Timestamp

    public init(interval: Int64, start: Timestamp, close: Price, priceScale: Scale, receivedTime: Timestamp) {
        self.interval = interval
        self.start = start
        self.close = close
        self.priceScale = priceScale
        self.receivedTime = receivedTime
    }
}

/// What is known of the values of a time that was missed: their extremes and the last.
public struct MissedRange: Hashable, Sendable {
    /// The highest value.
    public var high: Int64
    /// The lowest value.
    public var low: Int64
    /// The last value, between the two.
    public var close: Int64
    /// Decimal places of all three.
    public var scale: Scale
    /// The end of the time, which firings bear.
    public var until: Timestamp
    /// When it is evaluated; how late is the difference.
    public var found: Timestamp

    /// Describes what was missed.
    ///
    /// - Precondition: low <= close <= high.
    public init(high: Int64, low: Int64, close: Int64, scale: Scale, until: Timestamp, found: Timestamp) {
        precondition(low <= close && close <= high, "the last value lies between the extremes")
        self.high = high
        self.low = low
        self.close = close
        self.scale = scale
        self.until = until
        self.found = found
    }
}
