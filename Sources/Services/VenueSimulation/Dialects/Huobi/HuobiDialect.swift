import Instruments
import JSON
import MarketData
import MarketState
import Recordings
import Venues

/// HTX' public WebSocket and routes of spot, from the venue's side: books as changes (`mbp`) or as whole
/// images (`depth.step0`), whichever a recording has.
///
/// Sources: HTX, "Spot API reference", and a recording of `depth.step0` of 2021, read 2026-11. Not confirmed:
/// `mbp`; the words of refusals.
struct HuobiDialect: HistoryDialect {
    static let known = DialectDescription(description: Huobi.description, recognize: recognize)

    let description = Huobi.description
    /// Whether books come as changes, whose image is asked for on the connection.
    let followsChanges: Bool
    var depth = 0

    var options: [String: String] { [Huobi.bookOption.name: followsChanges ? "mbp" : "depth"] }
    var sendsImages: Bool { !followsChanges }
    var transform: (@Sendable ([UInt8]) -> [UInt8])? { { GzipStore.packed($0) } }

    /// The address of a connection tells, or else what is subscribed to, or the first message.
    private static func recognize(_ entry: RecordingFrame?) -> (any Dialect)? {
        guard let entry, entry.kind == .ws else { return nil }
        if entry.direction == .open {
            let path = RequestAddress(url: String(decoding: entry.url, as: UTF8.self)).path
            return path == "/feed" ? HuobiDialect(followsChanges: true) : nil
        }
        let text = String(decoding: entry.data, as: UTF8.self)
        if text.contains(".mbp.") { return HuobiDialect(followsChanges: true) }
        let isData = entry.direction == .in && text.contains("\"ch\"")
        return isData || text.contains(".depth.") ? HuobiDialect(followsChanges: false) : nil
    }

    /// The kind and the symbol of a channel such as `market.btcusdt.depth.step0`.
    private static func topic(_ channel: String?) -> (kind: StreamKind?, symbol: String) {
        let parts = (channel ?? "").split(separator: ".").map(String.init)
        guard parts.count >= 3, parts[0] == "market" else { return (nil, "") }
        let kind: StreamKind? =
            switch parts[2] {
            case "mbp": .book
            case "depth" where parts.last == "step0": .book
            case "trade": .trade
            case "bbo", "ticker": .ticker
            case "kline" where parts.last == "1min": .candle
            default: nil
            }
        return (kind, parts[1])
    }

    // MARK: Recorded messages

    /// The answer to a request for an image is control: who asks here gets one of its own.
    func content(of message: JSONValue) -> MessageContent {
        if message["ping"] != nil { return .heartbeat }
        let (kind, symbol) = Self.topic(message["ch"]?.text)
        guard let kind else { return .control }
        return .market(kind, [symbol], isImage: kind == .book && !followsChanges)
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path.hasSuffix("/market/depth") ? address["symbol"] : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        address.path == "/ws" || address.path == "/feed" ? Opening() : nil
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        for (verb, isEnd) in [("sub", false), ("unsub", true), ("req", false)] {
            guard let channel = message[verb]?.text else { continue }
            let (kind, symbol) = Self.topic(channel)
            let demand = Demand(
                kind: kind, symbol: symbol, wording: channel, request: message, isEnd: isEnd)
            if verb == "req" { return kind == .book ? [.image(demand)] : [] }
            return isEnd ? [.unsubscribe(demand)] : [.subscribe(demand)]
        }
        // The answer to a ping.
        return []
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        let refusal: (code: String, words: String)? =
            switch verdict {
            case .granted, .ended, .alreadySubscribed, .notSubscribed: nil
            case .unknownSymbol: ("bad-request", "invalid symbol")
            case .unknownKind: ("bad-request", "invalid topic \(demand.wording)")
            case .tooMany: ("too-many-request", "too many requests")
            }
        return JSONWriter.message { writer in
            writer.pair("id", demand.request["id"] ?? .null)
            writer.text("status", refusal == nil ? "ok" : "error")
            if let refusal {
                writer.text("err-code", refusal.code)
                writer.text("err-msg", refusal.words)
            } else {
                writer.text(demand.isEnd ? "unsubbed" : "subbed", demand.wording)
            }
            writer.pair("ts", time.milliseconds)
        }
    }

    /// With changes the answer to a request for it, otherwise a message like any other.
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            if followsChanges {
                writer.text("status", "ok")
                writer.text("rep", "market.\(book.symbol).mbp.150")
            } else {
                writer.text("ch", "market.\(book.symbol).depth.step0")
            }
            writer.pair("ts", time.milliseconds)
            writer.object(followsChanges ? "data" : "tick") { writer in
                writeBook(book, at: time, to: &writer)
            }
        }
    }

    func writeBook(_ book: ReferenceBook, at time: Timestamp, to writer: inout JSONWriter) {
        for (name, side) in [("bids", BookSide.bid), ("asks", .ask)] {
            writer.array(name) { writer in
                for level in book.levels(side, 0) {
                    writer.array { writer in
                        writer.number(level.price.rawValue, book.book.priceScale)
                        writer.number(level.size.rawValue, book.book.sizeScale)
                    }
                }
            }
        }
        if followsChanges {
            writer.pair("seqNum", (book.session as? HuobiSession)?.lastSequence(of: book.index) ?? 0)
        } else {
            writer.pair("ts", time.milliseconds)
        }
    }
}
