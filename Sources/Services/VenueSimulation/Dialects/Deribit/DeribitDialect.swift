import Instruments
import JSON
import MarketData
import Venues

/// Deribit's public JSON-RPC interface from the venue's side.
///
/// A channel is matched by its kind: whoever subscribes to `.100ms` gets what the recording has of `.raw`.
///
/// Sources: Deribit API, "Subscriptions", "public/set_heartbeat", "public/test", "Error codes", read 2026-11;
/// a recording of 2021 has the answers.
struct DeribitDialect: TreeDialect {
    static let described = DialectDescription(
        description: Deribit.description, recognize: { _ in DeribitDialect() })

    let description = Deribit.description
    let sockets: Set<String> = ["/ws/api/v2"]
    /// Each currency has a list, and one all of them.
    let hasOneList = false
    var depth = 0

    /// `book.BTC-PERPETUAL.100ms`, `chart.trades.BTC-PERPETUAL.1`.
    private static func topic(_ channel: String) -> (kind: StreamKind?, symbol: String) {
        let parts = channel.split(separator: ".").map(String.init)
        guard parts.count > 1 else { return (nil, "") }
        switch parts[0] {
        case "book": return (.book, parts[1])
        case "trades": return (.trade, parts[1])
        case "ticker": return (.ticker, parts[1])
        case "chart": return (.candle, parts.count > 2 ? parts[2] : "")
        default: return (nil, parts[1])
        }
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        switch message["method"]?.text {
        case "heartbeat": return .heartbeat
        case "subscription": break
        default: return .control
        }
        let (kind, symbol) = DeribitDialect.topic(message["params"]?["channel"]?.text ?? "")
        guard let kind else { return .control }
        let data = message["params"]?["data"]
        if kind == .trade {
            // Of a kind and a currency each row has its own.
            return .market(kind, data?.elements.compactMap { $0["instrument_name"]?.text } ?? [])
        }
        let isChange = data?["type"]?.text == "change"
        return .market(kind, [symbol], isImage: kind == .book && !isChange)
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let method = message["method"]?.text ?? ""
        switch method {
        case "public/subscribe", "public/unsubscribe":
            return (message["params"]?["channels"]?.elements ?? []).compactMap(\.text).map { channel in
                let (kind, symbol) = DeribitDialect.topic(channel)
                return .asking(
                    Demand(
                        kind: kind, symbol: symbol, wording: channel, request: message,
                        isEnd: method == "public/unsubscribe"))
            }
        case "public/set_heartbeat", "public/disable_heartbeat":
            return [.reply(answer(to: message, at: time) { $0.text("result", "ok") })]
        case "public/test", "public/hello":
            let answer = answer(to: message, at: time) { writer in
                writer.object("result") { $0.text("version", "1.2.26") }
            }
            return [.reply(answer)]
        case "public/get_time":
            return [.reply(answer(to: message, at: time) { $0.pair("result", time.milliseconds) })]
        default: return [.reply(refusal(of: message, -32_601, "Method not found", at: time))]
        }
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { refusal(of: .null, -32_700, "Parse error", at: .zero) }

    /// What does not exist is left out of the answer without a word.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? {
        guard let request = conclusion.request else { return nil }
        let taken = conclusion.outcomes.filter { !$0.verdict.isRefusal }.map(\.demand.wording)
        return answer(to: request, at: time) { $0.texts("result", taken) }
    }

    private func answer(
        to request: JSONValue, at time: Timestamp, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("jsonrpc", "2.0")
            if let id = request["id"] { writer.pair("id", id) }
            body(&writer)
            writer.pair("usIn", time.nanoseconds / 1_000)
            writer.pair("usOut", time.nanoseconds / 1_000)
            writer.pair("usDiff", 0)
            writer.pair("testnet", false)
        }
    }

    private func refusal(
        of request: JSONValue, _ code: Int, _ words: String, at time: Timestamp
    ) -> [UInt8] {
        answer(to: request, at: time) { writer in
            writer.object("error") { writer in
                writer.text("message", words)
                writer.pair("code", code)
            }
        }
    }

    // MARK: Books

    /// In the channel that the recording has of it, which its changes come by.
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        let channel = book.lastMessage?["params"]?["channel"]?.text
        return JSONWriter.message { writer in
            writer.text("jsonrpc", "2.0")
            writer.text("method", "subscription")
            writer.object("params") { writer in
                writer.text("channel", channel ?? "book.\(book.symbol).raw")
                writer.object("data") { writer in
                    writer.text("type", "snapshot")
                    writeBook(book, .max, at: time, "new", to: &writer)
                }
            }
        }
    }

    /// Writes what a book says; `action` is the word before each level, of which there is none by REST.
    func writeBook(
        _ book: ReferenceBook, _ limit: Int, at time: Timestamp, _ action: String?,
        to writer: inout JSONWriter
    ) {
        writer.pair("timestamp", time.milliseconds)
        writer.text("instrument_name", book.symbol)
        writer.pair("change_id", (book.session as? DeribitSession)?.changeID(of: book.index) ?? 0)
        let sides = book.top(limit)
        for (name, levels) in [("bids", sides.bids), ("asks", sides.asks)] {
            writer.array(name) { writer in
                for level in levels {
                    writer.array { writer in
                        if let action { writer.string(action) }
                        writer.number(level.price.rawValue, book.book.priceScale)
                        writer.number(level.size.rawValue, book.book.sizeScale)
                    }
                }
            }
        }
    }
}
