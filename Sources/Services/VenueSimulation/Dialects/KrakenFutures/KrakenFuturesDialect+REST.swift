import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: Kraken, "Futures REST API, Get orderbook", "Get trade history", "Charts, Market candles", read
/// 2026-11.
extension KrakenFuturesDialect {
    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("result", "success")
            writer.object("orderBook") { writer in
                for (name, side) in [("bids", BookSide.bid), ("asks", .ask)] {
                    writer.array(name) { writer in
                        for level in book.levels(side, 0) {
                            writer.array { writer in
                                writer.number(level.price.rawValue, book.book.priceScale)
                                writer.number(level.size.rawValue, book.book.sizeScale)
                            }
                        }
                    }
                }
            }
            writer.text("serverTime", time.iso8601(fractionDigits: 3))
        }
    }

    /// The hundred newest.
    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard address.path.hasSuffix("/history"), let symbol = address["symbol"]?.uppercased() else {
            return nil
        }
        return TradeQuery(symbol: symbol, wording: symbol, limit: 100, isReversed: true)
    }

    /// A `trade`, or those of a `trade_snapshot`, which has the newest first.
    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        guard message["product_id"]?.text == symbol else { return [] }
        let rows = message["trades"].map { Array($0.elements.reversed()) } ?? [message]
        return rows.compactMap { row in
            guard let time = row["time"]?.integer.flatMap({ Timestamp(milliseconds: $0) }) else { return nil }
            let text = JSONWriter.message { writer in
                writer.text("time", time.iso8601(fractionDigits: 3))
                for (name, source) in [
                    ("price", "price"), ("size", "qty"), ("side", "side"), ("type", "type"), ("uid", "uid"),
                ] {
                    if let value = row[source] { writer.pair(name, value) }
                }
            }
            return TradeRow(time: time, row: text)
        }
    }

    /// `/api/charts/v1/trade/<symbol>/<length>`.
    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        let parts = address.path.split(separator: "/").map(String.init)
        guard parts.count == 6, parts[..<4] == ["api", "charts", "v1", "trade"],
            let interval = CandleInterval.named(
                parts[5], { $0.name(minutes: "m", hours: "h", days: "d") })
        else { return nil }
        return CandleQuery(
            symbol: parts[4].uppercased(), interval: interval,
            start: Timestamp(seconds: address.integer("from")),
            end: Timestamp(seconds: address.integer("to")), limit: 2_000)
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.message { writer in
            writer.pair("time", candle.start.milliseconds)
            for (name, text) in [
                ("open", texts.open), ("high", texts.high), ("low", texts.low), ("close", texts.close),
                ("volume", texts.volume),
            ] {
                writer.text(name, text)
            }
        }
    }

    /// The rows of trades and of candles have different names around them.
    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        let rows = page(candles, query)
        return JSONWriter.message { writer in
            writer.rows("candles", rows)
            writer.pair("more_candles", false)
        }
    }

    func answer(_ rows: [[UInt8]], about symbol: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("result", "success")
            writer.rows("history", rows)
        }
    }

    /// Prices and sizes step as they were written.
    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("result", "success")
            writer.list("instruments", instruments) { instrument, writer in
                writer.text("symbol", instrument.symbol)
                let isInverse = instrument.symbol.dropFirst().hasPrefix("I_")
                writer.text("type", isInverse ? "futures_inverse" : "flexible_futures")
                writer.number("tickSize", 1, instrument.priceScale)
                writer.pair("contractSize", 1)
                writer.pair("contractValueTradePrecision", instrument.sizeScale.places)
                writer.pair("tradeable", true)
            }
        }
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(status: 503, #"{"result":"error","error":"Unavailable"}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 404, #"{"result":"error","error":"notFound"}"#)
    }
}
