public import Instruments

/// One market as its venue tells of it among all of its markets, without anybody following its book or tape.
///
/// Nothing proves it: what is told from it is of origin ``PriceOrigin/ticker``. What the venue leaves out, or
/// says as nothing at all, is `nil`.
public struct MarketTicker: Hashable, Sendable {
    /// In the spelling of the venue's instruments.
    public var symbol: String
    /// Price of the last trade, above zero.
    public var last: DecimalNumber
    /// Highest bid.
    public var bid: DecimalNumber?
    /// Lowest ask.
    public var ask: DecimalNumber?
    /// The price 24 hours ago.
    public var open: DecimalNumber?
    /// Highest price of 24 hours.
    public var high: DecimalNumber?
    /// Lowest price of 24 hours.
    public var low: DecimalNumber?
    /// Volume of 24 hours in the base asset.
    public var baseVolume: Amount?
    /// The same in the quote asset.
    public var quoteVolume: Amount?
    /// Percent that `last` is above `open`, where the venue says it and not `open`.
    public var changePercent: DecimalNumber?
    /// By the venue; `nil` where it gives none.
    public var venueTime: Timestamp?

    public init(symbol: String, last: DecimalNumber) {
        self.symbol = symbol
        self.last = last
    }
}

/// Some markets of a venue, always the same ones together, as they are told at once.
///
/// A venue has thousands of markets and most of them change each second: a message for each would cost every
/// hop as much as the market data of the books that are followed. A part is a few hundred of them in one
/// message, whole: the newest one of a part says all of it, so the bus retains it as any state, and whoever
/// missed one needs no other. Where a market was put it stays, so that a part of quiet markets is not told.
public struct MarketTickerPart: Hashable, Sendable {
    public var venue: Venue
    /// Which of the venue's parts, from 0.
    public var number: Int
    /// How many parts the venue has now; those that are not below it are no more.
    public var count: Int
    /// When the venue was heard last, by the clock of who listens to it.
    public var receivedTime: Timestamp
    public var tickers: [MarketTicker]
    /// Why they are not of now; empty when they are.
    public var stale = ""

    public init(
        venue: Venue, number: Int, count: Int, receivedTime: Timestamp, tickers: [MarketTicker]
    ) {
        self.venue = venue
        self.number = number
        self.count = count
        self.receivedTime = receivedTime
        self.tickers = tickers
    }
}
