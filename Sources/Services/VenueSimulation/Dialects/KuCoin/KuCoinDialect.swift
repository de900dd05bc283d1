import Instruments
import JSON
import Venues

/// KuCoin's public WebSocket and routes of spot, from the venue's side.
///
/// Its candles are not played: the venue says neither when one is over nor how many trades it has.
///
/// Sources: KuCoin API documentation, "WebSocket, Introduction", "Orderbook - Increment", "Get Part
/// OrderBook", and a recording of 2021, read 2026-11. Not confirmed: the words of refusals.
struct KuCoinDialect: HistoryDialect {
    static let known = DialectDescription(
        description: KuCoin.description, recognize: { _ in KuCoinDialect() })

    let description = KuCoin.description
    let sendsImages = false
    let takesPosts = true
    var depth = 0

    private static func kind(of topic: some StringProtocol) -> StreamKind? {
        switch topic {
        case "/market/level2": .book
        case "/market/match": .trade
        case "/market/ticker": .ticker
        default: nil
        }
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        guard message["type"]?.text == "message", let topic = message["topic"]?.text else { return .control }
        let parts = topic.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Self.kind(of: parts[0]) else { return .control }
        // The topic of all tickers names its instrument in the subject.
        let symbol = parts[1] == "all" ? message["subject"]?.text ?? "" : parts[1]
        return .market(kind, [symbol])
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        let route = address.path.split(separator: "/").last ?? ""
        guard address.path.contains("/market/orderbook/"), route.hasPrefix("level2") else { return nil }
        return address["symbol"]
    }

    // MARK: WebSocket

    /// A connection needs a token.
    func opening(_ address: RequestAddress) -> Opening? {
        let isKnown = address.path.isEmpty || address.path == "/endpoint"
        return isKnown && address["token"]?.isEmpty == false ? Opening() : nil
    }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        Array(#"{"id":"\#(client)","type":"welcome"}"#.utf8)
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let id = message["id"]?.text ?? ""
        switch message["type"]?.text {
        case "ping":
            let answer = JSONWriter.message { writer in
                writer.text("id", id)
                writer.text("type", "pong")
                writer.pair("timestamp", time.milliseconds)
            }
            return [.reply(answer)]
        case "subscribe", "unsubscribe":
            let parts = (message["topic"]?.text ?? "").split(separator: ":", maxSplits: 1).map(String.init)
            let symbols = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : [""]
            let isEnd = message["type"]?.text == "unsubscribe"
            return [
                .together(
                    symbols.map { symbol in
                        Demand(
                            kind: Self.kind(of: parts.first ?? ""), symbol: symbol == "all" ? nil : symbol,
                            wording: "\(parts.first ?? ""):\(symbol)", request: message, isEnd: isEnd)
                    })
            ]
        default: return []
        }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        if demand.isAnswered { return nil }
        switch verdict {
        case .granted, .ended, .alreadySubscribed, .notSubscribed:
            guard demand.request["response"]?.flag == true else { return nil }
            return answer(to: demand.request, "ack")
        case .unknownSymbol, .unknownKind:
            return answer(to: demand.request, "error", 404, "topic \(demand.wording) is not found")
        case .tooMany: return answer(to: demand.request, "error", 509, "exceed max subscription count")
        }
    }

    private func answer(
        to request: JSONValue, _ type: String, _ code: Int = 0, _ words: String = ""
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("id", request["id"]?.text ?? "")
            writer.text("type", type)
            if code != 0 {
                writer.pair("code", code)
                writer.text("data", words)
            }
        }
    }
}
