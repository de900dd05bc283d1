import Instruments
import JSON
import MarketData
import Venues

extension BinanceDialect {
    /// What each route begins with.
    private var root: String {
        switch market {
        case .spot: "api"
        case .usdm: "fapi"
        case .coinm: "dapi"
        }
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        // Older recordings and clients use an older number of the same routes.
        let parts = address.path.split(separator: "/")
        if BinanceDialect.asksForTickers(parts, address) { return .tickers }
        guard parts.count == 3, parts[0] == root, parts[1].hasPrefix("v") else {
            return .settled(notFound())
        }
        switch parts[2] {
        case "ping": return .settled(RESTAnswer(status: 200, "{}"))
        case "time": return .time
        case "exchangeInfo": return .instruments
        case "depth", "aggTrades", "trades", "historicalTrades", "klines": break
        default: return .settled(notFound())
        }
        guard let symbol = address["symbol"]?.uppercased(), symbols.contains(symbol) else {
            return .settled(RESTAnswer(status: 400, #"{"code":-1121,"msg":"Invalid symbol."}"#))
        }
        let limit = address.integer("limit").map { Int(clamping: max($0, 1)) }
        if parts[2] == "depth" { return .book(symbol: symbol, limit: min(limit ?? 100, 5_000)) }
        if parts[2] == "klines" { return candleQuestion(address, symbol, limit: min(limit ?? 500, 1_000)) }
        var query = TradeQuery(symbol: symbol, wording: symbol, limit: min(limit ?? 500, 1_000))
        query.isAggregate = parts[2] == "aggTrades"
        if parts[2] != "trades" { query.fromID = address.integer("fromId") }
        query.start = address.integer("startTime").flatMap { Timestamp(milliseconds: $0) }
        query.end = address.integer("endTime").flatMap { Timestamp(milliseconds: $0) }
        return .trades(query)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let last = (book.session as? BinanceSession)?.lastUpdateID(of: book.index) ?? 0
        let sides = book.top(limit == 0 ? .max : limit)
        return JSONWriter.message { writer in
            writer.pair("lastUpdateId", last)
            if isFutures {
                writer.pair("E", milliseconds(time))
                writer.pair("T", milliseconds(time))
            }
            for (name, levels) in [("bids", sides.bids), ("asks", sides.asks)] {
                writer.array(name) { writer in
                    for level in levels {
                        writer.array { writer in
                            write(level.price.decimal(book.book.priceScale), to: &writer)
                            write(level.size.decimal(book.book.sizeScale), to: &writer)
                        }
                    }
                }
            }
        }
    }

    /// Spot writes eight places, futures what the instrument has.
    private func write(_ number: DecimalNumber, to writer: inout JSONWriter) {
        let wide = isFutures ? nil : Scale(8).flatMap { try? number.rescaled(to: $0) }
        writer.decimal((wide ?? number).units, (wide ?? number).scale)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        var rows: [[UInt8]] = []
        for frame in frames {
            guard let message = JSONValue(message: frame) else { continue }
            let event = message["data"] ?? message
            guard (event["e"]?.text == "aggTrade") == query.isAggregate, event["s"]?.text == query.symbol,
                let id = event[query.isAggregate ? "a" : "t"]?.integer, let time = event["T"]?.integer
            else { continue }
            if let from = query.fromID, id < from { continue }
            if let start = query.start, time < milliseconds(start) { continue }
            if let end = query.end, time > milliseconds(end) { continue }
            rows.append(query.isAggregate ? aggregateRow(event) : row(event, id))
        }
        let isForward = query.fromID != nil || query.start != nil
        let page = isForward ? rows.prefix(query.limit) : rows.suffix(query.limit)
        return JSONWriter.rows(page)
    }

    private func aggregateRow(_ event: JSONValue) -> [UInt8] {
        JSONWriter.message { writer in
            for name in ["a", "p", "q", "f", "l", "T", "m", "M"] {
                if let value = event[name] { writer.pair(name, value) }
            }
        }
    }

    private func row(_ event: JSONValue, _ id: Int64) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("id", id)
            for (name, source) in [("price", "p"), ("qty", "q"), ("time", "T"), ("isBuyerMaker", "m")] {
                if let value = event[source] { writer.pair(name, value) }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("timezone", "UTC")
            writer.list("symbols", instruments) { instrument, writer in
                let parts = SymbolParts(instrument.symbol)
                writer.text("symbol", instrument.symbol)
                writer.text("status", "TRADING")
                writer.text("baseAsset", parts.base)
                writer.text("quoteAsset", parts.quote)
                if isFutures {
                    let expires = instrument.symbol.last?.isNumber ?? false
                    writer.text("contractType", expires ? "CURRENT_QUARTER" : "PERPETUAL")
                }
                // Dollars: of bitcoin 100, of everything else 10.
                if market == .coinm { writer.pair("contractSize", parts.base == "BTC" ? 100 : 10) }
                let filters = [
                    ("PRICE_FILTER", "tickSize", instrument.priceScale),
                    ("LOT_SIZE", "stepSize", instrument.sizeScale),
                ]
                writer.list("filters", filters) { filter, writer in
                    writer.text("filterType", filter.0)
                    writer.decimal(filter.1, 1, filter.2)
                }
            }
        }
    }

    func milliseconds(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000 }

    func restTime(at time: Timestamp) -> RESTAnswer {
        RESTAnswer(status: 200, "{\"serverTime\":\(milliseconds(time))}")
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(
            status: 503,
            #"{"code":-1008,"msg":"Server is currently overloaded with other requests. Please try again in a few minutes."}"#
        )
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 404, #"{"code":-1102,"msg":"There is nothing at this address."}"#)
    }
}
