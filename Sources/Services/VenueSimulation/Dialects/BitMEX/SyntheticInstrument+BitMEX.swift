import Instruments

/// What the demo's market trades there.
extension SyntheticInstrument {
    /// BitMEX's two most traded perpetuals.
    static let bitmex: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "XBTUSD", priceScale: tenths, sizeScale: .zero, tick: 5, startPrice: 600_000, lot: 100,
            greatestLots: 200, depth: 200),
        SyntheticInstrument(
            symbol: "ETHUSD", priceScale: hundredths, sizeScale: .zero, tick: 5, startPrice: 300_000, lot: 1,
            greatestLots: 60_000, depth: 200),
    ]
}
