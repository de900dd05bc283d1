/// What the demo's market trades there.
extension SyntheticInstrument {
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
}
