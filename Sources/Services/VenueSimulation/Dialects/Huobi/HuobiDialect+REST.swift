import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: HTX, "Spot API reference, Get market depth", "Get the most recent trades", "Get klines", "Get all
/// supported trading symbols (V2)", read 2026-11.
extension HuobiDialect {
    func levels(of address: RequestAddress) -> Int { 0 }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("ch", "market.\(book.symbol).depth.step0")
            writer.text("status", "ok")
            writer.pair("ts", time.milliseconds)
            writer.object("tick") { writeBook(book, at: time, to: &$0) }
        }
    }

    func tradeQuery(of address: RequestAddress) -> TradeQuery? {
        guard address.path.hasSuffix("/market/history/trade"), let symbol = address["symbol"] else {
            return nil
        }
        let limit = Int(min(max(address.integer("size") ?? 1, 1), 2_000))
        return TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true)
    }

    /// Each as a group of its own.
    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] {
        guard message["ch"]?.text == "market.\(symbol).trade.detail" else { return [] }
        return (message["tick"]?["data"]?.elements ?? []).compactMap { row in
            guard let time = row["ts"]?.integer.flatMap({ Timestamp(milliseconds: $0) }) else { return nil }
            let text = JSONWriter.message { writer in
                writer.pair("id", row["id"] ?? .null)
                writer.pair("ts", time.milliseconds)
                writer.rows("data", [row.bytes])
            }
            return TradeRow(time: time, row: text)
        }
    }

    /// The newest, of lengths that have ours as their beginning: days begin at 16:00 UTC.
    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        let interval = CandleInterval.named(address["period"]) { interval in
            interval == .fourHours ? "4hour" : interval < .day ? "\(interval.seconds / 60)min" : ""
        }
        guard address.path.hasSuffix("/market/history/kline"), let interval, let symbol = address["symbol"]
        else { return nil }
        let limit = Int(min(max(address.integer("size") ?? 150, 1), 2_000))
        return CandleQuery(
            symbol: symbol, interval: interval, limit: limit, isReversed: true, takesNewest: true)
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.message { writer in
            writer.pair("id", candle.start.seconds)
            for (name, text) in [
                ("open", texts.open), ("close", texts.close), ("low", texts.low), ("high", texts.high),
                ("amount", texts.volume), ("vol", texts.notional),
            ] {
                writer.number(name, text: text)
            }
            writer.pair("count", texts.count)
        }
    }

    func answer(_ rows: [[UInt8]], about symbol: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("status", "ok")
            writer.rows("data", rows)
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("status", "ok")
            writer.list("data", instruments) { instrument, writer in
                let (base, quote) = Self.assets(of: instrument.symbol)
                writer.text("sc", instrument.symbol)
                writer.text("bc", base)
                writer.text("qc", quote)
                writer.pair("tpp", instrument.priceScale.places)
                writer.pair("tap", instrument.sizeScale.places)
                writer.text("state", "online")
            }
        }
    }

    /// Nothing stands between base and quote: the longest known quote at the end decides.
    private static func assets(of symbol: String) -> (base: String, quote: String) {
        for quote in ["usdt", "usdc", "husd", "usdd", "btc", "eth", "trx", "ht"]
        where symbol.hasSuffix(quote) && symbol.count > quote.count {
            return (String(symbol.dropLast(quote.count)), quote)
        }
        return (symbol, "")
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(
            status: 503, #"{"status":"error","err-code":"system-busy","err-msg":"Unavailable"}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(
            status: 200,
            #"{"status":"error","err-code":"invalid-parameter","err-msg":"invalid symbol or route"}"#)
    }
}
