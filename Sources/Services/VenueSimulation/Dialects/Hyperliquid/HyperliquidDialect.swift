import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Hyperliquid's public WebSocket and its one address of questions, from the venue's side.
///
/// Source: Hyperliquid, "API, WebSocket, Subscriptions" and "Info endpoint", read 2026-11; not confirmed by a
/// recording.
struct HyperliquidDialect: TreeDialect {
    static let known = DialectDescription(
        description: Hyperliquid.description, recognize: { _ in HyperliquidDialect() })

    let description = Hyperliquid.description
    let takesPosts = true
    var depth = 0

    private static func kind(of channel: String?) -> StreamKind? {
        switch channel {
        case "l2Book": .book
        case "trades": .trade
        case "bbo": .ticker
        case "candle": .candle
        case "activeAssetCtx": .mark
        default: nil
        }
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        guard let kind = Self.kind(of: message["channel"]?.text), let data = message["data"] else {
            return .control
        }
        let rows = data.elements.isEmpty ? [data] : data.elements
        let symbols = rows.compactMap { ($0["coin"] ?? $0["s"])?.text }
        return symbols.isEmpty ? .control : .market(kind, symbols, isImage: kind == .book)
    }

    /// What is asked is posted, never part of the address.
    func bookSymbol(of address: RequestAddress) -> String? {
        guard let question = address.posted.flatMap({ JSONValue(message: $0) }) else { return nil }
        return question["type"]?.text == "l2Book" ? question["coin"]?.text : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path == "/ws" ? Opening() : nil }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let method = message["method"]?.text
        if method == "ping" { return [.reply(Array(#"{"channel":"pong"}"#.utf8))] }
        guard method == "subscribe" || method == "unsubscribe" else { return [] }
        let wanted = message["subscription"]
        let isMinute = wanted?["interval"].map { $0.text == "1m" } ?? true
        let demand = Demand(
            kind: isMinute ? Self.kind(of: wanted?["type"]?.text) : nil,
            symbol: wanted?["coin"]?.text ?? "", wording: "", request: message,
            isEnd: method == "unsubscribe")
        return [demand.isEnd ? .unsubscribe(demand) : .subscribe(demand)]
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        let subscription = demand.request["subscription"] ?? .null
        let words = String(decoding: subscription.bytes, as: UTF8.self)
        switch verdict {
        case .granted, .ended:
            return JSONWriter.message { writer in
                writer.text("channel", "subscriptionResponse")
                writer.object("data") { writer in
                    writer.text("method", demand.isEnd ? "unsubscribe" : "subscribe")
                    writer.pair("subscription", subscription)
                }
            }
        case .alreadySubscribed: return refusal("Already subscribed: \(words)")
        case .notSubscribed: return refusal("Already unsubscribed: \(words)")
        case .unknownSymbol, .unknownKind: return refusal("Invalid subscription \(words)")
        case .tooMany: return refusal("Cannot track more than 1000 subscriptions: \(words)")
        }
    }

    private func refusal(_ words: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("channel", "error")
            writer.text("data", words)
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("channel", "l2Book")
            writer.key("data")
            writer.raw(restBook(book, limit: 0, at: time))
        }
    }

    // MARK: REST

    /// All questions are posted to one address.
    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        guard address.path == description.instrumentList, let posted = address.posted,
            let type = JSONValue(message: posted)?["type"]?.text
        else { return .settled(notFound()) }
        // One list answers for both markets: what it does not name is not taken for closed.
        if type == "meta" || type == "spotMeta" { return .instruments }
        guard let symbol = bookSymbol(of: address), symbols.contains(symbol) else {
            return .settled(notFound())
        }
        return .book(symbol: symbol, limit: 0)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("coin", book.symbol)
            writer.pair("time", time.milliseconds)
            writer.array("levels") { writer in
                for side in [BookSide.bid, .ask] {
                    writer.objects(book.levels(side, 0)) { level, writer in
                        writer.decimal("px", level.price.rawValue, book.book.priceScale)
                        writer.decimal("sz", level.size.rawValue, book.book.sizeScale)
                        // How many orders there are is not known here.
                        writer.pair("n", 1)
                    }
                }
            }
        }
    }

    /// Perpetuals; pairs of spot have a list with tokens, which a recording without one does not tell.
    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.message { writer in
            writer.list("universe", instruments.filter { !Hyperliquid.isSpot($0.symbol) }) { item, writer in
                writer.text("name", item.symbol)
                writer.pair("szDecimals", item.sizeScale.places)
            }
        }
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 422, #""Failed to deserialize the JSON body into the target type""#)
    }
}
