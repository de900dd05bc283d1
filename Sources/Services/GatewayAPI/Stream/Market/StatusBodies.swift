import Instruments
import Wire

/// Services and feeds, for operators.
struct StreamStatusBody: Encodable, Sendable {
    var connection: String
    var services: [ServiceBody]
    var feeds: [FeedBody]

    init(_ view: MarketView) {
        let (condition, now) = (view.condition, view.now)
        connection = condition.word.rawValue
        services = view.services().map { ServiceBody($0, condition, at: now) }
        feeds = view.feeds().map { FeedBody($0, condition, at: now) }
    }
}

/// What a portfolio is worth, as it was last said on the bus.
struct ValuationBody: Encodable, Sendable, Hashable {
    /// One asset of it, over all wallets.
    struct Position: Encodable, Sendable, Hashable {
        var asset: String
        var amount: String
        var price: String?
        var priceTime: String?
        var source: String?
        var value: String?
        /// Why the price is not of now.
        var stale: String?

        private enum CodingKeys: String, CodingKey {
            case asset, amount, price
            case priceTime = "price_time"
            case source, value, stale
        }
    }

    var portfolio: String
    var base: String
    var time: String
    var change: Int64
    /// `nil` while an asset has no price.
    var value: String?
    var knownValue: String
    var positions: [Position]
    var missing: [String]
    var stale: [String]
    /// Why all of it may be out of date; `nil` when it is not.
    var doubt: String?

    private enum CodingKeys: String, CodingKey {
        case portfolio, base, time, change, value
        case knownValue = "known_value"
        case positions, missing, stale, doubt
    }

    init(_ said: Heard<Bitpal_V1_PortfolioValuation>, _ condition: BusCondition) {
        func known(_ text: String) -> String? { text.isEmpty ? nil : text }
        let message = said.value
        (portfolio, base, change) = (message.portfolio, message.base, message.change)
        time = Timestamp(nanoseconds: message.timeUnixNanos).iso8601
        (value, knownValue) = (known(message.value), message.knownValue)
        (missing, stale) = (message.missing, message.stale)
        doubt = condition.doubt(about: said.producer)
        positions = message.positions.map { position in
            let nanos = position.priceTimeUnixNanos
            return Position(
                asset: position.asset, amount: position.amount, price: known(position.price),
                priceTime: nanos == 0 ? nil : Timestamp(nanoseconds: nanos).iso8601,
                source: known(position.source), value: known(position.value), stale: known(position.stale))
        }
    }
}
