/// What the demo's market trades there.
extension SyntheticInstrument {
    static let coinbase: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTC-USD", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETH-USD", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOL-USD", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "LTC-USD"),
        SyntheticInstrument(listed: "BCH-USD"),
        SyntheticInstrument(listed: "XLM-USD"),
    ]
}
