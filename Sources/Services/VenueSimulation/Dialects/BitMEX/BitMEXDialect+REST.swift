import Instruments
import JSON
import Venues

extension BitMEXDialect {
    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        switch address.path {
        case "/api/v1/instrument/active", "/api/v1/instrument": return .instruments
        case "/api/v1/orderBook/L2":
            guard let symbol = address["symbol"], symbols.contains(symbol) else {
                return .settled(RESTAnswer(status: 200, "[]"))
            }
            return .book(symbol: symbol, limit: Int(clamping: max(address.integer("depth") ?? 25, 0)))
        case "/api/v1/trade":
            guard let symbol = address["symbol"], symbols.contains(symbol) else {
                return .settled(RESTAnswer(status: 200, "[]"))
            }
            var query = TradeQuery(symbol: symbol, wording: symbol, limit: 100)
            if let count = address.integer("count") { query.limit = Int(min(max(count, 1), 1_000)) }
            query.offset = Int(clamping: max(address.integer("start") ?? 0, 0))
            query.isReversed = address["reverse"] == "true"
            for (name, path) in [("startTime", \TradeQuery.start), ("endTime", \TradeQuery.end)] {
                guard let text = address[name] else { continue }
                guard let time = BitMEXDialect.time(text) else { return .settled(badRequest(name)) }
                query[keyPath: path] = time
            }
            return .trades(query)
        case "/api/v1/trade/bucketed": return candleQuestion(address, symbols: symbols)
        default: return .settled(notFound())
        }
    }

    /// A day, or an instant with or without the zone's letter.
    static func time(_ text: String) -> Timestamp? {
        Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z") ?? Timestamp(iso8601: text + "T00:00:00Z")
    }

    /// The recorded rows are what the route gives.
    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        var seen: Set<String> = []
        var rows: [[UInt8]] = []
        for row in frames.lazy.flatMap({ RowFilter.rows(of: query.symbol, in: $0) }) {
            guard let fields = JSONValue(message: row),
                let time = fields["timestamp"]?.text.flatMap({ Timestamp(iso8601: $0) })
            else { continue }
            // The image of a subscription repeats the last trade.
            if let id = fields["trdMatchID"]?.text, !seen.insert(id).inserted { continue }
            if let start = query.start, time < start { continue }
            if let end = query.end, time > end { continue }
            rows.append(row)
        }
        if query.isReversed { rows.reverse() }
        return JSONWriter.rows(rows.dropFirst(query.offset).prefix(query.limit))
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows { writer in
            for instrument in instruments {
                writer.object { writer in
                    writer.text("symbol", instrument.symbol)
                    writer.text("rootSymbol", String(instrument.symbol.prefix(3)))
                    writer.text("state", "Open")
                    writer.text("typ", "FFWCSX")
                    writer.text("underlying", String(instrument.symbol.prefix(3)))
                    writer.text("quoteCurrency", String(instrument.symbol.dropFirst(3)))
                    writer.number("tickSize", 1, instrument.priceScale)
                    writer.pair("lotSize", 1)
                    writer.pair("multiplier", 0)
                    writer.pair("isInverse", false)
                }
            }
        }
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(
            status: 503,
            #"{"error":{"message":"The system is currently overloaded. Please try again later.","name":"HTTPError"}}"#
        )
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 404, #"{"error":{"message":"Not Found","name":"HTTPError"}}"#)
    }

    func badRequest(_ name: String) -> RESTAnswer {
        RESTAnswer(
            status: 400, #"{"error":{"message":"\#(name) is not a valid date.","name":"ValidationError"}}"#)
    }
}
