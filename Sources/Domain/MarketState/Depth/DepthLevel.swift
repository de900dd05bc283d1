public import Instruments
public import MarketData

/// A level with what lies between it and the best of its side.
public struct DepthLevel: Hashable, Sendable {
    /// Price and size.
    public var level: BookLevel
    /// Σ size from the best level to this one, in units of the size scale.
    public var size: Int128
    /// Σ price × size from the best level to this one, in units of both scales.
    public var notional: Int256
    /// This level's size in millionths of all sizes of the levels asked for, rounded down.
    public var share: Int32
}

/// Sums over some levels of a side.
public struct DepthSums: Hashable, Sendable {
    /// How many levels.
    public var levels = 0
    /// Σ size, in units of the size scale.
    public var size: Int128 = 0
    /// Σ price × size, in units of both scales; `ContractTerms` makes it a value.
    public var notional = Int256.zero

    public init() {}

    @inlinable
    mutating func add(_ level: BookLevel) {
        levels &+= 1
        size &+= Int128(level.size.rawValue)
        notional += Int256(Int128(level.price.rawValue) * Int128(level.size.rawValue))
    }
}

/// A level of a coarser grid.
public struct GroupedLevel: Hashable, Sendable {
    /// A multiple of the grid's tick.
    public var price: Price
    /// Σ size of the book's levels in it, in units of the size scale.
    public var size: Int128
}
