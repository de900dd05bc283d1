/// What the demo's market trades there.
extension SyntheticInstrument {
    static let okx: [SyntheticInstrument] = [
        SyntheticInstrument(listed: "BTC-USDT", liveliness: 10, depth: 250),
        SyntheticInstrument(listed: "ETH-USDT", liveliness: 7, depth: 250),
        SyntheticInstrument(listed: "SOL-USDT", liveliness: 4, depth: 200),
        SyntheticInstrument(listed: "APT-USDT"),
        SyntheticInstrument(listed: "FIL-USDT"),
        SyntheticInstrument(listed: "ICP-USDT"),
    ]
}
