import Instruments
import JSON
import MarketData
import Venues

/// Binance's market streams and public REST routes (spot, Binance.US, futures), from the venue's side.
///
/// Stream names are matched by their kind: `@depth`, `@depth@100ms` and `@depth@0ms` are one, `@aggTrade` and
/// `@trade` too, so that whoever asks for one gets what the recording has.
///
/// Source: Binance API documentation, "WebSocket Streams" and "Market Data endpoints", read 2026-11.
struct BinanceDialect: ScanningDialect {
    let venue: Venue
    let market: BinanceMarket
    let hasSecondCandles: Bool
    let foldsCase = true
    let sendsImages = false
    var depth = 0

    var isFutures: Bool { market != .spot }

    /// The kind in `<symbol>@<kind>…`, of which only the beginning counts.
    static func kind(ofStream name: some Sequence<UInt8>) -> StreamKind? {
        let name = Array(name)
        if name.starts(with: "depth".utf8) { return .book }
        if name.starts(with: "aggTrade".utf8) || name.starts(with: "trade".utf8) { return .trade }
        if name.starts(with: "bookTicker".utf8) { return .ticker }
        if name.starts(with: "kline_".utf8) { return .candle }
        if name.starts(with: "markPrice".utf8) { return .mark }
        return nil
    }

    // MARK: - Recorded messages

    func sight(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError) {
        var stream: JSONText?
        var event: JSONText?
        var symbol: JSONText?
        var quoteKeys = 0
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "stream") {
                stream = try scanner.text()
                // The stream's name says all.
                return
            }
            if stream == nil, try scanner.peek() == 0x22 {
                switch scanner.single(key) {
                case 0x65: event = try scanner.text()
                case 0x73: symbol = try scanner.text()
                case 0x62, 0x42, 0x61, 0x41:
                    quoteKeys += 1
                    try scanner.skip()
                default: try scanner.skip()
                }
            } else {
                try scanner.skip()
            }
        }
        if let stream {
            let name = scanner.bytes(stream)
            guard let at = name.firstIndex(of: 0x40),
                let kind = BinanceDialect.kind(ofStream: name[(at + 1)...])
            else { return }
            note(kind, UnsafeRawBufferPointer(rebasing: name[..<at]), &topics, &subject)
        } else if let symbol {
            let kind =
                event.flatMap { BinanceDialect.kind(ofEvent: scanner, $0) }
                ?? (quoteKeys == 4 ? .ticker : nil)
            if let kind { note(kind, scanner.bytes(symbol), &topics, &subject) }
        }
    }

    private func note(
        _ kind: StreamKind, _ symbol: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable,
        _ subject: inout MessageSubject
    ) {
        if let topic = topics.enter(kind, symbol) { subject.note(topic) }
    }

    private static func kind(ofEvent scanner: JSONScanner, _ event: JSONText) -> StreamKind? {
        if scanner.equals(event, "depthUpdate") { return .book }
        if scanner.equals(event, "aggTrade") || scanner.equals(event, "trade") { return .trade }
        if scanner.equals(event, "bookTicker") { return .ticker }
        if scanner.equals(event, "kline") { return .candle }
        if scanner.equals(event, "markPriceUpdate") { return .mark }
        return nil
    }

    func imageSymbol(ofURL url: String) -> String? {
        let address = RequestAddress(url: url)
        guard address.path.hasSuffix("/depth") else { return nil }
        return address["symbol"]?.uppercased()
    }

    // MARK: - WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        // USD-M futures have an address for each kind of data; either brings all of it here.
        let roots = ["/public/", "/market/"]
        let root = roots.first { address.path.hasPrefix($0) }
        let path = root.map { String(address.path.dropFirst($0.count - 1)) } ?? address.path
        if path == "/stream" {
            let streams = address["streams"]?.split(separator: "/").map(String.init) ?? []
            return Opening(steps: streams.map { .subscribe(demand($0, .null, isEnd: false)) })
        }
        guard path == "/ws" || path.hasPrefix("/ws/") else { return nil }
        let streams = path.dropFirst("/ws/".count).split(separator: "/").map(String.init)
        return Opening(steps: streams.map { .subscribe(demand($0, .null, isEnd: false)) }, isRaw: true)
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        guard let message = JSONValue(message: text) else {
            return [.reply(Array(#"{"error":{"code":3,"msg":"Invalid JSON: expected value"}}"#.utf8))]
        }
        let method = message["method"]?.text
        guard method == "SUBSCRIBE" || method == "UNSUBSCRIBE" else {
            let error = JSONWriter.message { writer in
                writer.object("error") { writer in
                    writer.pair("code", 2)
                    writer.text("msg", "Invalid request: unknown method")
                }
                writer.pair("id", message["id"] ?? .null)
            }
            return [.reply(error)]
        }
        let isEnd = method == "UNSUBSCRIBE"
        var steps: [ClientStep] = (message["params"]?.elements ?? []).compactMap(\.text).map { stream in
            let demand = demand(stream, message, isEnd: isEnd)
            return isEnd ? .unsubscribe(demand) : .subscribe(demand)
        }
        let answer = JSONWriter.message { writer in
            writer.pair("result", JSONValue.null)
            writer.pair("id", message["id"] ?? .null)
        }
        steps.append(.reply(answer))
        return steps
    }

    private func demand(_ stream: String, _ request: JSONValue, isEnd: Bool) -> Demand {
        let parts = stream.split(separator: "@", maxSplits: 1)
        let kind = parts.count > 1 ? BinanceDialect.kind(ofStream: parts[1].utf8) : nil
        return Demand(
            kind: kind, symbol: parts.first?.uppercased() ?? "", wording: stream, request: request,
            isEnd: isEnd)
    }

    /// Streams are answered together; unknown ones are silent, as on the venue.
    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? { nil }

    /// Adds or takes away the name of the stream around the data.
    func framed(_ frame: [UInt8], for opening: Opening) -> [UInt8] {
        let isCombined = frame.starts(with: "{\"stream\":".utf8)
        guard isCombined == opening.isRaw else { return frame }
        if opening.isRaw { return BinanceStreams.unwrapped(frame) ?? frame }
        return BinanceStreams.wrapped(frame) ?? frame
    }

    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] { [] }

    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] { [] }

    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]? { nil }
}

/// The envelope of combined streams.
enum BinanceStreams {
    /// The data alone.
    static func unwrapped(_ frame: [UInt8]) -> [UInt8]? {
        frame.withUnsafeBytes { frame in
            guard var scanner = JSONScanner(frame) else { return nil }
            var data: [UInt8]?
            do throws(ScanError) {
                try scanner.object { scanner, key throws(ScanError) in
                    _ = try scanner.peek()
                    let start = scanner.index
                    try scanner.skip()
                    if scanner.equals(key, "data") { data = Array(frame[start..<scanner.index]) }
                }
            } catch {
                return nil
            }
            return data
        }
    }

    /// The data with the name of the stream that it would come by.
    static func wrapped(_ frame: [UInt8]) -> [UInt8]? {
        guard let event = JSONValue(message: frame), let symbol = event["s"]?.text?.lowercased() else {
            return nil
        }
        let stream: String
        switch event["e"]?.text {
        case "depthUpdate": stream = "\(symbol)@depth"
        case "kline": stream = "\(symbol)@kline_\(event["k"]?["i"]?.text ?? "1m")"
        case nil: stream = "\(symbol)@bookTicker"
        case .some(let name): stream = "\(symbol)@\(name)"
        }
        return Array("{\"stream\":\"\(stream)\",\"data\":".utf8) + frame + [0x7D]
    }
}
