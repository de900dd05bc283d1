import Instruments
import JSON
import MarketData
import Venues

/// Crypto.com Exchange's public interface v1 from the venue's side; recordings of v2 are played as well.
///
/// Source: Crypto.com, "Exchange API v1", as cryptofeed and tardis-node read it; not confirmed by its pages.
struct CryptoComDialect: TreeDialect {
    static let described = DialectDescription(
        description: CryptoCom.description, recognize: { _ in CryptoComDialect() })

    let description = CryptoCom.description
    let sockets: Set<String> = ["/exchange/v1/market", "/v2/market"]
    var depth = 0

    private static func kind(ofChannel name: some StringProtocol) -> StreamKind? {
        switch name {
        case "book", "book.update": .book
        case "trade": .trade
        case "ticker": .ticker
        case "candlestick": .candle
        case "mark": .mark
        default: nil
        }
    }

    /// `book.BTC_USD.50`, `trade.BTC_USD`, `candlestick.1m.BTC_USD`.
    private static func topic(_ channel: String) -> (kind: StreamKind?, symbol: String) {
        let parts = channel.split(separator: ".").map(String.init)
        guard parts.count > 1 else { return (nil, "") }
        return (kind(ofChannel: parts[0]), parts[parts[0] == "candlestick" ? parts.count - 1 : 1])
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        if message["method"]?.text == "public/heartbeat" { return .heartbeat }
        guard let result = message["result"], result["data"] != nil,
            let channel = result["channel"]?.text, let kind = CryptoComDialect.kind(ofChannel: channel)
        else { return .control }
        return .market(kind, [result["instrument_name"]?.text ?? ""], isImage: channel == "book")
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let method = message["method"]?.text ?? ""
        // The answer to a heartbeat is answered by nothing.
        if method == "public/respond-heartbeat" { return [] }
        guard method == "subscribe" || method == "unsubscribe" else {
            return [.reply(answer(to: message, code: 40_003, "Method not found"))]
        }
        return (message["params"]?["channels"]?.elements ?? []).compactMap(\.text).map { channel in
            let (kind, symbol) = CryptoComDialect.topic(channel)
            return .asking(
                Demand(
                    kind: kind, symbol: symbol, wording: channel, request: message,
                    isEnd: method == "unsubscribe"))
        }
    }

    /// One that does not exist costs the others of its message.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? {
        guard let request = conclusion.request else { return nil }
        switch conclusion.refused.first {
        case nil: return answer(to: request, code: 0, nil)
        case (_, .tooMany)?: return answer(to: request, code: 42_901, "RATE_LIMIT")
        case let (demand, _)?:
            return answer(to: request, code: 40_004, "Unknown channel \(demand.wording)")
        }
    }

    private func answer(to request: JSONValue, code: Int, _ words: String?) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("id", request["id"] ?? .integer(-1))
            writer.pair("method", request["method"] ?? .null)
            writer.pair("code", code)
            if let words { writer.text("message", words) }
        }
    }

    // MARK: Books

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        let depth = (book.session as? CryptoComSession)?.numbers(of: book.index).depth ?? 0
        return JSONWriter.message { writer in
            writer.pair("id", -1)
            writer.text("method", "subscribe")
            writer.pair("code", 0)
            writer.object("result") { writer in
                writer.text("instrument_name", book.symbol)
                writer.text("subscription", "book.\(book.symbol).\(depth)")
                writer.text("channel", "book")
                writer.pair("depth", depth)
                writer.array("data") { writer in
                    writer.object { write(book, .max, at: time, to: &$0) }
                }
            }
        }
    }

    /// A row with both sides, its time and its number.
    func write(_ book: ReferenceBook, _ limit: Int, at time: Timestamp, to writer: inout JSONWriter) {
        book.writeSides(("bids", "asks"), limit: limit, to: &writer) { writer in
            writer.string("1")
        }
        writer.pair("t", time.milliseconds)
        if let number = (book.session as? CryptoComSession)?.numbers(of: book.index).sequence {
            writer.pair("u", number)
        }
    }
}
