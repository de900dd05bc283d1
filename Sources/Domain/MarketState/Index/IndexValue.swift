public import Instruments
public import MarketData

/// Why a market has no part in an index.
public enum IndexExclusion: Hashable, Sendable {
    /// Its book is not live.
    case notLive(BookState)
    /// Nothing was heard of it for too long.
    case stale
    /// It has no price, or none above zero.
    case noPrice
    /// Its volume is unknown or zero, so that it has no weight.
    case noVolume
    /// The index that converts its quote asset is not available.
    case noConversion(AssetPair)
    /// Its price does not fit 63 bits at the index's scale.
    case outOfRange
    /// It differs too much from the median of all.
    case outlier
}

/// A market in an index, or why it is left out.
public struct IndexConstituent: Hashable, Sendable {
    /// The number that the caller gave the market.
    public let market: Int
    /// Its price in the index's quote asset; `nil` when it could not be had.
    public var price: DecimalNumber?
    /// Its volume in the base asset.
    public let weight: DecimalNumber?
    /// Why it does not count; `nil` when it does.
    public var exclusion: IndexExclusion?
}

/// Why an index has no price.
public enum IndexUnavailability: Hashable, Sendable {
    /// Fewer markets than needed may be believed.
    case tooFewMarkets(found: Int, needed: Int)
    /// There would be enough markets, but they differ too much from one another.
    case disagreement
}

/// The price of an asset over all its markets, or why there is none.
public struct IndexValue: Hashable, Sendable {
    /// What is priced, in what.
    public let pair: AssetPair
    /// The volume-weighted median; `nil` when unavailable.
    public let price: DecimalNumber?
    /// Why there is no price.
    public let unavailable: IndexUnavailability?
    /// Every market of the index, also those left out.
    public let constituents: [IndexConstituent]
}
