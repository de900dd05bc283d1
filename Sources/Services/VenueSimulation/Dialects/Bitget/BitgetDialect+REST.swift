import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Source, not confirmed: Bitget API documentation v2, "Market" of spot and of futures.
extension BitgetDialect {
    private static let well = "00000"

    func keeps(_ address: RequestAddress) -> Bool {
        address.isInstrumentList(of: description) || address.path.hasSuffix("/market/contracts")
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        let isBook = address.path.hasSuffix("/orderbook") || address.path.hasSuffix("/merge-depth")
        return isBook ? symbol(of: address) : nil
    }

    /// Of v1 the client says the product in lower case, as the recording does.
    private func symbol(of address: RequestAddress) -> String? {
        guard let id = address["symbol"] else { return nil }
        return BitgetDialect.symbol(address["productType"] ?? "SPOT", id)
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        guard address.path.hasPrefix("/api/v2/"), let named = symbol(of: address) else {
            return .settled(notFound())
        }
        let spot = "sp:" + (address["symbol"] ?? "")
        let symbol = symbols.contains(named) || address["productType"] != nil ? named : spot
        guard symbols.contains(symbol) else { return .settled(refusal("40034", "Parameter does not exist")) }
        switch address.path.split(separator: "/").last ?? "" {
        case "orderbook": return .book(symbol: symbol, limit: address.limit(standard: 150, most: 150))
        case "merge-depth": return .book(symbol: symbol, limit: .max)
        case "fills", "fills-history":
            var query = TradeQuery(
                symbol: symbol, wording: symbol, limit: address.limit(standard: 500, most: 1_000))
            (query.start, query.end) = (address.time("startTime"), address.time("endTime"))
            query.isReversed = true
            return .trades(query)
        case "candles", "history-candles": return candleQuestion(address, symbol)
        default: return .settled(notFound())
        }
    }

    private func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        let name = (address["granularity"] ?? "").replacing("utc", with: "").lowercased()
        guard let interval = CandleInterval(rawValue: name.replacing("min", with: "m")), interval >= .minute,
            interval != .week
        else { return .settled(refusal("400171", "Parameter granularity error")) }
        var query = CandleQuery(
            symbol: symbol, interval: interval, limit: address.limit(standard: 100, most: 200))
        (query.start, query.end) = (address.time("startTime"), address.time("endTime"))
        query.takesNewest = true
        return .candles(query)
    }

    private func refusal(_ code: String, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.text("code", code)
            writer.text("msg", words)
            writer.pair("data", JSONValue.null)
        }
        return RESTAnswer(status: 400, body: body)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        return JSONWriter.message { writer in
            writer.text("code", BitgetDialect.well)
            writer.text("msg", "success")
            writer.object("data") { writer in
                book.writeSides(("bids", "asks"), limit: limit, to: &writer)
                writer.text("ts", "\(time.milliseconds)")
            }
        }
    }

    /// Rows are objects, in v1 arrays without an id; a snapshot has the newest first.
    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        let rows = message["data"]?.elements ?? []
        let trades = rows.compactMap { row -> TapeTrade? in
            let values = row.elements
            let isRow = values.count >= 4
            guard
                let time = (isRow ? values[0] : row["ts"])?.integer.flatMap({ Timestamp(milliseconds: $0) }),
                let price = (isRow ? values[1] : row["price"])?.text,
                let size = (isRow ? values[2] : row["size"])?.text
            else { return nil }
            let side = (isRow ? values[3] : row["side"])?.text
            return TapeTrade(
                id: row["tradeId"]?.text ?? "", price: price, size: size, time: time, isBuy: side == "buy")
        }
        return message["action"]?.text == "snapshot" ? trades.reversed() : trades
    }

    /// What v1 says without an id has none to be known by, and is left out.
    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        let id = query.symbol.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        return ArgMessages.answer(BitgetDialect.well) { writer in
            for trade in trades where !trade.id.isEmpty {
                writer.object { writer in
                    writer.text("symbol", id)
                    writer.text("tradeId", trade.id)
                    writer.text("side", trade.isBuy ? "buy" : "sell")
                    writer.text("price", trade.price)
                    writer.text("size", trade.size)
                    writer.text("ts", "\(trade.time.milliseconds)")
                }
            }
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        ArgMessages.answer(BitgetDialect.well) { writer in
            for candle in candles {
                let texts = CandleTexts(candle)
                writer.array { writer in
                    writer.string("\(candle.start.milliseconds)")
                    for text in [texts.open, texts.high, texts.low, texts.close, texts.volume, "0", "0"] {
                        writer.string(text)
                    }
                }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] { list(instruments, of: "SPOT") }

    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8] {
        list(instruments, of: address["productType"] ?? "SPOT")
    }

    private func list(_ instruments: [ListedInstrument], of product: String) -> [UInt8] {
        ArgMessages.answer(BitgetDialect.well) { writer in
            for instrument in instruments where instrument.symbol.hasPrefix("\(product):") {
                let id = String(instrument.symbol.dropFirst(product.count + 1))
                let parts = SymbolParts(id)
                let (price, size) =
                    product == "SPOT"
                    ? ("pricePrecision", "quantityPrecision") : ("pricePlace", "volumePlace")
                writer.object { writer in
                    writer.text("symbol", id)
                    writer.text("baseCoin", parts.base)
                    writer.text("quoteCoin", parts.quote)
                    writer.text(price, "\(instrument.priceScale.places)")
                    writer.text(size, "\(instrument.sizeScale.places)")
                    if product == "SPOT" {
                        writer.text("status", "online")
                    } else {
                        writer.text("priceEndStep", "1")
                        writer.text("symbolType", "perpetual")
                        writer.text("symbolStatus", "normal")
                    }
                }
            }
        }
    }
}
