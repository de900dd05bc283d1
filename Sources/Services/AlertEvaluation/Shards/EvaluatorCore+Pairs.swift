import Alerting
import Instruments
import MarketStore
import Wire

extension AlertRule {
    /// The interval of the closed candles that it looks at, in nanoseconds.
    var interval: Int64? { condition.input.interval }

    /// Whether it is evaluated on trades, of which the past is stored.
    var needsTape: Bool {
        switch condition.input {
        case .price(let price): price == .last
        case .trades: true
        case .closes, .spread, .levels, .derivative, .feed, .figure, .listings: false
        }
    }
}

extension EvaluatorCore {
    /// What is known of instruments: the pairs of their index prices.
    mutating func describe(_ instruments: [Instrument]) {
        for instrument in instruments {
            // Indices go by the codes that most of the world has, whatever the venue says.
            let (base, quote) = (
                MarketCatalogue.common(instrument.base), MarketCatalogue.common(instrument.quote)
            )
            pairs[instrument.id] = "\(Topic.escape(base.rawValue))-\(Topic.escape(quote.rawValue))"
        }
        let waiting = lacksPair
        lacksPair.removeAll()
        for index in waiting.sorted() where places[followers[index].id] == index {
            var topics: [String] = []
            subscribeIndex(index, &topics)
            subscribe(index, to: topics)
        }
    }
}
