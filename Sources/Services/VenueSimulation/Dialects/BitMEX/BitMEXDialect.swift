import Instruments
import JSON
import MarketData
import Venues

/// BitMEX's realtime interface and public REST routes, from the venue's side.
///
/// Source: BitMEX, "WebSocket API" and "API Explorer", read 2026-11.
struct BitMEXDialect: ScanningDialect {
    let venue = BitMEX.description.venue
    /// 0, or 25 for a recording of `orderBookL2_25`.
    var depth = 0

    /// Tables by name, and what they are.
    static func kind(ofTable name: some StringProtocol) -> StreamKind? {
        switch name {
        case "orderBookL2", "orderBookL2_25": .book
        case "trade": .trade
        case "quote": .ticker
        case "instrument": .instrument
        default: nil
        }
    }

    func table(_ depth: Int) -> String { depth == 25 ? "orderBookL2_25" : "orderBookL2" }

    // MARK: - Recorded messages

    func sight(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError) {
        var kind: StreamKind?
        var isPartial = false
        var data: Int?
        var filter: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "table") {
                let name = try scanner.text()
                kind = BitMEXDialect.kind(scanner, name)
            } else if scanner.equals(key, "action") {
                let action = try scanner.text()
                isPartial = scanner.equals(action, "partial")
            } else {
                if scanner.equals(key, "data") { data = scanner.index }
                if scanner.equals(key, "filter") { filter = scanner.index }
                try scanner.skip()
            }
        }
        guard let kind else { return }
        subject.isImage = isPartial && kind == .book
        if let data {
            scanner.index = data
            try scanner.array { scanner throws(ScanError) in
                try noteSymbol(kind, &scanner, &topics, &subject)
            }
        }
        // An image without rows is about the symbol of its filter.
        if subject.topics.isEmpty, let filter {
            scanner.index = filter
            try noteSymbol(kind, &scanner, &topics, &subject)
        }
        // Rows of a table that we know, about nothing that can be named.
        if subject.topics.isEmpty { subject.kind = .unreadable }
    }

    private func noteSymbol(
        _ kind: StreamKind, _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable,
        _ subject: inout MessageSubject
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "symbol"), try scanner.peek() == 0x22 else { return try scanner.skip() }
            let symbol = try scanner.text()
            if let topic = topics.enter(kind, scanner.bytes(symbol)) { subject.note(topic) }
        }
    }

    private static func kind(_ scanner: JSONScanner, _ name: JSONText) -> StreamKind? {
        if scanner.equals(name, "orderBookL2") || scanner.equals(name, "orderBookL2_25") { return .book }
        if scanner.equals(name, "trade") { return .trade }
        if scanner.equals(name, "quote") { return .ticker }
        if scanner.equals(name, "instrument") { return .instrument }
        return nil
    }

    // MARK: - WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        guard address.path == "/realtime" else { return nil }
        let topics = address["subscribe"]?.split(separator: ",").map(String.init) ?? []
        guard !topics.isEmpty else { return Opening() }
        return Opening(steps: steps("subscribe", topics))
    }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        JSONWriter.message { writer in
            writer.text("info", "Welcome to the BitMEX Realtime API.")
            writer.text("version", "2.0.0")
            writer.text("timestamp", time.iso8601(fractionDigits: 3))
            writer.text("docs", "https://www.bitmex.com/app/wsAPI")
            writer.object("limit") { $0.pair("remaining", 39) }
        }
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        if text.elementsEqual("ping".utf8) { return [.reply(Array("pong".utf8))] }
        guard let message = JSONValue(message: text), let operation = message["op"]?.text else {
            return [.reply(refusal("Unrecognized request.", .string(String(decoding: text, as: UTF8.self))))]
        }
        let arguments = message["args"]
        let topics = arguments?.text.map { [$0] } ?? arguments?.elements.compactMap(\.text) ?? []
        guard operation == "subscribe" || operation == "unsubscribe", !topics.isEmpty else {
            return [.reply(refusal("Unknown or missing operation: \(operation)", message))]
        }
        return steps(operation, topics, message)
    }

    private func steps(_ operation: String, _ topics: [String], _ message: JSONValue? = nil) -> [ClientStep] {
        let request =
            message
            ?? .object(["op": .string(operation), "args": .array(topics.map { .string($0) })])
        return topics.map { topic in
            let parts = topic.split(separator: ":", maxSplits: 1)
            let table = parts.first ?? ""
            let demand = Demand(
                kind: BitMEXDialect.kind(ofTable: table), symbol: parts.count > 1 ? String(parts[1]) : nil,
                depth: table == "orderBookL2_25" ? 25 : 0, wording: topic, request: request,
                isEnd: operation == "unsubscribe")
            return demand.isEnd ? .unsubscribe(demand) : .subscribe(demand)
        }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        switch verdict {
        case .granted, .ended:
            return JSONWriter.message { writer in
                writer.pair("success", true)
                writer.text(demand.isEnd ? "unsubscribe" : "subscribe", demand.wording)
                writer.pair("request", demand.request)
            }
        case .unknownSymbol: return refusal("Unknown or expired symbol.", demand.request)
        case .unknownKind:
            return refusal("Unknown table: \(demand.wording.prefix { $0 != ":" })", demand.request)
        case .alreadySubscribed:
            return refusal("You are already subscribed to this topic: \(demand.wording)", demand.request)
        case .notSubscribed:
            return refusal("You are not subscribed to this topic: \(demand.wording)", demand.request)
        case .tooMany: return refusal("Too many subscriptions.", demand.request)
        }
    }

    private func refusal(_ why: String, _ request: JSONValue) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("status", 400)
            writer.text("error", why)
            writer.object("meta") { _ in }
            writer.pair("request", request)
        }
    }

    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]? {
        guard let row = RowFilter.rows(of: topic.symbol, in: frame).last else { return nil }
        let table: String
        switch topic.kind {
        case .trade: table = "trade"
        case .ticker: table = "quote"
        case .instrument: table = "instrument"
        case .book, .candle, .mark: return nil
        }
        return JSONWriter.message { writer in
            writer.text("table", table)
            writer.text("action", "partial")
            writer.texts("keys", [])
            writer.object("filter") { $0.text("symbol", topic.symbol) }
            writer.array("data") { $0.raw(row) }
        }
    }
}
