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

    /// BitMEX's two most traded perpetuals.
    static let bitmex: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "XBTUSD", priceScale: tenths, sizeScale: .zero, tick: 5, startPrice: 600_000, lot: 100,
            greatestLots: 2_000),
        SyntheticInstrument(
            symbol: "ETHUSD", priceScale: hundredths, sizeScale: .zero, tick: 5, startPrice: 300_000, lot: 1,
            greatestLots: 60_000),
    ]

    /// The same coins on Kraken.
    static let kraken: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "BTC/USD", priceScale: tenths, sizeScale: satoshi, tick: 1, startPrice: 600_000,
            lot: 1_217,
            greatestLots: 200_000),
        SyntheticInstrument(
            symbol: "ETH/USD", priceScale: hundredths, sizeScale: satoshi, tick: 1, startPrice: 300_000,
            lot: 10_163,
            greatestLots: 300_000),
    ]

    private static let tenths = Scale(1) ?? .zero
    private static let hundredths = Scale(2) ?? .zero
    private static let satoshi = Scale(8) ?? .zero
}
