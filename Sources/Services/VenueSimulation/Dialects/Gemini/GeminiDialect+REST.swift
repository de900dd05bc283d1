import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources, not confirmed: Gemini, developer documentation, "Symbol details", "Current order book", "Trade
/// history", "Candles".
extension GeminiDialect {
    /// The details of a symbol that was recorded, or of all, which are made.
    func keeps(_ address: RequestAddress) -> Bool { address.path.hasPrefix("/v1/symbols") }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path.hasPrefix("/v1/book/") ? last(address) : nil
    }

    private func last(_ address: RequestAddress) -> String {
        (address.path.split(separator: "/").last ?? "").uppercased()
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        let parts = address.path.split(separator: "/").map(String.init)
        guard parts.count >= 3, symbols.contains(parts[2].uppercased()) else {
            return .settled(refusal("InvalidSymbol", "Supplied value is not a valid symbol"))
        }
        let symbol = parts[2].uppercased()
        switch (parts[0], parts[1]) {
        case ("v1", "book"):
            let limit = address.integer("limit_bids") ?? 50
            return .book(symbol: symbol, limit: limit > 0 ? Int(clamping: limit) : .max)
        case ("v1", "trades"):
            let limit = address.limit("limit_trades", standard: 50, most: 500)
            var query = TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true)
            // Those after an id, which is excluded.
            query.fromID = address.integer("since_tid").map { $0 + 1 }
            return .trades(query)
        case ("v2", "candles") where parts.count == 4:
            let name = parts[3].replacing("hr", with: "h").replacing("day", with: "d")
            guard let interval = CandleInterval(rawValue: name), interval >= .minute, interval != .week else {
                return .settled(refusal("InvalidTimeframe", "Unknown time frame"))
            }
            let query = CandleQuery(
                symbol: symbol, interval: interval, limit: 1_440, isReversed: true, takesNewest: true)
            return .candles(query)
        default: return .settled(notFound())
        }
    }

    private func refusal(_ reason: String, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.text("result", "error")
            writer.text("reason", reason)
            writer.text("message", words)
        }
        return RESTAnswer(status: 400, body: body)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let sides = book.top(limit)
        return JSONWriter.message { writer in
            for (name, levels) in [("bids", sides.bids), ("asks", sides.asks)] {
                writer.list(name, levels) { level, writer in
                    writer.decimal("price", level.price.rawValue, book.book.priceScale)
                    writer.decimal("amount", level.size.rawValue, book.book.sizeScale)
                    writer.text("timestamp", "\(time.seconds)")
                }
            }
        }
    }

    /// Of an image the newest are first.
    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        let rows = message["trades"].map { Array($0.elements.reversed()) } ?? [message]
        return rows.compactMap { row in
            guard (row["symbol"] ?? message["symbol"])?.text == symbol, let price = row["price"]?.text,
                let size = row["quantity"]?.text, let id = (row["tid"] ?? row["event_id"])?.text,
                let time = row["timestamp"]?.integer.flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            return TapeTrade(
                id: id, price: price, size: size, time: time, isBuy: row["side"]?.text == "buy")
        }
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        JSONWriter.rows { writer in
            for trade in trades {
                writer.object { writer in
                    writer.pair("timestamp", trade.time.seconds)
                    writer.pair("timestampms", trade.time.milliseconds)
                    writer.key("tid")
                    writer.number(trade.id)
                    writer.text("price", trade.price)
                    writer.text("amount", trade.size)
                    writer.text("exchange", "gemini")
                    writer.text("type", trade.isBuy ? "buy" : "sell")
                }
            }
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        JSONWriter.rows { writer in
            for candle in candles {
                let texts = CandleTexts(candle)
                writer.array { writer in
                    writer.integer(candle.start.milliseconds)
                    for text in [texts.open, texts.high, texts.low, texts.close, texts.volume] {
                        writer.number(text)
                    }
                }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows(instruments.map(details))
    }

    /// `/v1/symbols`, `/v1/symbols/details/all` or one symbol's.
    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8] {
        if address.path == "/v1/symbols" {
            return JSONWriter.rows { writer in
                for instrument in instruments { writer.string(instrument.symbol.lowercased()) }
            }
        }
        let one = instruments.first { $0.symbol == last(address) }
        return one.map(details) ?? instrumentList(instruments)
    }

    private func details(_ instrument: ListedInstrument) -> [UInt8] {
        let parts = SymbolParts(instrument.symbol)
        return JSONWriter.message { writer in
            writer.text("symbol", instrument.symbol)
            writer.text("base_currency", parts.base)
            writer.text("quote_currency", parts.quote)
            writer.number("tick_size", 1, instrument.sizeScale)
            writer.number("quote_increment", 1, instrument.priceScale)
            writer.text("status", "open")
            writer.text("product_type", "spot")
        }
    }
}
