import Instruments
import JSON
import Venues

/// Gate's WebSocket v4 and public routes of spot and of USDT futures, from the venue's side.
///
/// Whoever asks for one kind of ticker or pace of a book gets what the recording has.
///
/// Sources: Gate, "Spot WebSocket v4", "Futures WebSocket v4", and a recording of spot of 2021, read 2026-11.
/// Not confirmed: the words of refusals.
struct GateioDialect: HistoryDialect {
    static let spot = known(Gateio.spot, isFutures: false)
    static let futures = known(Gateio.futures, isFutures: true)

    let description: VenueDescription
    let isFutures: Bool
    let sendsImages = false
    var depth = 0

    private static func known(_ description: VenueDescription, isFutures: Bool) -> DialectDescription {
        DialectDescription(
            description: description,
            recognize: { _ in GateioDialect(description: description, isFutures: isFutures) })
    }

    var market: String { isFutures ? "futures" : "spot" }

    /// How the routes and messages call a symbol.
    var symbolName: String { isFutures ? "contract" : "currency_pair" }

    private func kind(of channel: String?) -> StreamKind? {
        guard let channel, channel.hasPrefix("\(market).") else { return nil }
        switch channel.dropFirst(market.count + 1) {
        case "order_book_update", "obu": return .book
        case "trades": return .trade
        case "book_ticker": return .ticker
        // Of futures it has the mark price.
        case "tickers": return isFutures ? .mark : .ticker
        case "candlesticks": return .candle
        default: return nil
        }
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        guard message["event"]?.text == "update", let kind = kind(of: message["channel"]?.text),
            let result = message["result"]
        else { return .control }
        let rows = result.elements.isEmpty ? [result] : result.elements
        let symbols = rows.compactMap { symbol(of: $0) }
        let isImage = kind == .book && rows.contains { $0["full"]?.flag == true }
        return symbols.isEmpty ? .control : .market(kind, symbols, isImage: isImage)
    }

    /// A book's is `BTC_USDT` or, of `obu`, `ob.BTC_USDT.400`; a candle's `1m_BTC_USDT`.
    private func symbol(of row: JSONValue) -> String? {
        if let name = row[symbolName]?.text { return name }
        if let name = row["n"]?.text { return name.split(separator: "_", maxSplits: 1).last.map(String.init) }
        return row["s"]?.text.map(Self.plain)
    }

    private static func plain(_ name: String) -> String {
        let parts = name.split(separator: ".")
        return parts.count == 3 && parts[0] == "ob" ? String(parts[1]) : name
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path.hasSuffix("/order_book") ? address[symbolName] : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        // A path's last slash does not count.
        address.path == (isFutures ? "/v4/ws/usdt" : "/ws/v4") ? Opening() : nil
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let channel = message["channel"]?.text ?? ""
        if channel == "\(market).ping" {
            return [.reply(self.message("\(market).pong", "", message, at: time) { $0.null() })]
        }
        guard let event = message["event"]?.text, event == "subscribe" || event == "unsubscribe" else {
            return []
        }
        let payload = (message["payload"]?.elements ?? []).compactMap(\.text)
        let symbols: [String]
        switch channel.dropFirst(market.count + 1) {
        case "order_book_update", "obu": symbols = payload.prefix(1).map(Self.plain)
        case "candlesticks": symbols = Array(payload.dropFirst().prefix(1))
        default: symbols = payload
        }
        let demands = (symbols.isEmpty ? [""] : symbols).map { symbol in
            Demand(
                kind: kind(of: channel), symbol: symbol, wording: channel, request: message,
                isEnd: event == "unsubscribe")
        }
        return [.together(demands)]
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        if demand.isAnswered { return nil }
        let event = demand.isEnd ? "unsubscribe" : "subscribe"
        let error: (code: Int, words: String)? =
            switch verdict {
            case .granted, .ended, .alreadySubscribed, .notSubscribed: nil
            case .unknownSymbol: (2, "unknown currency pair: \(demand.symbol ?? "")")
            case .unknownKind: (2, "unknown channel: \(demand.wording)")
            case .tooMany: (3, "too many subscriptions")
            }
        return message(demand.wording, event, demand.request, at: time) { writer in
            guard let error else { return writer.null() }
            writer.object { writer in
                writer.pair("code", error.code)
                writer.text("message", error.words)
            }
        }
    }

    /// A message without data; `error` writes its error.
    private func message(
        _ channel: String, _ event: String, _ request: JSONValue, at time: Timestamp,
        error: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("time", time.seconds)
            if let id = request["id"] { writer.pair("id", id) }
            writer.text("channel", channel)
            writer.text("event", event)
            writer.key("error")
            let start = writer.bytes.count
            error(&writer)
            let status = writer.bytes[start...].elementsEqual("null".utf8) ? "success" : "fail"
            writer.key("result")
            if event.isEmpty { writer.null() } else { writer.object { $0.text("status", status) } }
        }
    }
}
