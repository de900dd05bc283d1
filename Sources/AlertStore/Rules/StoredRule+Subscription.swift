import Alerting
public import MarketStore

extension StoredRule {
    /// What the feed must bring for the rule to be evaluated; `nil` when it is about no instrument.
    public var subscription: Subscription? {
        guard let instrument = rule.instrument else { return nil }
        return Subscription(
            instrument: instrument, channels: rule.condition.channels, wantedBy: "alert:\(id)")
    }
}

extension AlertCondition {
    /// Names of the feed's streams that it looks at.
    fileprivate var channels: [String] {
        switch self {
        case .crosses(let price, _, _), .leaves(let price, _, _): price.channels
        case .change(let change): change.price.channels
        case .volume, .trade, .candle, .indicator: ["trade"]
        case .spread, .imbalance: ["book"]
        case .feed: ["book", "trade"]
        case .portfolio, .listing: []
        }
    }
}

extension PriceKind {
    fileprivate var channels: [String] {
        switch self {
        case .last: ["trade"]
        case .bid, .ask, .mid: ["book"]
        case .mark: ["ticker"]
        // Made of the books of all markets, weighted by their trades.
        case .index: ["book", "trade"]
        }
    }
}
