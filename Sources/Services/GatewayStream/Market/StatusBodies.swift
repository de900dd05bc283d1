import Instruments
import Shapes
import Wire

/// Services and feeds, for operators.
struct StreamStatusBody: WireBody, Sendable {
    static let shape = BodyShape<StreamStatusBody>("StreamStatus") {
        Field(
            "connection", \.connection, "live, or what is wrong with this gateway's connection to the bus.",
            as: .words(BusConnectionState.Word.allCases.map(\.rawValue)), example: "live")
        Field("feeds", \.feeds)
        Field("services", \.services)
    }

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
struct ValuationBody: WireBody, Sendable {
    static let shape = BodyShape<ValuationBody>("StreamValuation") {
        Field("base", \.base, "The currency of all values.", example: "USD")
        Field("change", \.change, "The last change of the portfolio that counts.", example: 3)
        Field(ifPresent: "doubt", \.doubt, "Why all of it may be out of date; left out when it is not.")
        Field("known_value", \.knownValue, "Of what has a price.", example: "15250")
        Field("missing", \.missing, "Assets without a price.", example: [])
        Field("portfolio", \.portfolio, "Its identifier.", as: .text("uuid"))
        Field("positions", \.positions)
        Field("stale", \.stale, "Assets that count by an old price.", example: [])
        Field("time", \.time, as: .time, example: "2026-11-21T12:00:00.000000000Z")
        Field(
            ifPresent: "value", \.value, "Of all that is held; left out while an asset has no price.",
            as: .decimal, example: "15250")
    }

    /// One asset of it, over all wallets.
    struct Position: WireBody, Sendable {
        static let shape = BodyShape<Position>("StreamPosition") {
            Field("amount", \.amount, as: .decimal, example: "0.25")
            Field("asset", \.asset, example: "BTC")
            Field(ifPresent: "price", \.price, "In the base currency.", as: .decimal, example: "61000")
            Field(
                ifPresent: "price_time", \.priceTime, as: .time,
                example: "2026-11-21T12:00:00.000000000Z")
            Field(
                ifPresent: "source", \.source, "What the price is of.", example: "kraken:BTC/USD")
            Field(ifPresent: "stale", \.stale, "Why the price is not of now; left out when it is.")
            Field(ifPresent: "value", \.value, "In the base currency.", as: .decimal, example: "15250")
        }

        var asset: String
        var amount: String
        var price: String?
        var priceTime: String?
        var source: String?
        var value: String?
        var stale: String?
    }

    var portfolio: String
    var base: String
    var time: String
    var change: Int64
    var value: String?
    var knownValue: String
    var positions: [Position]
    var missing: [String]
    var stale: [String]
    var doubt: String?

    init(_ said: ReceivedValue<Bitpal_V1_PortfolioValuation>, _ condition: BusConnectionState) {
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
