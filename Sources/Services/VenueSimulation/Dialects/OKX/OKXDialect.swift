import Instruments
import JSON
import Venues

/// OKX's public interface v5 from the venue's side, which plays recordings of v3 as well.
///
/// Sources: OKX API guide v5, "WebSocket", "Order book channel", "Market Data" and "Error code", not
/// confirmed by their pages; a recording of 2022 has the acknowledgements.
struct OKXDialect: TreeDialect {
    static let okx = described(
        OKX.description,
        synthetic: SyntheticVenue(
            instruments: SyntheticInstrument.okx, dialect: OKXDialect(description: OKX.description),
            bookDepth: 400, wording: { _, started in SyntheticOKX(started: started) }))
    static let okcoin = described(OKX.okcoin)

    private static func described(
        _ description: VenueDescription, synthetic: SyntheticVenue? = nil
    ) -> DialectDescription {
        DialectDescription(
            description: description, recognize: { _ in OKXDialect(description: description) },
            synthetic: synthetic)
    }

    let description: VenueDescription
    let sockets: Set<String> = ["/ws/v5/public", "/ws/v5/business"]
    let textPing: (question: String, answer: String)? = ("ping", "pong")
    /// Each kind of product has a list.
    let hasOneList = false
    var depth = 0

    /// The kind of a channel of v5, or of v3 behind its product.
    static func kind(ofChannel name: some StringProtocol) -> StreamKind? {
        switch name.split(separator: "/").last ?? "" {
        case "books", "books-l2-tbt", "books50-l2-tbt", "books-elp", "books5": .book
        case "depth", "depth_l2_tbt", "depth5": .book
        case "trades", "trades-all", "trade": .trade
        case "tickers", "ticker": .ticker
        case "mark-price", "mark_price": .mark
        case let channel where channel.hasPrefix("candle"): .candle
        default: nil
        }
    }

    // MARK: Messages

    func content(of message: JSONValue) -> MessageContent {
        guard let channel = message["arg"]?["channel"]?.text ?? message["table"]?.text,
            message["event"] == nil, let kind = OKXDialect.kind(ofChannel: channel)
        else { return .control }
        let rows = message["data"]?.elements ?? []
        let symbols = message["arg"]?["instId"]?.text.map { [$0] }
        return .market(
            kind, symbols ?? rows.compactMap { $0["instrument_id"]?.text },
            isImage: kind == .book && message["action"]?.text != "update")
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        ArgMessages.steps(of: message) { argument in
            (OKXDialect.kind(ofChannel: argument["channel"]?.text ?? ""), argument["instId"]?.text ?? "")
        }
    }

    func complaint(about text: [UInt8]) -> [UInt8]? {
        refusal("60012", "Invalid request: \(String(decoding: text.prefix(60), as: UTF8.self))")
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        guard verdict.isRefusal else { return ArgMessages.confirmation(demand) }
        if verdict == .tooMany { return refusal("60014", "Requests too frequent") }
        return refusal(
            "60018",
            "Wrong URL or channel:\(demand.wording),instId:\(demand.symbol ?? "") doesn't exist. "
                + "Please use the correct URL, channel and parameters referring to API document.")
    }

    private func refusal(_ code: String, _ words: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", "error")
            writer.text("msg", words)
            writer.text("code", code)
        }
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        ArgMessages.image(of: book) { writer, sent in
            if book.lastMessage?["table"] == nil {
                writer.text("ts", "\(time.milliseconds)")
            } else {
                writer.text("timestamp", time.iso8601(fractionDigits: 3))
            }
            guard let sequence = sent.sequence else { return }
            writer.pair("prevSeqId", -1)
            writer.pair("seqId", sequence)
        }
    }
}
