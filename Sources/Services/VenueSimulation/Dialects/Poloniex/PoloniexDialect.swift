import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Poloniex' public WebSocket and routes of spot, from the venue's side.
///
/// Sources: Poloniex, "Spot WebSocket", "Spot API, Market data", and a recording of 2022, read 2026-11. Not
/// confirmed: the words of refusals.
struct PoloniexDialect: HistoryDialect {
    static let known = DialectDescription(
        description: Poloniex.description, recognize: { _ in PoloniexDialect() })

    let description = Poloniex.description
    var depth = 0

    private static func kind(of channel: String?) -> StreamKind? {
        switch channel {
        case "book_lv2": .book
        case "trades": .trade
        case "ticker": .ticker
        case "candles_minute_1": .candle
        default: nil
        }
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        guard let kind = Self.kind(of: message["channel"]?.text), let data = message["data"] else {
            return .control
        }
        let symbols = data.elements.compactMap { $0["symbol"]?.text }
        let isImage = kind == .book && message["action"]?.text == "snapshot"
        return symbols.isEmpty ? .control : .market(kind, symbols, isImage: isImage)
    }

    /// `/markets/<symbol>/orderBook`.
    func bookSymbol(of address: RequestAddress) -> String? { Self.symbol(of: address, "orderBook") }

    /// The symbol in `/markets/<symbol>/<name>`.
    static func symbol(of address: RequestAddress, _ name: String) -> String? {
        let parts = address.path.split(separator: "/")
        return parts.count == 3 && parts[0] == "markets" && parts[2] == name ? String(parts[1]) : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path == "/ws/public" ? Opening() : nil }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        guard let event = message["event"]?.text else { return [] }
        if event == "ping" { return [.reply(Array(#"{"event":"pong"}"#.utf8))] }
        guard event == "subscribe" || event == "unsubscribe" else { return [] }
        let symbols = (message["symbols"]?.elements ?? []).compactMap(\.text)
        return (message["channel"]?.elements ?? []).compactMap(\.text).map { channel in
            .together(
                symbols.map { symbol in
                    Demand(
                        kind: Self.kind(of: channel), symbol: symbol == "all" ? nil : symbol,
                        wording: channel, request: message, isEnd: event == "unsubscribe")
                })
        }
    }

    /// A channel of a message is answered with all its symbols.
    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        if demand.isAnswered { return nil }
        return switch verdict {
        case .granted, .ended, .alreadySubscribed, .notSubscribed:
            JSONWriter.message { writer in
                writer.text("event", demand.isEnd ? "unsubscribe" : "subscribe")
                writer.text("channel", demand.wording)
                writer.pair("symbols", demand.request["symbols"] ?? .null)
            }
        case .unknownSymbol: Self.refusal("Symbol not found: \(demand.symbol ?? "")")
        case .unknownKind: Self.refusal("Channel not found: \(demand.wording)")
        case .tooMany: Self.refusal("Too many subscriptions")
        }
    }

    private static func refusal(_ words: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", "error")
            writer.text("message", words)
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        let id = (book.session as? PoloniexSession)?.lastID(of: book.index) ?? 0
        return JSONWriter.message { writer in
            writer.text("channel", "book_lv2")
            writer.list("data", [book]) { book, writer in
                writer.text("symbol", book.symbol)
                writer.pair("createTime", time.milliseconds)
                writer.rows("asks", book.rows(.ask, 0))
                writer.rows("bids", book.rows(.bid, 0))
                writer.pair("lastId", id - 1)
                writer.pair("id", id)
                writer.pair("ts", time.milliseconds)
            }
            writer.text("action", "snapshot")
        }
    }
}
