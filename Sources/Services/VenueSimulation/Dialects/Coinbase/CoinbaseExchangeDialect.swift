import Instruments
import JSON
import Recordings
import Venues

/// The feed of Coinbase Exchange, once Coinbase Pro and GDAX, from the venue's side.
///
/// `level2` and `level2_batch` are one, so that whoever asks for one gets what the recording has.
///
/// Sources: Coinbase Developer Documentation, "Exchange WebSocket channels", not confirmed; a recording of
/// 2021 has the acknowledgements.
struct CoinbaseExchangeDialect: TreeDialect {
    static let described = DialectDescription(
        description: Coinbase.description, recognize: recognize,
        synthetic: SyntheticVenue(
            instruments: SyntheticInstrument.coinbase, dialect: CoinbaseExchangeDialect(), bookDepth: 1_000,
            wording: { _, started in SyntheticCoinbase(started: started) }))

    let description = Coinbase.description
    let options = ["interface": CoinbaseInterface.exchange.rawValue]
    var depth = 0

    /// A first message with a `channel` is of Advanced Trade, which is not played.
    private static func recognize(_ entry: RecordingFrame?) -> (any Dialect)? {
        guard let entry, entry.kind == .ws, entry.direction == .in,
            let message = JSONValue(message: entry.data), message["channel"] == nil
        else { return nil }
        return CoinbaseExchangeDialect()
    }

    private static func kind(ofChannel name: String) -> StreamKind? {
        switch name {
        case "level2", "level2_batch", "level2_50": .book
        case "matches": .trade
        case "ticker", "ticker_batch": .ticker
        default: nil
        }
    }

    // MARK: Messages

    func opening(_ address: RequestAddress) -> Opening? { address.path.isEmpty ? Opening() : nil }

    func content(of message: JSONValue) -> MessageContent {
        guard let type = message["type"]?.text else { return .control }
        let symbols = [message["product_id"]?.text ?? ""]
        switch type {
        case "snapshot": return .market(.book, symbols, isImage: true)
        case "l2update": return .market(.book, symbols)
        case "match", "last_match": return .market(.trade, symbols)
        case "ticker": return .market(.ticker, symbols)
        case "heartbeat": return .heartbeat
        default: return .control
        }
    }

    /// A channel is a name, with the products of the message, or an object that has its own.
    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        let type = message["type"]?.text
        guard type == "subscribe" || type == "unsubscribe" else {
            return [.reply(refusal("Failed to subscribe", "\(type ?? "") is not a valid type"))]
        }
        return (message["channels"]?.elements ?? []).flatMap { channel in
            let name = channel.text ?? channel["name"]?.text ?? ""
            let products = (channel["product_ids"] ?? message["product_ids"])?.elements ?? []
            return products.compactMap(\.text).map { product in
                ClientStep.asking(
                    Demand(
                        kind: CoinbaseExchangeDialect.kind(ofChannel: name), symbol: product, wording: name,
                        request: message, isEnd: type == "unsubscribe"))
            }
        }
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { refusal("Malformed JSON", "") }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        switch verdict {
        case .unknownSymbol: refusal("Failed to subscribe", "\(demand.symbol ?? "") is not a valid product")
        case .unknownKind: refusal("Failed to subscribe", "\(demand.wording) is not a valid channel")
        case .tooMany: refusal("Failed to subscribe", "Too many subscriptions, try again later")
        case .granted, .ended, .alreadySubscribed, .notSubscribed: nil
        }
    }

    private func refusal(_ message: String, _ reason: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("type", "error")
            writer.text("message", message)
            writer.text("reason", reason)
        }
    }

    /// All that the client is subscribed to now.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? {
        let channels: [(name: String, kind: StreamKind)] = [
            ("level2_batch", .book), ("matches", .trade), ("ticker", .ticker),
        ]
        return JSONWriter.message { writer in
            writer.text("type", "subscriptions")
            writer.array("channels") { writer in
                for channel in channels {
                    let symbols = conclusion.subscriptions.filter { $0.kind == channel.kind }.map(\.symbol)
                    guard !symbols.isEmpty else { continue }
                    writer.object { writer in
                        writer.text("name", channel.name)
                        writer.texts("product_ids", symbols)
                    }
                }
            }
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("type", "snapshot")
            writer.text("product_id", book.symbol)
            book.writeSides(("bids", "asks"), to: &writer)
            writer.text("time", time.iso8601(fractionDigits: 6))
        }
    }
}
