import Instruments

/// What a synthetic market trades, and at which numbers.
struct SyntheticInstrument: Hashable, Sendable {
    var symbol: String
    /// Decimal places of prices.
    var priceScale: Scale
    /// Decimal places of sizes.
    var sizeScale: Scale
    /// The smallest step of the price, in units of the price scale.
    var tick: Int64
    /// Where the price begins, in units of the price scale; a multiple of the tick.
    var startPrice: Int64
    /// The smallest size, in units of the size scale.
    var lot: Int64
    /// The greatest size, in lots.
    var greatestLots: Int64

    static let tenths = Scale(1) ?? .zero
    static let hundredths = Scale(2) ?? .zero
    static let satoshi = Scale(8) ?? .zero
}
