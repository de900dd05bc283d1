import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Kraken's public WebSocket v1 and routes of futures, from the venue's side.
///
/// Whoever asks for one kind of ticker gets what the recording has.
///
/// Sources: Kraken, "Futures WebSockets", "Futures REST API", and a recording of 2021, read 2026-11. Not
/// confirmed: the words of refusals.
struct KrakenFuturesDialect: HistoryDialect {
    static let known = DialectDescription(
        description: KrakenFutures.description, recognize: { _ in KrakenFuturesDialect() })

    let description = KrakenFutures.description
    var depth = 0

    private static func kind(of feed: String?) -> StreamKind? {
        switch feed {
        case "book", "book_snapshot": .book
        case "trade", "trade_snapshot": .trade
        case "ticker", "ticker_lite": .ticker
        default: nil
        }
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        let feed = message["feed"]?.text
        if feed == "heartbeat", message["event"] == nil { return .heartbeat }
        guard message["event"] == nil, let kind = Self.kind(of: feed),
            let symbol = message["product_id"]?.text
        else { return .control }
        return .market(kind, [symbol], isImage: feed == "book_snapshot")
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path.hasSuffix("/orderbook") ? address["symbol"]?.uppercased() : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path == "/ws/v1" ? Opening() : nil }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        Array(#"{"event":"info","version":1}"#.utf8)
    }

    /// Each product is answered by itself, as in the recording.
    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let event = message["event"]?.text
        guard event == "subscribe" || event == "unsubscribe" else { return [] }
        let isEnd = event == "unsubscribe"
        return (message["product_ids"]?.elements ?? []).compactMap(\.text).map { product in
            let demand = Demand(
                kind: Self.kind(of: message["feed"]?.text), symbol: product.uppercased(),
                wording: message["feed"]?.text ?? "", request: message, isEnd: isEnd)
            return isEnd ? .unsubscribe(demand) : .subscribe(demand)
        }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        switch verdict {
        case .granted: Self.event("subscribed", demand)
        case .ended, .notSubscribed: Self.event("unsubscribed", demand)
        case .alreadySubscribed: Self.refusal("alert", "Already subscribed to feed, re-requesting")
        case .unknownSymbol: Self.refusal("error", "Invalid product id")
        case .unknownKind: Self.refusal("error", "Invalid feed")
        case .tooMany: Self.refusal("error", "Too many subscriptions")
        }
    }

    private static func event(_ name: String, _ demand: Demand) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", name)
            writer.text("feed", demand.wording)
            writer.texts("product_ids", [demand.symbol ?? ""])
        }
    }

    private static func refusal(_ event: String, _ words: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", event)
            writer.text("message", words)
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("feed", "book_snapshot")
            writer.text("product_id", book.symbol)
            writer.pair("timestamp", time.milliseconds)
            writer.pair("seq", (book.session as? KrakenFuturesSession)?.lastSequence(of: book.index) ?? 0)
            for (name, side) in [("bids", BookSide.bid), ("asks", .ask)] {
                writer.list(name, book.levels(side, 0)) { level, writer in
                    writer.number("price", level.price.rawValue, book.book.priceScale)
                    writer.number("qty", level.size.rawValue, book.book.sizeScale)
                }
            }
        }
    }
}
