/// How much was traded in a while.
struct SyntheticActivity: Hashable, Sendable {
    var trades: Int64 = 0
    var lots: Int64 = 0
    /// Lots of takers who bought.
    var bought: Int64 = 0

    init(trades: Int64 = 0, lots: Int64 = 0, bought: Int64 = 0) {
        self.trades = trades
        self.lots = lots
        self.bought = bought
    }

    /// Of an hour: more where the price moves more, and at least enough for a trade in each minute.
    init(
        of span: PathSpan, usualVariance: Double, usualTrades: Double, usualLots: Int64,
        _ random: inout SplitMix64
    ) {
        let liveliness = usualVariance > 0 ? (span.variance / usualVariance).squareRoot() : 1
        let move = span.variance > 0 ? (span.close - span.open) / span.variance.squareRoot() : 0
        let part = liveliness * (0.7 + 0.3 * abs(move)) * (0.75 + 0.5 * random.fraction())
        trades = max(Int64(usualTrades * min(max(part, 0.3), 8)), 240)
        lots = max(Int64(Double(trades) * Double(usualLots) * (0.85 + 0.3 * random.fraction())), trades)
        bought = Int64(Double(lots) * (0.5 + min(max(0.12 * move, -0.35), 0.35)))
    }

    /// So much of it as has passed.
    func part(_ passed: Double) -> SyntheticActivity {
        SyntheticActivity(
            trades: Int64(Double(trades) * passed), lots: Int64(Double(lots) * passed),
            bought: Int64(Double(bought) * passed))
    }

    /// What came since.
    func subtracting(_ earlier: SyntheticActivity) -> SyntheticActivity {
        SyntheticActivity(
            trades: trades - earlier.trades, lots: lots - earlier.lots, bought: bought - earlier.bought)
    }
}
