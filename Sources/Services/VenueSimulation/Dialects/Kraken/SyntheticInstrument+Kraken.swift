import Instruments

extension SyntheticInstrument {
    /// The coins of ``bitmex`` on Kraken.
    static let kraken: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "BTC/USD", priceScale: tenths, sizeScale: satoshi, tick: 1, startPrice: 600_000,
            lot: 1_217, greatestLots: 200_000),
        SyntheticInstrument(
            symbol: "ETH/USD", priceScale: hundredths, sizeScale: satoshi, tick: 1, startPrice: 300_000,
            lot: 10_163, greatestLots: 300_000),
    ]
}
