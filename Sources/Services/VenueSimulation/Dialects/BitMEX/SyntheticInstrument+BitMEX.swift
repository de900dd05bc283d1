import Instruments

extension SyntheticInstrument {
    /// BitMEX's two most traded perpetuals.
    static let bitmex: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "XBTUSD", priceScale: tenths, sizeScale: .zero, tick: 5, startPrice: 600_000, lot: 100,
            greatestLots: 2_000),
        SyntheticInstrument(
            symbol: "ETHUSD", priceScale: hundredths, sizeScale: .zero, tick: 5, startPrice: 300_000, lot: 1,
            greatestLots: 60_000),
    ]
}
