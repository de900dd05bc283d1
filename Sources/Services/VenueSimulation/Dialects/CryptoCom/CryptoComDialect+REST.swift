import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Source, not confirmed: Crypto.com, "Exchange API v1, public/get-…".
extension CryptoComDialect {
    private func route(_ address: RequestAddress) -> Substring? {
        let root = "/exchange/v1/public/"
        return address.path.hasPrefix(root) ? address.path.dropFirst(root.count) : nil
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        route(address) == "get-book" ? address["instrument_name"] : nil
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        guard let route = route(address) else { return .settled(notFound()) }
        guard let symbol = address["instrument_name"], symbols.contains(symbol) else {
            return .settled(refusal(40_004, "Invalid instrument_name"))
        }
        switch route {
        case "get-book": return .book(symbol: symbol, limit: address.limit("depth", standard: 50, most: 150))
        case "get-trades":
            let limit = address.limit("count", standard: 25, most: 150)
            var query = TradeQuery(symbol: symbol, wording: symbol, limit: limit)
            (query.start, query.end) = (address.time("start_ts"), address.time("end_ts"))
            query.isReversed = true
            return .trades(query)
        case "get-candlestick":
            let name = (address["timeframe"] ?? "").lowercased()
            guard let interval = CandleInterval(rawValue: name), interval >= .minute, interval != .week else {
                return .settled(refusal(40_004, "Invalid timeframe"))
            }
            let limit = address.limit("count", standard: 25, most: 300)
            var query = CandleQuery(symbol: symbol, interval: interval, limit: limit)
            (query.start, query.end) = (address.time("start_ts"), address.time("end_ts"))
            query.takesNewest = true
            return .candles(query)
        default: return .settled(notFound())
        }
    }

    private func refusal(_ code: Int, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.pair("id", -1)
            writer.pair("code", code)
            writer.text("message", words)
        }
        return RESTAnswer(status: 400, body: body)
    }

    private func rows(_ method: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("id", -1)
            writer.text("method", "public/\(method)")
            writer.pair("code", 0)
            writer.object("result") { $0.array("data", body) }
        }
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        rows("get-book") { writer in
            writer.object { write(book, limit, at: time, to: &$0) }
        }
    }

    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        guard message["result"]?["instrument_name"]?.text == symbol else { return [] }
        return (message["result"]?["data"]?.elements ?? []).compactMap { row in
            guard let id = row["d"]?.text, let price = row["p"]?.text, let size = row["q"]?.text,
                let time = row["t"]?.integer.flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            return TapeTrade(
                id: id, price: price, size: size, time: time, isBuy: row["s"]?.text?.uppercased() == "BUY")
        }
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        rows("get-trades") { writer in
            for trade in trades {
                writer.object { writer in
                    writer.text("d", trade.id)
                    writer.text("s", trade.isBuy ? "BUY" : "SELL")
                    writer.text("p", trade.price)
                    writer.text("q", trade.size)
                    writer.pair("t", trade.time.milliseconds)
                    writer.text("i", query.symbol)
                }
            }
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        rows("get-candlestick") { writer in
            for candle in candles {
                let texts = CandleTexts(candle)
                writer.object { writer in
                    writer.text("o", texts.open)
                    writer.text("h", texts.high)
                    writer.text("l", texts.low)
                    writer.text("c", texts.close)
                    writer.text("v", texts.volume)
                    writer.pair("t", candle.start.milliseconds)
                }
            }
        }
    }

    /// What has a hyphen is a derivative: `BTCUSD-PERP`, `BTCUSD-260626`.
    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        rows("get-instruments") { writer in
            for instrument in instruments {
                let isPair = instrument.symbol.contains("_")
                let family = String(instrument.symbol.prefix { $0 != "-" })
                let parts = SymbolParts(family, separator: isPair ? "_" : nil)
                let isPerpetual = instrument.symbol.hasSuffix("-PERP")
                writer.object { writer in
                    writer.text("symbol", instrument.symbol)
                    writer.text("inst_type", isPair ? "CCY_PAIR" : isPerpetual ? "PERPETUAL_SWAP" : "FUTURE")
                    writer.text("base_ccy", parts.base)
                    writer.text("quote_ccy", parts.quote)
                    writer.pair("quote_decimals", instrument.priceScale.places)
                    writer.pair("quantity_decimals", instrument.sizeScale.places)
                    writer.decimal("price_tick_size", 1, instrument.priceScale)
                    writer.decimal("qty_tick_size", 1, instrument.sizeScale)
                    writer.pair("tradable", true)
                }
            }
        }
    }
}
