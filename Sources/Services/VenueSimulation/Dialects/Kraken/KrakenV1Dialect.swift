import Instruments
import JSON
import MarketData
import Venues

/// Kraken's WebSocket interface v1, from the venue's side.
///
/// Source: Kraken API documentation, "Spot WebSocket v1", read 2026-11.
struct KrakenV1Dialect: ScanningDialect {
    let venue = Kraken.description.venue
    let options = [KrakenInterface.option.name: KrakenInterface.v1.rawValue]
    var depth = 0
    let heartbeat: [UInt8]? = Array(#"{"event":"heartbeat"}"#.utf8)

    /// `book-1000` is a book, `ohlc-1` a candle.
    static func kind(ofChannel name: String) -> StreamKind? {
        switch name.prefix(while: { $0 != "-" }) {
        case "book": .book
        case "trade": .trade
        case "ticker": .ticker
        case "ohlc": .candle
        default: nil
        }
    }

    // MARK: - Recorded messages

    func sight(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError) {
        if try scanner.peek() == 0x5B {
            try sightArray(&scanner, &topics, &subject)
        } else {
            try sightEvent(&scanner, &subject)
        }
    }

    /// Reads `[channelID, payload…, "channel", "pair"]`.
    private func sightArray(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError) {
        var names: (channel: JSONText?, pair: JSONText?)
        var position = 0
        var channelID: Int64 = -1
        var isImage = false
        try scanner.array { scanner throws(ScanError) in
            defer { position += 1 }
            switch try scanner.peek() {
            case 0x22: names = (names.pair, try scanner.text())
            case 0x7B where position == 1:
                try scanner.object { scanner, key throws(ScanError) in
                    if scanner.equals(key, "as") || scanner.equals(key, "bs") { isImage = true }
                    try scanner.skip()
                }
            default:
                if position == 0 { channelID = try scanner.integer() } else { try scanner.skip() }
            }
        }
        guard let channel = names.channel, let pair = names.pair,
            let kind = scanner.string(channel).flatMap(KrakenV1Dialect.kind(ofChannel:)),
            let topic = topics.enter(kind, scanner.bytes(pair))
        else { return }
        subject.channelID = channelID
        subject.isImage = isImage && kind == .book
        subject.note(topic)
    }

    private func sightEvent(_ scanner: inout JSONScanner, _ subject: inout MessageSubject) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "event") else { return try scanner.skip() }
            let event = try scanner.text()
            if scanner.equals(event, "heartbeat") { subject.kind = .heartbeat }
        }
    }

    // MARK: - WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path.isEmpty ? Opening() : nil }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        Array(
            ("{\"connectionID\":\(9_007_199_254_740_993 + Int64(client)),\"event\":\"systemStatus\","
                + "\"status\":\"online\",\"version\":\"1.9.0\"}").utf8)
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        guard let message = JSONValue(message: text), let event = message["event"]?.text else {
            return [.reply(Array(#"{"errorMessage":"Malformed request","event":"error"}"#.utf8))]
        }
        if event == "ping" {
            let pong = JSONWriter.message { writer in
                writer.text("event", "pong")
                writeID(message, to: &writer)
            }
            return [.reply(pong)]
        }
        let subscription = message["subscription"]
        guard event == "subscribe" || event == "unsubscribe", let name = subscription?["name"]?.text else {
            return [.reply(Array(#"{"errorMessage":"Unsupported event","event":"error"}"#.utf8))]
        }
        let isEnd = event == "unsubscribe"
        let depth = subscription?["depth"]?.integer.map { Int(clamping: $0) } ?? 10
        return (message["pair"]?.elements ?? []).compactMap(\.text).map { pair in
            let demand = Demand(
                kind: KrakenV1Dialect.kind(ofChannel: name), symbol: pair,
                depth: name == "book" ? depth : nil,
                wantsImage: subscription?["snapshot"]?.flag ?? true, wording: name, request: message,
                isEnd: isEnd)
            return isEnd ? .unsubscribe(demand) : .subscribe(demand)
        }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        let error: String?
        var granted: (depth: Int, channelID: Int64)?
        switch verdict {
        case .granted(let depth, let channelID), .ended(let depth, let channelID):
            error = nil
            granted = (depth, channelID)
        case .unknownSymbol: error = "Currency pair not supported \(demand.symbol ?? "")"
        case .unknownKind: error = "Subscription name invalid"
        case .alreadySubscribed: error = "Already subscribed"
        case .notSubscribed: error = "Subscription Not Found"
        case .tooMany: error = "Exceeded subscription limit"
        }
        return JSONWriter.message { writer in
            if let granted {
                writer.pair("channelID", max(granted.channelID, 0))
                writer.text("channelName", channelName(demand.wording, granted.depth))
            }
            if let error { writer.text("errorMessage", error) }
            writer.text("event", "subscriptionStatus")
            writer.text("pair", demand.symbol ?? "")
            writeID(demand.request, to: &writer)
            writer.text("status", error != nil ? "error" : demand.isEnd ? "unsubscribed" : "subscribed")
            writer.object("subscription") { writer in
                if demand.kind == .book { writer.pair("depth", granted?.depth ?? demand.depth ?? 0) }
                writer.text("name", demand.wording)
            }
        }
    }

    private func channelName(_ name: String, _ depth: Int) -> String {
        name == "book" ? "book-\(depth)" : name
    }

    private func writeID(_ request: JSONValue, to writer: inout JSONWriter) {
        if let id = request["reqid"] { writer.pair("reqid", id) }
    }

    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]? {
        topic.kind == .ticker || topic.kind == .candle ? frame : nil
    }
}
