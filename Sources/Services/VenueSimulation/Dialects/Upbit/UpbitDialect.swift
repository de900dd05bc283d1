import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Upbit's public WebSocket and routes, from the venue's side.
///
/// Messages of either format are played as they were recorded, whichever a client asks for.
///
/// Sources: Upbit, "WebSocket usage guide", "Orderbook", "Trade", and a recording of 2021, read 2026-11. Not
/// confirmed: that a list replaces the one before it; that unknown codes are silent.
struct UpbitDialect: HistoryDialect {
    static let known = DialectDescription(description: Upbit.description, recognize: { _ in UpbitDialect() })

    let description = Upbit.description
    var depth = 0

    private static let kinds: [(name: String, kind: StreamKind)] = [
        ("orderbook", .book), ("trade", .trade), ("ticker", .ticker), ("candle.1m", .candle),
    ]

    private static func kind(of name: String?) -> StreamKind? { kinds.first { $0.name == name }?.kind }

    /// A field by its name in either format.
    static func field(_ row: JSONValue, _ name: String, _ short: String) -> JSONValue? {
        row[name] ?? row[short]
    }

    // MARK: Recorded messages

    func content(of message: JSONValue) -> MessageContent {
        let rows = message.elements.isEmpty ? [message] : message.elements
        guard let kind = Self.kind(of: rows.first.flatMap { Self.field($0, "type", "ty") }?.text) else {
            return .control
        }
        let symbols = rows.compactMap { Self.field($0, "code", "cd")?.text }
        return symbols.isEmpty ? .control : .market(kind, symbols, isImage: kind == .book)
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path.hasSuffix("/orderbook") ? address["markets"] : nil
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        address.path == "/websocket/v1" ? Opening() : nil
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        if text.elementsEqual("PING".utf8) { return [.reply(Array(#"{"status":"UP"}"#.utf8))] }
        guard let message = JSONValue(message: text), !message.elements.isEmpty else {
            return [
                .reply(Array(#"{"error":{"name":"WRONG_FORMAT","message":"Format doesn't match"}}"#.utf8))
            ]
        }
        return steps(of: message, at: time)
    }

    /// A list of types with their codes replaces the one before it, and is not answered.
    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        func demand(_ kind: StreamKind?, _ symbol: String?) -> Demand {
            Demand(kind: kind, symbol: symbol, wording: "", request: .null)
        }
        var steps: [ClientStep] = Self.kinds.map { .unsubscribe(demand($0.kind, nil)) }
        for part in message.elements {
            guard let kind = Self.kind(of: part["type"]?.text) else { continue }
            for code in (part["codes"]?.elements ?? []).compactMap(\.text) {
                steps.append(.subscribe(demand(kind, code)))
            }
        }
        return steps
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("type", "orderbook")
            writer.text("code", book.symbol)
            writeBook(book, 0, at: time, to: &writer)
            writer.text("stream_type", "SNAPSHOT")
        }
    }

    /// Asks and bids of a rank stand together; what the shorter side has not is 0.
    func writeBook(_ book: ReferenceBook, _ limit: Int, at time: Timestamp, to writer: inout JSONWriter) {
        let (bids, asks) = (book.levels(.bid, limit), book.levels(.ask, limit))
        writer.pair("timestamp", time.milliseconds)
        writer.list("orderbook_units", Array(0..<max(bids.count, asks.count))) { rank, writer in
            for (name, levels) in [("ask", asks), ("bid", bids)] {
                let level = rank < levels.count ? levels[rank] : BookLevel(price: Price(0), size: .zero)
                writer.shortest("\(name)_price", level.price.rawValue, book.book.priceScale)
                writer.shortest("\(name)_size", level.size.rawValue, book.book.sizeScale)
            }
        }
    }
}
