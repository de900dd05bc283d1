import Instruments

/// What the demo's market trades there.
extension SyntheticInstrument {
    static let kraken: [SyntheticInstrument] = [
        SyntheticInstrument(
            symbol: "BTC/USD", priceScale: tenths, sizeScale: satoshi, tick: 1, startPrice: 600_000,
            lot: 1_217, greatestLots: 20_000, liveliness: 10, depth: 200),
        SyntheticInstrument(
            symbol: "ETH/USD", priceScale: hundredths, sizeScale: satoshi, tick: 1, startPrice: 300_000,
            lot: 10_163, greatestLots: 30_000, liveliness: 7, depth: 200),
        SyntheticInstrument(listed: "SOL/USD", liveliness: 3),
        SyntheticInstrument(listed: "XRP/USD", liveliness: 2),
        SyntheticInstrument(listed: "DOGE/USD", liveliness: 2),
        SyntheticInstrument(listed: "ADA/USD"),
        SyntheticInstrument(listed: "LINK/USD"),
        SyntheticInstrument(listed: "DOT/USD"),
        SyntheticInstrument(listed: "XMR/USD"),
        SyntheticInstrument(listed: "BTC/EUR", liveliness: 3),
        SyntheticInstrument(listed: "ETH/BTC"),
    ]
}
