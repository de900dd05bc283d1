import Instruments
import MarketData
import Venues

extension BinanceDialect {
    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        // Older recordings and clients use an older number of the same routes.
        let parts = address.path.split(separator: "/")
        guard parts.count == 3, parts[0] == (isFutures ? "fapi" : "api"), parts[1].hasPrefix("v") else {
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

    func restBook(_ book: TrueBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let last = (book.session as? BinanceSession)?.lastUpdateID(of: book.index) ?? 0
        var text = JSONBytes("{\"lastUpdateId\":\(last)")
        if isFutures { text.raw(",\"E\":\(milliseconds(time)),\"T\":\(milliseconds(time))") }
        let sides = book.top(limit == 0 ? .max : limit)
        for (name, levels) in [("bids", sides.bids), ("asks", sides.asks)] {
            text.raw(",\"\(name)\":[")
            for level in levels {
                text.separator()
                text.raw("[")
                append(level.price.decimal(book.book.priceScale), to: &text)
                text.raw(",")
                append(level.size.decimal(book.book.sizeScale), to: &text)
                text.raw("]")
            }
            text.raw("]")
        }
        text.raw("}")
        return text.bytes
    }

    /// Spot writes eight places, futures what the instrument has.
    private func append(_ number: DecimalNumber, to text: inout JSONBytes) {
        let wide = isFutures ? nil : Scale(8).flatMap { try? number.rescaled(to: $0) }
        text.quoted((wide ?? number).units, (wide ?? number).scale)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        var rows: [[UInt8]] = []
        for frame in frames {
            guard let message = JSONValue(frame) else { continue }
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
        var text = JSONBytes("[")
        for row in page {
            text.separator()
            text.raw(row)
        }
        text.raw("]")
        return text.bytes
    }

    private func aggregateRow(_ event: JSONValue) -> [UInt8] {
        let names = ["a", "p", "q", "f", "l", "T", "m", "M"]
        var text = JSONBytes()
        text.value(
            .object(names.compactMap { name in event[name].map { JSONMember(name: name, value: $0) } }))
        return text.bytes
    }

    private func row(_ event: JSONValue, _ id: Int64) -> [UInt8] {
        var members = [JSONMember(name: "id", value: .number("\(id)"))]
        for (name, source) in [("price", "p"), ("qty", "q"), ("time", "T"), ("isBuyerMaker", "m")] {
            if let value = event[source] { members.append(JSONMember(name: name, value: value)) }
        }
        var text = JSONBytes()
        text.value(.object(members))
        return text.bytes
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        var text = JSONBytes("{\"timezone\":\"UTC\",\"symbols\":[")
        for instrument in instruments {
            let (base, quote) = BinanceDialect.assets(of: instrument.symbol)
            text.separator()
            text.raw("{\"symbol\":")
            text.string(instrument.symbol)
            text.raw(",\"status\":\"TRADING\",\"baseAsset\":")
            text.string(base)
            text.raw(",\"quoteAsset\":")
            text.string(quote)
            if isFutures { text.raw(",\"contractType\":\"PERPETUAL\"") }
            text.raw(",\"filters\":[{\"filterType\":\"PRICE_FILTER\",\"tickSize\":")
            text.quoted(1, instrument.priceScale)
            text.raw("},{\"filterType\":\"LOT_SIZE\",\"stepSize\":")
            text.quoted(1, instrument.sizeScale)
            text.raw("}]}")
        }
        text.raw("]}")
        return text.bytes
    }

    /// Symbols are base and quote without anything between: the longest known quote at the end decides.
    private static func assets(of symbol: String) -> (base: String, quote: String) {
        let quotes = [
            "FDUSD", "USDT", "USDC", "BUSD", "TUSD", "USD", "BTC", "ETH", "BNB", "EUR", "TRY", "GBP",
        ]
        let pair = String(symbol.prefix { $0 != "_" })
        for quote in quotes where pair.hasSuffix(quote) && pair.count > quote.count {
            return (String(pair.dropLast(quote.count)), quote)
        }
        return (pair, "")
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
