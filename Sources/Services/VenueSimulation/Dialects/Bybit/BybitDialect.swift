import Instruments
import JSON
import MarketData
import Venues

/// Bybit's public V5 from the venue's side, of one category; recordings of V2 are played to its clients as
/// well.
///
/// Sources: Bybit, "V5 API, WebSocket public stream" and "Connect", not confirmed by its pages; "API
/// documentation V2, orderBookL2_25", as in a recording of 2021.
struct BybitDialect: TreeDialect {
    static let spot = described(Bybit.spot, "spot", trading: SyntheticInstrument.bybit)
    static let linear = described(Bybit.linear, "linear")
    static let inverse = described(Bybit.inverse, "inverse")

    private static func described(
        _ description: VenueDescription, _ category: String, trading instruments: [SyntheticInstrument] = []
    ) -> DialectDescription {
        let dialect = BybitDialect(description: description, category: category)
        let synthetic = SyntheticVenue(
            instruments: instruments, dialect: dialect, bookDepth: 200, kinds: [.book, .trade],
            wording: { _, started in SyntheticBybit(started: started) })
        return DialectDescription(
            description: description, recognize: { _ in dialect },
            synthetic: instruments.isEmpty ? nil : synthetic)
    }

    let description: VenueDescription
    /// The market whose address it is.
    let category: String
    let earlierList: String? = "/v2/public/symbols"
    var depth = 0

    var sockets: Set<String> { ["/v5/public/\(category)"] }

    private static func kind(ofTopic name: some StringProtocol) -> StreamKind? {
        switch name {
        case "orderbook", "orderBookL2_25", "orderBook_200": .book
        case "publicTrade", "trade": .trade
        case "tickers": .ticker
        case "kline": .candle
        default: nil
        }
    }

    /// `orderbook.50.BTCUSDT`, `publicTrade.BTCUSDT`.
    private static func topic(_ text: String) -> (kind: StreamKind?, symbol: String) {
        let parts = text.split(separator: ".")
        return (kind(ofTopic: parts.first ?? ""), parts.count > 1 ? String(parts[parts.count - 1]) : "")
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        guard let name = message["topic"]?.text else { return .control }
        let (kind, symbol) = BybitDialect.topic(name)
        guard let kind, !symbol.isEmpty else { return .control }
        return .market(kind, [symbol], isImage: kind == .book && message["type"]?.text == "snapshot")
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let operation = message["op"]?.text ?? ""
        if operation == "ping" { return [.reply(answer(to: message, "pong", nil))] }
        guard operation == "subscribe" || operation == "unsubscribe" else {
            return [.reply(answer(to: message, nil, "error:request without op"))]
        }
        return (message["args"]?.elements ?? []).compactMap(\.text).map { text in
            let (kind, symbol) = BybitDialect.topic(text)
            return .asking(
                Demand(
                    kind: kind, symbol: symbol, wording: text, request: message,
                    isEnd: operation == "unsubscribe"))
        }
    }

    /// One answer for all topics of a message; a wrong one refuses it.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? {
        guard let request = conclusion.request else { return nil }
        guard let (demand, verdict) = conclusion.refused.first else { return answer(to: request, "", nil) }
        if verdict == .tooMany { return answer(to: request, nil, "error:too many topics") }
        return answer(to: request, nil, "error:handler not found,topic:\(demand.wording)")
    }

    private func answer(to request: JSONValue, _ message: String?, _ fault: String?) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("success", fault == nil)
            writer.text("ret_msg", fault ?? message ?? "")
            writer.text("conn_id", "9fe93f9d-2b1b-4b0a-9e6f-3d0d1c6c0a01")
            if let id = request["req_id"] { writer.pair("req_id", id) }
            writer.pair("op", request["op"] ?? .null)
        }
    }

    // MARK: Books

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        guard let last = book.lastMessage, let topic = last["topic"]?.text,
            let numbers = (book.session as? BybitSession)?.numbers(of: book.index)
        else { return [] }
        guard topic.hasPrefix("orderbook.") else {
            return oldImage(of: book, topic, numbers.updateID, at: time)
        }
        return JSONWriter.message { writer in
            writer.text("topic", "orderbook.\(numbers.depth).\(book.symbol)")
            writer.pair("ts", time.milliseconds)
            writer.text("type", "snapshot")
            writer.object("data") { writer in
                writer.text("s", book.symbol)
                book.writeSides(("b", "a"), to: &writer)
                writer.pair("u", numbers.updateID)
                writer.pair("seq", last["data"]?["seq"]?.integer ?? 0)
            }
            writer.pair("cts", time.milliseconds)
        }
    }

    /// Rows, which inverse contracts have bare and those in USDT in an object.
    private func oldImage(
        of book: ReferenceBook, _ topic: String, _ sequence: Int64, at time: Timestamp
    ) -> [UInt8] {
        let isBare = !book.symbol.hasSuffix("USDT")
        let rows = JSONWriter.rows { writer in
            for side in [BookSide.bid, .ask] {
                for level in book.top(.max).levels(side) {
                    writer.object { writer in
                        writer.decimal("price", level.price.rawValue, book.book.priceScale)
                        writer.text("symbol", book.symbol)
                        writer.text("side", side == .bid ? "Buy" : "Sell")
                        writer.shortest("size", level.size.rawValue, book.book.sizeScale)
                    }
                }
            }
        }
        return JSONWriter.message { writer in
            writer.text("topic", topic)
            writer.text("type", "snapshot")
            writer.key("data")
            if isBare {
                writer.raw(rows)
            } else {
                writer.object { writer in
                    writer.key("order_book")
                    writer.raw(rows)
                }
            }
            writer.text("cross_seq", "\(sequence)")
            writer.text("timestamp_e6", "\(time.nanoseconds / 1_000)")
        }
    }
}
