import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: Poloniex, "Spot API, Order book", "Trades", "Candles", "Symbol information", read 2026-11.
extension PoloniexDialect {
    /// A side is one list of prices and sizes in turns.
    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("time", time.milliseconds)
            for (name, side) in [("asks", BookSide.ask), ("bids", .bid)] {
                writer.array(name) { writer in
                    for level in book.levels(side, limit) {
                        writer.decimal(level.price.rawValue, book.book.priceScale)
                        writer.decimal(level.size.rawValue, book.book.sizeScale)
                    }
                }
            }
            writer.pair("ts", time.milliseconds)
        }
    }

    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard let symbol = Self.symbol(of: address, "trades") else { return nil }
        let limit = Int(min(max(address.integer("limit") ?? 500, 1), 1_000))
        return TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true)
    }

    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        (message["data"]?.elements ?? []).filter { $0["symbol"]?.text == symbol }.compactMap { row in
            guard let time = row["ts"]?.integer.flatMap({ Timestamp(milliseconds: $0) }) else { return nil }
            let text = JSONWriter.message { writer in
                for name in ["id", "price", "quantity", "amount"] {
                    if let value = row[name] { writer.pair(name, value) }
                }
                // In small letters on the socket.
                writer.text("takerSide", row["takerSide"]?.text?.uppercased() ?? "")
                writer.pair("ts", time.milliseconds)
                writer.pair("createTime", row["createTime"] ?? .null)
            }
            return TradeRow(time: time, row: text)
        }
    }

    private static func name(_ interval: CandleInterval) -> String {
        let number = interval.name(minutes: "", hours: "", days: "")
        return (interval < .hour ? "MINUTE_" : interval < .day ? "HOUR_" : "DAY_") + number
    }

    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        guard let symbol = Self.symbol(of: address, "candles"),
            let interval = CandleInterval.named(address["interval"], Self.name)
        else { return nil }
        let limit = Int(min(max(address.integer("limit") ?? 100, 1), 500))
        var query = CandleQuery(symbol: symbol, interval: interval, limit: limit)
        query.start = address.integer("startTime").flatMap { Timestamp(milliseconds: $0) }
        query.end = address.integer("endTime").flatMap { Timestamp(milliseconds: $0) }
        query.takesNewest = query.start == nil
        return query
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.rows { writer in
            for text in [texts.low, texts.high, texts.open, texts.close, texts.notional, texts.volume] {
                writer.string(text)
            }
            // What takers paid is not summed up.
            writer.string("0")
            writer.string(texts.bought)
            writer.integer(texts.count)
            writer.integer(candle.end.milliseconds)
            writer.string(texts.close)
            writer.string(Self.name(candle.interval))
            writer.integer(candle.start.milliseconds)
            writer.integer(candle.end.milliseconds - 1)
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows(
            instruments.map { instrument in
                let assets = instrument.symbol.split(separator: "_").map(String.init)
                return JSONWriter.message { writer in
                    writer.text("symbol", instrument.symbol)
                    writer.text("baseCurrencyName", assets.first ?? "")
                    writer.text("quoteCurrencyName", assets.last ?? "")
                    writer.text("state", "NORMAL")
                    writer.object("symbolTradeLimit") { writer in
                        writer.pair("priceScale", instrument.priceScale.places)
                        writer.pair("quantityScale", instrument.sizeScale.places)
                    }
                }
            })
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(status: 503, #"{"code":503,"message":"Service unavailable"}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 400, #"{"code":24102,"message":"Symbol not found"}"#)
    }
}
