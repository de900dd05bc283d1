import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Source, not confirmed: OKX API guide v5, "Market Data" and "Public Data".
extension OKXDialect {
    func bookSymbol(of address: RequestAddress) -> String? {
        address.path == "/api/v5/market/books" ? address["instId"] : nil
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        if address.path == "/api/v5/market/tickers" { return .tickers }
        guard address.path.hasPrefix("/api/v5/market/") else { return .settled(notFound()) }
        guard let symbol = address["instId"], symbols.contains(symbol) else {
            return .settled(refusal("51001", "Instrument ID doesn't exist"))
        }
        switch address.path.dropFirst("/api/v5/market/".count) {
        case "books": return .book(symbol: symbol, limit: address.limit("sz", standard: 1, most: 400))
        case "trades", "history-trades":
            var query = TradeQuery(
                symbol: symbol, wording: symbol, limit: address.limit(standard: 100, most: 500))
            query.beforeID = address.integer("after")
            query.isReversed = true
            return .trades(query)
        case "candles", "history-candles": return candleQuestion(address, symbol)
        default: return .settled(notFound())
        }
    }

    private func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        let bar = (address["bar"] ?? "1m").replacing("utc", with: "").lowercased()
        guard let interval = CandleInterval(rawValue: bar), interval >= .minute, interval != .week else {
            return .settled(refusal("51000", "Parameter bar error"))
        }
        var query = CandleQuery(
            symbol: symbol, interval: interval, limit: address.limit(standard: 100, most: 300))
        // Both ends are excluded, and `after` is the later one.
        query.start = address.time("before")?.adding(nanoseconds: 1)
        query.end = address.time("after")?.adding(nanoseconds: -1)
        (query.isReversed, query.takesNewest) = (true, true)
        return .candles(query)
    }

    private func refusal(_ code: String, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.text("code", code)
            writer.text("msg", words)
            writer.array("data") { _ in }
        }
        return RESTAnswer(status: 200, body: body)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        return ArgMessages.answer("0") { writer in
            writer.object { writer in
                book.writeSides(("bids", "asks"), limit: limit, to: &writer) { writer in
                    writer.string("0")
                    writer.string("1")
                }
                writer.text("ts", "\(time.milliseconds)")
            }
        }
    }

    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        (message["data"]?.elements ?? []).compactMap { row in
            guard (row["instId"] ?? row["instrument_id"])?.text == symbol, let price = row["px"]?.text,
                let size = row["sz"]?.text,
                let time = row["ts"]?.integer.flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            return TapeTrade(
                id: row["tradeId"]?.text ?? "", price: price, size: size, time: time,
                isBuy: row["side"]?.text == "buy")
        }
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        ArgMessages.answer("0") { writer in
            for trade in trades {
                writer.object { writer in
                    writer.text("instId", query.symbol)
                    writer.text("side", trade.isBuy ? "buy" : "sell")
                    writer.text("sz", trade.size)
                    writer.text("px", trade.price)
                    writer.text("tradeId", trade.id)
                    writer.text("ts", "\(trade.time.milliseconds)")
                }
            }
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        ArgMessages.answer("0") { writer in
            for candle in candles {
                let texts = CandleTexts(candle)
                writer.array { writer in
                    writer.string("\(candle.start.milliseconds)")
                    let numbers = [texts.open, texts.high, texts.low, texts.close, texts.volume]
                    for text in numbers + ["0", "0", "1"] { writer.string(text) }
                }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] { list(instruments) }

    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8] {
        let family = address["instFamily"] ?? address["uly"]
        return list(
            instruments.filter { instrument in
                OKXDialect.type(of: instrument.symbol) == address["instType"]
                    && (family.map { instrument.symbol.hasPrefix("\($0)-") } ?? true)
            })
    }

    private func list(_ instruments: [ListedInstrument]) -> [UInt8] {
        ArgMessages.answer("0") { writer in
            for instrument in instruments {
                let parts = SymbolParts(instrument.symbol, separator: "-")
                let type = OKXDialect.type(of: instrument.symbol)
                let (isSpot, isInverse) = (type == "SPOT", parts.quote == "USD")
                writer.object { writer in
                    writer.text("instType", type)
                    writer.text("instId", instrument.symbol)
                    writer.text("uly", isSpot ? "" : "\(parts.base)-\(parts.quote)")
                    writer.text("baseCcy", isSpot ? parts.base : "")
                    writer.text("quoteCcy", isSpot ? parts.quote : "")
                    writer.text("settleCcy", isSpot ? "" : isInverse ? parts.base : parts.quote)
                    writer.text("ctType", isSpot ? "" : isInverse ? "inverse" : "linear")
                    writer.text("ctVal", isSpot ? "" : "1")
                    writer.text("ctMult", isSpot ? "" : "1")
                    writer.decimal("tickSz", 1, instrument.priceScale)
                    writer.decimal("lotSz", 1, instrument.sizeScale)
                    writer.text("state", "live")
                }
            }
        }
    }

    /// What a symbol is, by its form: `BTC-USDT`, `BTC-USDT-SWAP`, `BTC-USD-261225`,
    /// `BTC-USD-261225-60000-C`.
    static func type(of symbol: String) -> String {
        let parts = symbol.split(separator: "-")
        if parts.count > 3 { return "OPTION" }
        return parts.count < 3 ? "SPOT" : parts[2] == "SWAP" ? "SWAP" : "FUTURES"
    }
}
