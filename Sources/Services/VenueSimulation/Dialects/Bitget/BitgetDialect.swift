import Instruments
import JSON
import Venues

/// Bitget's public interface v2 from the venue's side, which plays recordings of v1 as well.
///
/// Sources: Bitget API documentation v2, "Websocket API" and "Depth Channel", not confirmed by its pages; a
/// recording of v1 of 2022 has the acknowledgements.
struct BitgetDialect: TreeDialect {
    static let described = DialectDescription(
        description: Bitget.description, recognize: { _ in BitgetDialect() })

    let description = Bitget.description
    let sockets: Set<String> = ["/v2/ws/public"]
    let textPing: (question: String, answer: String)? = ("ping", "pong")
    /// Each product has a list.
    let hasOneList = false
    var depth = 0

    private static func kind(ofChannel name: String) -> StreamKind? {
        switch name {
        case "books", "books1", "books5", "books15": .book
        case "trade": .trade
        case "ticker": .ticker
        case let name where name.hasPrefix("candle"): .candle
        default: nil
        }
    }

    /// The name by which sessions of ours know an instrument: its product, a colon, and its symbol.
    static func symbol(_ product: String, _ id: String) -> String { "\(product):\(id)" }

    private static func topic(_ argument: JSONValue) -> (kind: StreamKind?, symbol: String) {
        let symbol = symbol(argument["instType"]?.text ?? "", argument["instId"]?.text ?? "")
        return (kind(ofChannel: argument["channel"]?.text ?? ""), symbol)
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        guard let argument = message["arg"], message["event"] == nil else { return .control }
        let (kind, symbol) = BitgetDialect.topic(argument)
        guard let kind else { return .control }
        return .market(kind, [symbol], isImage: kind == .book && message["action"]?.text == "snapshot")
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        ArgMessages.steps(of: message, BitgetDialect.topic)
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { refusal(30_003, "INVALID op", .null) }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        guard verdict.isRefusal else { return ArgMessages.confirmation(demand) }
        if verdict == .tooMany { return refusal(30_007, "request over limit", demand.request) }
        let parts = (demand.symbol ?? "").split(separator: ":", maxSplits: 1)
        let words = "instType:\(parts.first ?? ""),channel:\(demand.wording),instId:\(parts.last ?? "")"
        return refusal(30_001, "\(words) doesn't exist", demand.request)
    }

    private func refusal(_ code: Int, _ words: String, _ argument: JSONValue) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", "error")
            if argument != .null { writer.pair("arg", argument) }
            writer.pair("code", code)
            writer.text("msg", words)
            writer.text("op", "subscribe")
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        ArgMessages.image(of: book) { writer, sent in
            writer.text("ts", "\(time.milliseconds)")
            guard let sequence = sent.sequence else { return }
            writer.pair("pseq", 0)
            writer.pair("seq", sequence)
        }
    }
}
