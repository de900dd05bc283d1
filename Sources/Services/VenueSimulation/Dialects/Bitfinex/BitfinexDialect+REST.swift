import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: Bitfinex API documentation, "Books", "Trades", "Candles", "Configs", read 2026-11.
extension BitfinexDialect {
    /// The parts of `/v2/<route>/<what>/<end>`.
    private func route(_ address: RequestAddress) -> (name: String, what: String, end: String)? {
        let parts = address.path.split(separator: "/")
        guard parts.count == 4, parts[0] == "v2" else { return nil }
        return (String(parts[1]), RequestAddress.unescape(parts[2]), String(parts[3]))
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        guard let route = route(address), route.name == "book", route.end == "P0" else { return nil }
        return route.what
    }

    func levels(of address: RequestAddress) -> Int { Int(clamping: max(address.integer("len") ?? 25, 1)) }

    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard let route = route(address), route.name == "trades", route.end == "hist" else { return nil }
        var query = TradeQuery(
            symbol: route.what, wording: route.what, limit: limit(address, standard: 125))
        query.start = address.integer("start").flatMap { Timestamp(milliseconds: $0) }
        query.end = address.integer("end").flatMap { Timestamp(milliseconds: $0) }
        query.isReversed = address["sort"] != "1"
        return query
    }

    private func limit(_ address: RequestAddress, standard: Int64) -> Int {
        Int(min(max(address.integer("limit") ?? standard, 1), 10_000))
    }

    /// Rows of `te` and of the list of the newest ones; the later `tu` repeats them.
    ///
    /// Nothing in a message names the symbol: the tape is that of one channel.
    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        let parts = message.elements
        guard parts.count > 1 else { return [] }
        let isNew = parts.count > 2 && parts[1].text == "te"
        let rows: [JSONValue] = isNew ? [parts[2]] : parts[1].elements.reversed()
        return rows.compactMap { row in
            guard let time = row.elements.dropFirst().first?.integer.flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            return TradeRow(time: time, row: row.bytes)
        }
    }

    /// `trade:1m:tBTCUSD`.
    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        guard let route = route(address), route.name == "candles", route.end == "hist" else { return nil }
        let parts = route.what.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == "trade",
            let interval = CandleInterval.named(
                parts[1], { $0.name(minutes: "m", hours: "h", days: "D") })
        else { return nil }
        var query = CandleQuery(
            symbol: parts[2], interval: interval, limit: limit(address, standard: 100))
        query.start = address.integer("start").flatMap { Timestamp(milliseconds: $0) }
        query.end = address.integer("end").flatMap { Timestamp(milliseconds: $0) }
        query.isReversed = address["sort"] != "1"
        query.takesNewest = query.isReversed
        return query
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.rows { writer in
            writer.integer(candle.start.milliseconds)
            for text in [texts.open, texts.close, texts.high, texts.low, texts.volume] { writer.number(text) }
        }
    }

    /// Names of spot, then those of derivatives.
    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        let names = instruments.map { String($0.symbol.dropFirst()) }
        return JSONWriter.rows { writer in
            for isPerpetual in [false, true] {
                writer.array { writer in
                    for name in names where name.hasSuffix("F0") == isPerpetual { writer.string(name) }
                }
            }
        }
    }

    func unavailable() -> RESTAnswer { RESTAnswer(status: 503, #"["error",20060,"maintenance"]"#) }

    func notFound() -> RESTAnswer { RESTAnswer(status: 404, #"["error",10020,"symbol: invalid"]"#) }
}
