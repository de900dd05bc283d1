import Alerting
import Instruments
package import MarketStore

extension StoredRule {
    /// The venue's instrument that it is about; `nil` for an index, a portfolio or a venue.
    var traded: InstrumentID? { rule.instrument.flatMap { $0.isTraded ? $0 : nil } }

    /// What the feed must bring for the rule to be evaluated; `nil` when it is about no market.
    package var subscription: Subscription? {
        guard let traded else { return nil }
        return Subscription(
            instrument: traded, channels: rule.condition.input.channels, wantedBy: "alert:\(id)")
    }
}

extension ConditionInput {
    /// Names of the feed's streams that it is made of.
    fileprivate var channels: [String] {
        switch self {
        case .price(let price): price.channels
        case .trades, .closes: ["trade"]
        case .spread, .levels: ["book"]
        case .derivative: ["derivative"]
        case .feed: ["book", "trade"]
        case .figure, .listings: []
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
