import Instruments
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
            guard let fields = JSONValue(row),
                let time = fields["timestamp"]?.text.flatMap({ Timestamp(iso8601: $0) })
            else { continue }
            // The image of a subscription repeats the last trade.
            if let id = fields["trdMatchID"]?.text, !seen.insert(id).inserted { continue }
            if let start = query.start, time < start { continue }
            if let end = query.end, time > end { continue }
            rows.append(row)
        }
        if query.isReversed { rows.reverse() }
        var text = JSONBytes("[")
        for row in rows.dropFirst(query.offset).prefix(query.limit) {
            text.separator()
            text.raw(row)
        }
        text.raw("]")
        return text.bytes
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        var text = JSONBytes("[")
        for instrument in instruments {
            text.separator()
            text.raw("{\"symbol\":")
            text.string(instrument.symbol)
            text.raw(",\"rootSymbol\":")
            text.string(String(instrument.symbol.prefix(3)))
            text.raw(",\"state\":\"Open\",\"typ\":\"FFWCSX\",\"underlying\":")
            text.string(String(instrument.symbol.prefix(3)))
            text.raw(",\"quoteCurrency\":")
            text.string(String(instrument.symbol.dropFirst(3)))
            text.raw(",\"tickSize\":")
            text.decimal(1, instrument.priceScale)
            text.raw(",\"lotSize\":1,\"multiplier\":0,\"isInverse\":false}")
        }
        text.raw("]")
        return text.bytes
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
