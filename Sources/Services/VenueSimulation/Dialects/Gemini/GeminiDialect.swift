import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Gemini's "Market Data v2" from the venue's side.
///
/// One subscription, `l2`, brings books and trades.
///
/// Sources: Gemini, developer documentation, "Market data, Version 2"; its refusals are not confirmed.
struct GeminiDialect: TreeDialect {
    static let described = DialectDescription(
        description: Gemini.description, recognize: { _ in GeminiDialect() })

    let description = Gemini.description
    let sockets: Set<String> = ["/v2/marketdata"]
    let hasOneList = false
    var depth = 0

    private static func kinds(ofFeed name: String) -> [StreamKind] {
        switch name {
        case "l2": [.book, .trade]
        case let name where name.hasPrefix("candles_"): [.candle]
        default: []
        }
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        guard let type = message["type"]?.text else { return .control }
        let symbols = [message["symbol"]?.text ?? ""]
        switch type {
        case "l2_updates":
            let isImage = message["trades"] != nil || message["auction_events"] != nil
            return .market(.book, symbols, isImage: isImage, others: [.trade])
        case "trade": return .market(.trade, symbols)
        case "heartbeat": return .heartbeat
        case let type where type.hasPrefix("candles_"): return .market(.candle, symbols)
        default: return .control
        }
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let type = message["type"]?.text
        guard type == "subscribe" || type == "unsubscribe" else {
            return [.reply(refusal("InvalidJson", "Unknown type"))]
        }
        return (message["subscriptions"]?.elements ?? []).flatMap { subscription in
            let name = subscription["name"]?.text ?? ""
            let kinds = GeminiDialect.kinds(ofFeed: name).map(StreamKind?.some)
            let symbols = (subscription["symbols"]?.elements ?? []).compactMap(\.text)
            return symbols.flatMap { symbol in
                (kinds.isEmpty ? [nil] : kinds).map { kind in
                    ClientStep.asking(
                        Demand(
                            kind: kind, symbol: symbol, wording: name, request: message,
                            isEnd: type == "unsubscribe"))
                }
            }
        }
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { refusal("InvalidJson", "") }

    /// Subscriptions are answered by their data alone.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? {
        guard let (demand, verdict) = conclusion.refused.first else { return nil }
        switch verdict {
        case .unknownSymbol: return refusal("InvalidSymbol", "Unknown symbol \(demand.symbol ?? "")")
        case .tooMany: return refusal("RateLimit", "Too many subscriptions, try again later")
        default: return refusal("InvalidSubscription", "Unknown subscription \(demand.wording)")
        }
    }

    private func refusal(_ reason: String, _ words: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("result", "error")
            writer.text("reason", reason)
            writer.text("message", words)
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("type", "l2_updates")
            writer.text("symbol", book.symbol)
            writer.array("changes") { writer in
                for side in [BookSide.bid, .ask] {
                    for level in book.top(.max).levels(side) {
                        writer.array { writer in
                            writer.string(side == .bid ? "buy" : "sell")
                            writer.decimal(level.price.rawValue, book.book.priceScale)
                            writer.decimal(level.size.rawValue, book.book.sizeScale)
                        }
                    }
                }
            }
            writer.array("trades") { _ in }
            writer.array("auction_events") { _ in }
        }
    }
}
