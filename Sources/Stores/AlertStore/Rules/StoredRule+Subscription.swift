import Alerting
import Instruments
public import MarketStore

extension StoredRule {
    /// The venue's instrument that it is about; `nil` for an index, a portfolio or a venue.
    var traded: InstrumentID? { rule.instrument.flatMap { $0.isTraded ? $0 : nil } }

    /// What the feed must bring for the rule to be evaluated; `nil` when it is about no market.
    public var subscription: Subscription? {
        guard let traded else { return nil }
        return Subscription(
            instrument: traded, channels: rule.condition.channels, wantedBy: "alert:\(id)")
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
        case .mark: ["mark"]
        // Made of the books of all markets, weighted by their trades.
        case .index: ["book", "trade"]
        }
    }
}
