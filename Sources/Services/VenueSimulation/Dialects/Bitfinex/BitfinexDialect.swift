import Instruments
import JSON
import MarketData
import Venues

/// Bitfinex' public WebSocket and REST, version 2, from the venue's side.
///
/// Every connection has numbered messages here, whether it asks for them or not. Messages name their topic by
/// the number of its channel alone, which an event said before.
///
/// Sources: Bitfinex API documentation, "General", "Books", "Trades", and a recording of 2021, read 2026-11.
/// Not confirmed: the words of refusals.
struct BitfinexDialect: HistoryDialect {
    static let known = DialectDescription(
        description: Bitfinex.description, recognize: { _ in BitfinexDialect() })

    /// That messages have numbers.
    private static let numberFlag: Int64 = 65_536

    let description = Bitfinex.description
    let numbersMessages = true
    var depth = 0

    private static func kind(of channel: String?) -> StreamKind? {
        switch channel {
        case "book": .book
        case "trades": .trade
        case "ticker": .ticker
        default: nil
        }
    }

    // MARK: Recorded messages

    /// Events alone; what a message of a channel is about is for ``sight(_:_:_:)``.
    func content(of message: JSONValue) -> MessageContent { .control }

    func sight(
        _ frame: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) {
        subject.reset()
        guard let message = JSONValue(message: frame) else { return subject.kind = .unreadable }
        let parts = message.elements
        guard parts.count > 1, let id = parts[0].integer else {
            if message["event"]?.text == "subscribed" { Self.note(message, &topics) }
            return
        }
        if parts[1].text == "hb" { return subject.kind = .heartbeat }
        guard let topic = topics.channels[id], let index = topics.enter(topic.kind, topic.symbol) else {
            return
        }
        subject.note(index)
        subject.channelID = id
        subject.isImage = topic.kind == .book && parts[1].elements.first?.elements.isEmpty == false
    }

    /// What a channel's number stands for; books of other precisions are no books of levels.
    private static func note(_ event: JSONValue, _ topics: inout VenueTopicTable) {
        guard let id = event["chanId"]?.integer, let kind = kind(of: event["channel"]?.text),
            let symbol = event["symbol"]?.text, symbol.hasPrefix("t"), event["prec"]?.text ?? "P0" == "P0"
        else { return }
        topics.channels[id] = VenueTopic(kind: kind, symbol: symbol)
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path == "/ws/2" ? Opening() : nil }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        Array(#"{"event":"info","version":2,"serverId":"\#(client)","platform":{"status":1}}"#.utf8)
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        switch message["event"]?.text {
        case "ping":
            let answer = JSONWriter.message { writer in
                writer.text("event", "pong")
                writer.pair("ts", time.milliseconds)
                if let id = message["cid"] { writer.pair("cid", id) }
            }
            return [.reply(answer)]
        case "conf":
            // Checksums are not played: nothing of them stands in the recorded books.
            let flags = (message["flags"]?.integer ?? 0) & Self.numberFlag
            return [.reply(Array(#"{"event":"conf","status":"OK","flags":\#(flags)}"#.utf8))]
        case "subscribe":
            return [
                .subscribe(
                    Demand(
                        kind: Self.kind(of: message["channel"]?.text),
                        symbol: message["symbol"]?.text ?? "", wording: message["channel"]?.text ?? "",
                        request: message))
            ]
        case "unsubscribe":
            var demand = Demand(kind: nil, symbol: nil, wording: "", request: message, isEnd: true)
            demand.channelID = message["chanId"]?.integer
            return [.unsubscribe(demand)]
        default: return []
        }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        switch verdict {
        case .granted(_, let id): return subscribed(demand, id)
        case .ended(_, let id):
            return Array(#"{"event":"unsubscribed","status":"OK","chanId":\#(id)}"#.utf8)
        case .notSubscribed: return refusal("unsubscribe: invalid", 10_400, demand)
        case .unknownSymbol: return refusal("symbol: invalid", 10_300, demand)
        case .unknownKind: return refusal("channel: unknown", 10_302, demand)
        case .alreadySubscribed: return refusal("subscribe: dup", 10_301, demand)
        case .tooMany: return refusal("subscribe: limit", 10_305, demand)
        }
    }

    private func subscribed(_ demand: Demand, _ id: Int64) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", "subscribed")
            writer.text("channel", demand.wording)
            writer.pair("chanId", id)
            writer.text("symbol", demand.symbol ?? "")
            for name in ["prec", "freq", "len"] {
                if let value = demand.request[name] { writer.pair(name, value) }
            }
            writer.text("pair", String(demand.symbol?.dropFirst() ?? ""))
        }
    }

    private func refusal(_ words: String, _ code: Int, _ demand: Demand) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", "error")
            writer.text("msg", words)
            writer.pair("code", code)
            for name in ["channel", "symbol", "chanId"] {
                if let value = demand.request[name] { writer.pair(name, value) }
            }
        }
    }
}
