/// What the demo's market trades there.
extension SyntheticInstrument {
    static let bybit: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTCUSDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETHUSDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "XRPUSDT", liveliness: 3),
        SyntheticInstrument(listed: "ETCUSDT"),
        SyntheticInstrument(listed: "ATOMUSDT"),
        SyntheticInstrument(listed: "UNIUSDT"),
    ]
}
