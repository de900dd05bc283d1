import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: Gate, "API v4, Retrieve order book", "Retrieve market trades", "Market candlesticks" and those of
/// futures, read 2026-11.
extension GateioDialect {
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] { restBook(book, limit: 0, at: time) }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("id", (book.session as? GateioSession)?.lastUpdateID(of: book.index) ?? 0)
            if isFutures {
                // Seconds with a fraction.
                writer.number("current", time.milliseconds, Scale(3) ?? .zero)
                writer.number("update", time.milliseconds, Scale(3) ?? .zero)
            } else {
                writer.pair("current", time.milliseconds)
                writer.pair("update", time.milliseconds)
            }
            for (name, side) in [("asks", BookSide.ask), ("bids", .bid)] {
                writer.rows(name, isFutures ? objects(book, side, limit) : book.rows(side, limit))
            }
        }
    }

    private func objects(_ book: ReferenceBook, _ side: BookSide, _ limit: Int) -> [[UInt8]] {
        book.levels(side, limit).map { level in
            JSONWriter.message { writer in
                writer.decimal("p", level.price.rawValue, book.book.priceScale)
                writer.number("s", level.size.rawValue, book.book.sizeScale)
            }
        }
    }

    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard address.path.hasSuffix("/trades"), let symbol = address[symbolName] else { return nil }
        let limit = Int(min(max(address.integer("limit") ?? 100, 1), 1_000))
        var query = TradeQuery(symbol: symbol, wording: symbol, limit: limit)
        query.start = Timestamp(seconds: address.integer("from"))
        query.end = Timestamp(seconds: address.integer("to"))
        query.isReversed = true
        return query
    }

    /// The rows of the stream and of the route are the same.
    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        guard let result = message["result"] else { return [] }
        let rows = result.elements.isEmpty ? [result] : result.elements
        return rows.filter { $0[symbolName]?.text == symbol }.compactMap { row in
            Timestamp(seconds: row["create_time"]?.integer).map { TradeRow(time: $0, row: row.bytes) }
        }
    }

    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        let interval = CandleInterval.named(address["interval"] ?? "30m") {
            $0.name(minutes: "m", hours: "h", days: "d")
        }
        guard address.path.hasSuffix("/candlesticks"), let interval, let symbol = address[symbolName] else {
            return nil
        }
        let limit = Int(min(max(address.integer("limit") ?? 1_000, 1), 1_000))
        var query = CandleQuery(symbol: symbol, interval: interval, limit: limit)
        query.start = Timestamp(seconds: address.integer("from"))
        query.end = Timestamp(seconds: address.integer("to"))
        query.takesNewest = query.start == nil
        return query
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        let start = candle.start.seconds
        guard isFutures else {
            let columns = [texts.notional, texts.close, texts.high, texts.low, texts.open, texts.volume]
            return JSONWriter.rows { writer in
                for text in ["\(start)"] + columns + ["true"] { writer.string(text) }
            }
        }
        return JSONWriter.message { writer in
            writer.pair("t", start)
            writer.number("v", text: texts.volume)
            for (name, text) in [
                ("c", texts.close), ("h", texts.high), ("l", texts.low), ("o", texts.open),
                ("sum", texts.notional),
            ] {
                writer.text(name, text)
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows(
            instruments.map { instrument in
                JSONWriter.message { isFutures ? contract(instrument, &$0) : pair(instrument, &$0) }
            })
    }

    private func pair(_ instrument: ListedInstrument, _ writer: inout JSONWriter) {
        let assets = instrument.symbol.split(separator: "_").map(String.init)
        writer.text("id", instrument.symbol)
        writer.text("base", assets.first ?? "")
        writer.text("quote", assets.last ?? "")
        writer.pair("precision", instrument.priceScale.places)
        writer.pair("amount_precision", instrument.sizeScale.places)
        writer.text("trade_status", "tradable")
    }

    /// A contract is of one unit here: a recording without a list does not say of how many.
    private func contract(_ instrument: ListedInstrument, _ writer: inout JSONWriter) {
        writer.text("name", instrument.symbol)
        writer.text("type", "direct")
        writer.text("quanto_multiplier", "1")
        writer.decimal("order_price_round", 1, instrument.priceScale)
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(status: 503, #"{"label":"SERVER_ERROR","message":"Service unavailable"}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 400, #"{"label":"INVALID_PARAM_VALUE","message":"There is no such market."}"#)
    }
}
