public import Instruments
public import MarketData

/// Two assets of which one is priced in the other, written `BTC-USD`.
public struct AssetPair: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// What is priced.
    public let base: Asset
    /// What the price is in.
    public let quote: Asset

    /// Joins two assets.
    public init(base: Asset, quote: Asset) {
        self.base = base
        self.quote = quote
    }

    /// `base-quote`.
    public var description: String { "\(base)-\(quote)" }

    /// Orders by base, then by quote.
    public static func < (left: AssetPair, right: AssetPair) -> Bool {
        (left.base.rawValue, left.quote.rawValue) < (right.base.rawValue, right.quote.rawValue)
    }
}

/// What is known of a market that may be part of an index.
public struct IndexQuote: Hashable, Sendable {
    /// The market's price in its own quote asset, the middle of its book; `nil` without one.
    public var price: DecimalNumber?
    /// Its volume of 24 hours in the base asset; `nil` when unknown.
    public var volume: DecimalNumber?
    /// Whether its book may be believed.
    public var state: BookState
    /// When the venue was last heard of it, by our clock.
    public var receivedTime: Timestamp

    public init(price: DecimalNumber?, volume: DecimalNumber?, state: BookState, receivedTime: Timestamp) {
        self.price = price
        self.volume = volume
        self.state = state
        self.receivedTime = receivedTime
    }
}

/// The bounds of an index.
public struct IndexConfiguration: Hashable, Sendable {
    /// Decimal places of prices, to which conversions and means are rounded half-even.
    public var scale: Scale
    /// Nanoseconds after which a market that says nothing is left out.
    public var freshness: Int64
    /// Basis points that a market may differ from the median of all.
    public var outlierBound: Int64
    /// How many markets an index needs.
    public var minimumMarkets: Int

    /// By default 8 places, 10 s, 3 % and one market.
    public init(
        scale: Scale = Scale(8) ?? .zero, freshness: Int64 = 10_000_000_000, outlierBound: Int64 = 300,
        minimumMarkets: Int = 1
    ) {
        precondition(freshness > 0 && outlierBound >= 0 && minimumMarkets > 0, "bounds are above zero")
        self.scale = scale
        self.freshness = freshness
        self.outlierBound = outlierBound
        self.minimumMarkets = minimumMarkets
    }
}
