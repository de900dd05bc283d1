import Instruments

/// The demo's market: 60 instruments of eight venues.
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

    static let binance: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTCUSDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETHUSDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOLUSDT", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "BNBUSDT", liveliness: 3),
        SyntheticInstrument(listed: "XRPUSDT", liveliness: 3),
        SyntheticInstrument(listed: "DOGEUSDT", liveliness: 2),
        SyntheticInstrument(listed: "ADAUSDT", liveliness: 2),
        SyntheticInstrument(listed: "TRXUSDT"),
        SyntheticInstrument(listed: "LINKUSDT"),
        SyntheticInstrument(listed: "AVAXUSDT"),
        SyntheticInstrument(listed: "SUIUSDT"),
        SyntheticInstrument(listed: "TONUSDT"),
        SyntheticInstrument(listed: "SHIBUSDT"),
        SyntheticInstrument(listed: "PEPEUSDT"),
        SyntheticInstrument(listed: "ETHBTC"),
    ]

    static let binanceUS: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTCUSDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETHUSDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "ALGOUSDT"),
        SyntheticInstrument(listed: "HBARUSDT"),
    ]

    static let binanceUSDM: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTCUSDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETHUSDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOLUSDT", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "XRPUSDT", liveliness: 3),
        SyntheticInstrument(listed: "DOGEUSDT", liveliness: 2),
        SyntheticInstrument(listed: "AAVEUSDT"),
        SyntheticInstrument(listed: "NEARUSDT"),
        SyntheticInstrument(listed: "OPUSDT"),
        SyntheticInstrument(listed: "INJUSDT"),
        SyntheticInstrument(listed: "ARBUSDT"),
    ]

    static let okx: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTC-USDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETH-USDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOL-USDT", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "APT-USDT"),
        SyntheticInstrument(listed: "FIL-USDT"),
        SyntheticInstrument(listed: "ICP-USDT"),
    ]

    static let bybit: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTCUSDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETHUSDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "XRPUSDT", liveliness: 3),
        SyntheticInstrument(listed: "ETCUSDT"),
        SyntheticInstrument(listed: "ATOMUSDT"),
        SyntheticInstrument(listed: "UNIUSDT"),
    ]

    static let coinbase: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTC-USD", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETH-USD", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOL-USD", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "LTC-USD"),
        SyntheticInstrument(listed: "BCH-USD"),
        SyntheticInstrument(listed: "XLM-USD"),
    ]

    /// All of them, also of venues whose dialects do not play them.
    static let listings: [(venue: String, instruments: [SyntheticInstrument])] = [
        ("bitmex", bitmex), ("kraken", kraken), ("binance", binance), ("binance-us", binanceUS),
        ("binance-usdm", binanceUSDM), ("okx", okx), ("bybit", bybit), ("coinbase", coinbase),
    ]
}
