import Alerting
import Instruments
import MarketStore
import Wire

extension AlertRule {
    /// The interval of the closed candles that it looks at, in nanoseconds.
    var interval: Int64? {
        switch condition {
        case .candle(let interval, _, _), .indicator(let interval, _): interval
        default: nil
        }
    }

    /// Whether it is evaluated on trades, of which the past is stored.
    var needsTape: Bool {
        switch condition {
        case .crosses(let price, _, _), .leaves(let price, _, _): price == .last
        case .change(let change): change.price == .last
        case .volume, .trade: true
        default: false
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
