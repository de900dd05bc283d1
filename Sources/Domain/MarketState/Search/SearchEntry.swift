public import Instruments

/// An instrument as search knows it.
public struct SearchEntry: Hashable, Sendable {
    /// The venue and its symbol.
    public var id: InstrumentID
    /// What is bought or sold.
    public var base: Asset
    /// What it is paid in.
    public var quote: Asset
    /// Spot or which derivative.
    public var kind: InstrumentKind
    /// The base asset's name, such as `Bitcoin`; empty when unknown.
    public var name: String
    /// What the base asset is, such as `meme` or `layer 1`; empty when unknown.
    public var category: String
    /// How much it is traded, in any one measure: of equally good matches the more traded comes first.
    public var popularity: UInt64

    public init(
        id: InstrumentID, base: Asset, quote: Asset, kind: InstrumentKind, name: String = "",
        category: String = "", popularity: UInt64 = 0
    ) {
        self.id = id
        self.base = base
        self.quote = quote
        self.kind = kind
        self.name = name
        self.category = category
        self.popularity = popularity
    }
}

/// A found instrument.
public struct SearchHit: Hashable, Sendable {
    /// Its place among the entries that the index was made of.
    public let entry: Int
    /// How well it matches, for each word of the query at most 15,000.
    public let score: Int
}

/// The instruments of a venue that trade an asset.
public struct SearchListing: Hashable, Sendable {
    public let venue: Venue
    /// Places among the entries, the most traded first.
    public let entries: [Int]
}
