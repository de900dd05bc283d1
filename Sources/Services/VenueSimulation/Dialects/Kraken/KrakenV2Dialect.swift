import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Kraken's WebSocket interface v2, from the venue's side.
///
/// Source: Kraken API documentation, "Spot WebSocket v2", read 2026-11.
struct KrakenV2Dialect: ScanningDialect {
    let venue = Kraken.description.venue
    let options = [KrakenInterface.option.name: KrakenInterface.v2.rawValue]
    var depth = 0
    let heartbeat: [UInt8]? = Array(#"{"channel":"heartbeat"}"#.utf8)

    static func kind(ofChannel name: String) -> StreamKind? {
        switch name {
        case "book": .book
        case "trade": .trade
        case "ticker": .ticker
        case "ohlc": .candle
        case "instrument": .instrument
        default: nil
        }
    }

    // MARK: - Recorded messages

    func sight(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError) {
        var kind: StreamKind?
        var isHeartbeat = false
        var isSnapshot = false
        var data: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel") {
                let name = try scanner.text()
                kind = KrakenV2Dialect.kind(scanner, name)
                isHeartbeat = scanner.equals(name, "heartbeat")
            } else if scanner.equals(key, "type"), try scanner.peek() == 0x22 {
                let type = try scanner.text()
                isSnapshot = scanner.equals(type, "snapshot")
            } else {
                if scanner.equals(key, "data") { data = scanner.index }
                try scanner.skip()
            }
        }
        if isHeartbeat { subject.kind = .heartbeat }
        guard let kind, let data else { return }
        subject.isImage = isSnapshot && kind == .book
        scanner.index = data
        guard try scanner.peek() == 0x5B else { return }
        try scanner.array { scanner throws(ScanError) in
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "symbol"), try scanner.peek() == 0x22 else {
                    return try scanner.skip()
                }
                let symbol = try scanner.text()
                if let topic = topics.enter(kind, scanner.bytes(symbol)) { subject.note(topic) }
            }
        }
    }

    private static func kind(_ scanner: JSONScanner, _ name: JSONText) -> StreamKind? {
        if scanner.equals(name, "book") { return .book }
        if scanner.equals(name, "trade") { return .trade }
        if scanner.equals(name, "ticker") { return .ticker }
        if scanner.equals(name, "ohlc") { return .candle }
        return nil
    }

    // MARK: - WebSocket

    func opening(_ address: RequestAddress) -> Opening? { address.path == "/v2" ? Opening() : nil }

    func greeting(client: Int, at time: Timestamp) -> [UInt8]? {
        Array(
            ("{\"channel\":\"status\",\"type\":\"update\",\"data\":[{\"version\":\"2.0.10\",\"system\":\"online\","
                + "\"api_version\":\"v2\",\"connection_id\":\(9_007_199_254_740_993 + Int64(client))}]}").utf8
        )
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        guard let message = JSONValue(message: text), let method = message["method"]?.text else {
            return [.reply(Array(#"{"error":"Malformed request","success":false}"#.utf8))]
        }
        if method == "ping" { return [.reply(pong(message, time))] }
        let parameters = message["params"]
        guard method == "subscribe" || method == "unsubscribe", let channel = parameters?["channel"]?.text
        else {
            return [.reply(refusal("Method not supported", method, nil, message, time))]
        }
        let isEnd = method == "unsubscribe"
        let demand = Demand(
            kind: KrakenV2Dialect.kind(ofChannel: channel), symbol: nil,
            depth: channel == "book" ? parameters?["depth"]?.integer.map { Int(clamping: $0) } ?? 10 : nil,
            wantsImage: parameters?["snapshot"]?.flag ?? true, wording: channel, request: message,
            isEnd: isEnd)
        let symbols = parameters?["symbol"]?.elements.compactMap(\.text) ?? []
        let demands =
            symbols.isEmpty
            ? [demand]
            : symbols.map { symbol in
                var one = demand
                one.symbol = symbol
                return one
            }
        return demands.map { isEnd ? .unsubscribe($0) : .subscribe($0) }
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        let method = demand.isEnd ? "unsubscribe" : "subscribe"
        switch verdict {
        case .granted(let depth, _), .ended(let depth, _):
            return JSONWriter.message { writer in
                writer.text("method", method)
                writeID(demand.request, to: &writer)
                writer.object("result") { writer in
                    writer.text("channel", demand.wording)
                    if demand.kind == .book { writer.pair("depth", depth) }
                    if !demand.isEnd { writer.pair("snapshot", demand.wantsImage) }
                    writer.text("symbol", demand.symbol ?? "")
                }
                writer.pair("success", true)
                writeTimes(time, to: &writer)
            }
        case .unknownSymbol:
            let symbol = demand.symbol ?? ""
            return refusal("Currency pair not supported \(symbol)", method, symbol, demand.request, time)
        case .unknownKind:
            return refusal("Channel not supported", method, demand.symbol, demand.request, time)
        case .alreadySubscribed:
            return refusal("Already subscribed", method, demand.symbol, demand.request, time)
        case .notSubscribed:
            return refusal("Subscription Not Found", method, demand.symbol, demand.request, time)
        case .tooMany:
            return refusal("Exceeded subscription limit", method, demand.symbol, demand.request, time)
        }
    }

    private func refusal(
        _ why: String, _ method: String, _ symbol: String?, _ request: JSONValue, _ time: Timestamp
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("error", why)
            writer.text("method", method)
            writeID(request, to: &writer)
            writer.pair("success", false)
            if let symbol { writer.text("symbol", symbol) }
            writeTimes(time, to: &writer)
        }
    }

    private func pong(_ request: JSONValue, _ time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("method", "pong")
            writeID(request, to: &writer)
            writeTimes(time, to: &writer)
        }
    }

    private func writeID(_ request: JSONValue, to writer: inout JSONWriter) {
        if let id = request["req_id"] { writer.pair("req_id", id) }
    }

    private func writeTimes(_ time: Timestamp, to writer: inout JSONWriter) {
        let instant = time.iso8601(fractionDigits: 6)
        writer.text("time_in", instant)
        writer.text("time_out", instant)
    }

    // MARK: - Books

    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        let sides = book.top(depth == 0 ? .max : depth)
        return message("snapshot", book, sides, at: time)
    }

    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] {
        let sides = BookSides(
            bids: KrakenV2Dialect.levels(changes, .bid), asks: KrakenV2Dialect.levels(changes, .ask))
        guard !sides.bids.isEmpty || !sides.asks.isEmpty else { return [] }
        return [message("update", book, sides, at: time)]
    }

    /// A level that only left the view is not mentioned: the client drops it by itself.
    static func levels(_ changes: [ViewChange], _ side: BookSide) -> [BookLevel] {
        changes.filter { $0.side == side && $0.kind != .pushedOut }.map { change in
            change.kind == .removed ? BookLevel(price: change.level.price, size: .zero) : change.level
        }
    }

    private func message(_ type: String, _ book: ReferenceBook, _ sides: BookSides, at time: Timestamp)
        -> [UInt8]
    {
        JSONWriter.message { writer in
            writer.text("channel", "book")
            writer.text("type", type)
            writer.list("data", [book]) { book, writer in
                writer.text("symbol", book.symbol)
                for (name, side) in [("bids", BookSide.bid), ("asks", .ask)] {
                    writer.list(name, sides.levels(side)) { level, writer in
                        let places = KrakenPlaces(book, side, level)
                        writer.key("price")
                        writer.number(places.price.description)
                        writer.key("qty")
                        writer.number(places.size.description)
                    }
                }
                writer.pair("checksum", (book.session as? KrakenSession)?.checksum(of: book.index) ?? 0)
                writer.text("timestamp", time.iso8601(fractionDigits: 6))
            }
        }
    }

    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]? {
        guard topic.kind == .ticker || topic.kind == .candle else { return nil }
        return RowFilter.rebuild(frame) { $0 == topic.symbol }
    }

    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth {
        KrakenDialects.depth(in: message, isImage: isImage)
    }

    func depth(of recorded: RecordedDepth) -> Int { KrakenDialects.depth(of: recorded) }

    // MARK: - REST

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        KrakenREST.question(address, symbols: symbols)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        KrakenREST.book(book, limit: limit, at: time)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        let trades = frames.flatMap { frame in
            (JSONValue(message: frame)?["data"]?.elements ?? []).compactMap { row -> KrakenTrade? in
                guard row["symbol"]?.text == query.symbol, let price = row["price"]?.text,
                    let size = row["qty"]?.text,
                    let time = row["timestamp"]?.text.flatMap({ Timestamp(iso8601: $0) })
                else { return nil }
                return KrakenTrade(
                    price: price, size: size, time: time, isBuy: row["side"]?.text == "buy",
                    isMarket: row["ord_type"]?.text == "market", id: row["trade_id"]?.integer)
            }
        }
        return KrakenREST.trades(trades, query)
    }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        KrakenREST.candles(candles, query)
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        KrakenREST.instrumentList(instruments)
    }
    func restTime(at time: Timestamp) -> RESTAnswer { KrakenREST.time(time) }
    func unavailable() -> RESTAnswer { KrakenREST.unavailable() }
    func notFound() -> RESTAnswer { KrakenREST.notFound() }
}
