import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Bitstamp's WebSocket v2 and public HTTP interface from the venue's side: images of books come by REST.
///
/// Sources: Bitstamp, "WebSocket API v2" and "HTTP API", not confirmed by their pages; a recording of 2022
/// has the acknowledgements.
struct BitstampDialect: TreeDialect {
    static let described = DialectDescription(
        description: Bitstamp.description, recognize: { _ in BitstampDialect() })

    let description = Bitstamp.description
    let sendsImages = false
    var depth = 0

    /// The kind of a channel, whose pair stands behind its name.
    private static let channels: [(name: String, kind: StreamKind)] = [
        ("diff_order_book_", .book), ("live_trades_", .trade),
    ]

    private static func topic(_ channel: String) -> (kind: StreamKind?, symbol: String) {
        guard let known = channels.first(where: { channel.hasPrefix($0.name) }) else { return (nil, "") }
        return (known.kind, String(channel.dropFirst(known.name.count)))
    }

    // MARK: Messages

    func opening(_ address: RequestAddress) -> Opening? { address.path.isEmpty ? Opening() : nil }

    func content(of message: JSONValue) -> MessageContent {
        guard let event = message["event"]?.text, event == "data" || event == "trade" else { return .control }
        let (kind, symbol) = BitstampDialect.topic(message["channel"]?.text ?? "")
        guard let kind else { return .control }
        return .market(kind, [symbol])
    }

    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep] {
        switch message["event"]?.text {
        case "bts:heartbeat":
            return [.reply(event("bts:heartbeat", "") { $0.text("status", "success") })]
        case "bts:subscribe", "bts:unsubscribe":
            let channel = message["data"]?["channel"]?.text ?? ""
            let (kind, symbol) = BitstampDialect.topic(channel)
            let isEnd = message["event"]?.text == "bts:unsubscribe"
            return [
                .asking(Demand(kind: kind, symbol: symbol, wording: channel, request: message, isEnd: isEnd))
            ]
        default: return [.reply(refusal("Incorrect JSON format.", channel: ""))]
        }
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { refusal("Incorrect JSON format.", channel: "") }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? {
        if verdict.isRefusal {
            let isTooMany = verdict == .tooMany
            let words = isTooMany ? "Too many subscriptions, try again later." : "Bad subscription string."
            return refusal(words, channel: demand.wording)
        }
        let name = demand.isEnd ? "bts:unsubscription_succeeded" : "bts:subscription_succeeded"
        return event(name, demand.wording) { _ in }
    }

    private func refusal(_ words: String, channel: String) -> [UInt8] {
        event("bts:error", channel) { writer in
            writer.pair("code", JSONValue.null)
            writer.text("message", words)
        }
    }

    private func event(
        _ name: String, _ channel: String, _ data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", name)
            writer.text("channel", channel)
            writer.object("data", data)
        }
    }

    // MARK: REST

    func bookSymbol(of address: RequestAddress) -> String? { symbol("order_book", of: address) }

    /// `/api/v2/<route>/<pair>/`, of which the slash at the end is gone.
    private func symbol(_ route: String, of address: RequestAddress) -> String? {
        let root = "/api/v2/\(route)/"
        return address.path.hasPrefix(root) ? String(address.path.dropFirst(root.count)) : nil
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        if let symbol = bookSymbol(of: address), symbols.contains(symbol) {
            return .book(symbol: symbol, limit: .max)
        }
        guard let symbol = symbol("ohlc", of: address), symbols.contains(symbol),
            let interval = CandleInterval(seconds: address.integer("step") ?? 0)
        else { return .settled(notFound()) }
        var query = CandleQuery(
            symbol: symbol, interval: interval, limit: address.limit(standard: 1_000, most: 1_000))
        (query.start, query.end) = (address.seconds("start"), address.seconds("end"))
        query.takesNewest = true
        return .candles(query)
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] {
        let instant = (book.session as? BitstampSession)?.time(of: book.index) ?? time
        return JSONWriter.message { writer in
            writer.text("timestamp", "\(instant.nanoseconds / 1_000_000_000)")
            writer.text("microtimestamp", "\(instant.nanoseconds / 1_000)")
            book.writeSides(("bids", "asks"), to: &writer)
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        JSONWriter.message { writer in
            writer.object("data") { writer in
                writer.text("pair", query.symbol)
                writer.list("ohlc", candles) { candle, writer in
                    let texts = CandleTexts(candle)
                    writer.text("timestamp", "\(candle.start.seconds)")
                    writer.text("open", texts.open)
                    writer.text("high", texts.high)
                    writer.text("low", texts.low)
                    writer.text("close", texts.close)
                    writer.text("volume", texts.volume)
                }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows { writer in
            for instrument in instruments {
                let parts = SymbolParts(instrument.symbol)
                writer.object { writer in
                    writer.text("name", "\(parts.base)/\(parts.quote)")
                    writer.text("market_symbol", instrument.symbol)
                    writer.text("market_type", "SPOT")
                    writer.text("base_currency", parts.base)
                    writer.text("counter_currency", parts.quote)
                    writer.pair("base_decimals", instrument.sizeScale.places)
                    writer.pair("counter_decimals", instrument.priceScale.places)
                    writer.text("trading", "Enabled")
                }
            }
        }
    }
}
