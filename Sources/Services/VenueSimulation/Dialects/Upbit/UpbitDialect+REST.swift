import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: Upbit, "Orderbook", "Recent trades", "Minute and day candles", "List of trading pairs", read
/// 2026-11.
extension UpbitDialect {
    func levels(of address: RequestAddress) -> Int { 0 }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let row = JSONWriter.message { writer in
            writer.text("market", book.symbol)
            writeBook(book, limit, at: time, to: &writer)
        }
        return JSONWriter.rows([row])
    }

    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard address.path.hasSuffix("/trades/ticks"), let symbol = address["market"] else { return nil }
        let limit = Int(min(max(address.integer("count") ?? 1, 1), 500))
        return TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true)
    }

    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        let rows = message.elements.isEmpty ? [message] : message.elements
        return rows.filter { Self.field($0, "code", "cd")?.text == symbol }.compactMap { row in
            guard
                let time = Self.field(row, "trade_timestamp", "ttms")?.integer
                    .flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            let text = JSONWriter.message { writer in
                writer.text("market", symbol)
                writer.pair("timestamp", time.milliseconds)
                for (name, short) in [
                    ("trade_price", "tp"), ("trade_volume", "tv"), ("ask_bid", "ab"),
                    ("sequential_id", "sid"),
                ] {
                    if let value = Self.field(row, name, short) { writer.pair(name, value) }
                }
            }
            return TradeRow(time: time, row: text)
        }
    }

    /// `/v1/candles/minutes/<unit>` or `/v1/candles/days`, those that begin before `to`.
    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        let parts = address.path.split(separator: "/").map(String.init)
        guard parts.count >= 3, parts[..<2] == ["v1", "candles"], let symbol = address["market"] else {
            return nil
        }
        let seconds = parts[2] == "days" ? 86_400 : (parts.last.flatMap { Int64($0) } ?? 0) * 60
        guard let interval = CandleInterval(seconds: seconds), interval < .week else { return nil }
        let limit = Int(min(max(address.integer("count") ?? 1, 1), 200))
        var query = CandleQuery(symbol: symbol, interval: interval, limit: limit)
        query.end = address["to"].flatMap { Timestamp(iso8601: $0) }?.adding(nanoseconds: -1)
        (query.isReversed, query.takesNewest) = (true, true)
        return query
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.message { writer in
            writer.text(
                "candle_date_time_utc", String(candle.start.iso8601(fractionDigits: 0).prefix(19)))
            for (name, text) in [
                ("opening_price", texts.open), ("high_price", texts.high), ("low_price", texts.low),
                ("trade_price", texts.close), ("candle_acc_trade_price", texts.notional),
                ("candle_acc_trade_volume", texts.volume),
            ] {
                writer.number(name, text: text)
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows(
            instruments.map { instrument in
                JSONWriter.message { writer in
                    writer.text("market", instrument.symbol)
                    writer.text("english_name", instrument.symbol)
                }
            })
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(status: 503, #"{"error":{"name":"server_error","message":"Unavailable"}}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 404, #"{"error":{"name":"not_found","message":"Code not found"}}"#)
    }
}
