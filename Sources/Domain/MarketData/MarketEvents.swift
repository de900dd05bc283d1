public import Instruments

/// A public execution seen on the tape.
public struct Trade: Hashable, Sendable {
    /// The venue's id as text, or one derived from the trade itself, beginning with `~`, where the venue
    /// gives none.
    public var id: String
    /// Direction of the taker.
    public var side: Side
    /// At `priceScale`.
    public var price: Price
    /// At `sizeScale`.
    public var size: Quantity
    /// Decimal places of the price.
    public var priceScale: Scale
    /// Decimal places of the size.
    public var sizeScale: Scale
    /// When it happened, by the venue.
    public var venueTime: Timestamp
    /// When we read it.
    public var receivedTime: Timestamp
    /// Whether the id numbers aggregated trades.
    public var isAggregate: Bool
    /// Whether it happened before the subscription, sent again by the venue or fetched.
    public var isBackfill: Bool

    /// Whether the id was derived by us, because the venue gives none.
    public var hasDerivedID: Bool { id.utf8.first == 0x7E }

    /// Whether it has a price and a size above zero: without them nothing was executed.
    @inlinable @inline(__always) public var isExecution: Bool { price.rawValue > 0 && size.rawValue > 0 }

    @inlinable
    public init(
        id: String, side: Side, price: Price, size: Quantity, priceScale: Scale, sizeScale: Scale,
        venueTime: Timestamp, receivedTime: Timestamp, isAggregate: Bool = false, isBackfill: Bool = false
    ) {
        self.id = id
        self.side = side
        self.price = price
        self.size = size
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.venueTime = venueTime
        self.receivedTime = receivedTime
        self.isAggregate = isAggregate
        self.isBackfill = isBackfill
    }
}

/// Best bid and ask as the venue says them; a side that it leaves out is `nil`.
public struct Ticker: Hashable, Sendable {
    /// At `priceScale`.
    public var bidPrice: Price?
    /// At `sizeScale`.
    public var bidSize: Quantity?
    /// At `priceScale`.
    public var askPrice: Price?
    /// At `sizeScale`.
    public var askSize: Quantity?
    /// At `priceScale`.
    public var lastPrice: Price?
    /// Decimal places of the prices.
    public var priceScale: Scale
    /// Decimal places of the sizes.
    public var sizeScale: Scale
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read it.
    public var receivedTime: Timestamp
    /// The venue's number of the book update that it shows, `nil` where it gives none.
    public var updateID: Int64?

    @inlinable
    public init(
        bidPrice: Price? = nil, bidSize: Quantity? = nil, askPrice: Price? = nil, askSize: Quantity? = nil,
        lastPrice: Price? = nil, priceScale: Scale, sizeScale: Scale, venueTime: Timestamp? = nil,
        receivedTime: Timestamp, updateID: Int64? = nil
    ) {
        self.updateID = updateID
        self.bidPrice = bidPrice
        self.bidSize = bidSize
        self.askPrice = askPrice
        self.askSize = askSize
        self.lastPrice = lastPrice
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}

/// At what a venue values open positions of a derivative.
public struct MarkPrice: Hashable, Sendable {
    /// Exact; venues compute it to more places than they trade at.
    public var price: DecimalNumber
    public var venueTime: Timestamp
    /// When we read it.
    public var receivedTime: Timestamp

    public init(price: DecimalNumber, venueTime: Timestamp, receivedTime: Timestamp) {
        self.price = price
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}

/// A candle as the venue computes it.
public struct VenueCandle: Hashable, Sendable {
    /// The venue's name of the interval, such as `1m`.
    public var interval: String
    /// The first instant that belongs to it.
    public var start: Timestamp
    /// The venue's own end, often one millisecond before the next start.
    public var stop: Timestamp
    /// First price.
    public var open: Price
    /// Highest price.
    public var high: Price
    /// Lowest price.
    public var low: Price
    /// Last price.
    public var close: Price
    /// Base volume, at `sizeScale`.
    public var volume: Quantity
    /// Number of trades.
    public var tradeCount: UInt64
    /// Whether the venue says that it is final.
    public var isClosed: Bool
    /// Decimal places of the prices.
    public var priceScale: Scale
    /// Decimal places of the volume.
    public var sizeScale: Scale
    /// When the venue said it.
    public var venueTime: Timestamp
    /// When we read it.
    public var receivedTime: Timestamp

    public init(
        interval: String, start: Timestamp, stop: Timestamp, open: Price, high: Price, low: Price,
        close: Price,
        volume: Quantity, tradeCount: UInt64, isClosed: Bool, priceScale: Scale, sizeScale: Scale,
        venueTime: Timestamp, receivedTime: Timestamp
    ) {
        self.interval = interval
        self.start = start
        self.stop = stop
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
        self.tradeCount = tradeCount
        self.isClosed = isClosed
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}
