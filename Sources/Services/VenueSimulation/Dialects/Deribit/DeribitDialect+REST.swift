import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Source: Deribit API, "Market data", read 2026-11.
extension DeribitDialect {
    private static let root = "/api/v2/public/"

    /// Recorded ones are of a currency each; the one of all is made.
    func keeps(_ address: RequestAddress) -> Bool { address.path == DeribitDialect.root + "get_instruments" }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path == DeribitDialect.root + "get_order_book" ? address["instrument_name"] : nil
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        guard address.path.hasPrefix(DeribitDialect.root) else { return .settled(notFound()) }
        let route = address.path.dropFirst(DeribitDialect.root.count)
        if route == "get_time" { return .time }
        guard let symbol = address["instrument_name"], symbols.contains(symbol) else {
            return .settled(refusal(13_020, "not_found"))
        }
        switch route {
        case "get_order_book":
            return .book(symbol: symbol, limit: address.limit("depth", standard: 5, most: 10_000))
        case "get_last_trades_by_instrument":
            let limit = address.limit("count", standard: 10, most: 1_000)
            var query = TradeQuery(symbol: symbol, wording: symbol, limit: limit)
            (query.start, query.end) = (address.time("start_timestamp"), address.time("end_timestamp"))
            query.isReversed = address["sorting"] != "asc"
            return .trades(query)
        case "get_tradingview_chart_data": return candleQuestion(address, symbol)
        default: return .settled(notFound())
        }
    }

    private func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        let name = address["resolution"] ?? ""
        let minutes = name == "1D" ? 1_440 : Int64(name) ?? 0
        guard let interval = CandleInterval(seconds: minutes.multipliedReportingOverflow(by: 60).partialValue)
        else { return .settled(refusal(-32_602, "Invalid params")) }
        var query = CandleQuery(symbol: symbol, interval: interval, limit: 5_000)
        (query.start, query.end) = (address.time("start_timestamp"), address.time("end_timestamp"))
        query.takesNewest = true
        return .candles(query)
    }

    private func refusal(_ code: Int, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.text("jsonrpc", "2.0")
            writer.object("error") { writer in
                writer.text("message", words)
                writer.pair("code", code)
            }
        }
        return RESTAnswer(status: 400, body: body)
    }

    private func result(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("jsonrpc", "2.0")
            writer.key("result")
            body(&writer)
        }
    }

    func restTime(at time: Timestamp) -> RESTAnswer {
        RESTAnswer(status: 200, body: result { $0.integer(time.milliseconds) })
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        result { writer in
            writer.object { writeBook(book, limit, at: time, nil, to: &$0) }
        }
    }

    /// The recorded rows with their numbers as they are.
    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        (message["params"]?["data"]?.elements ?? []).compactMap { row in
            guard row["instrument_name"]?.text == symbol, let price = row["price"]?.text,
                let size = row["amount"]?.text, let id = row["trade_id"]?.text,
                let time = row["timestamp"]?.integer.flatMap({ Timestamp(milliseconds: $0) })
            else { return nil }
            return TapeTrade(
                id: id, price: price, size: size, time: time, isBuy: row["direction"]?.text == "buy")
        }
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        result { writer in
            writer.object { writer in
                writer.list("trades", trades) { trade, writer in
                    writer.text("trade_id", trade.id)
                    writer.text("instrument_name", query.symbol)
                    writer.key("price")
                    writer.number(trade.price)
                    writer.key("amount")
                    writer.number(trade.size)
                    writer.text("direction", trade.isBuy ? "buy" : "sell")
                    writer.pair("timestamp", trade.time.milliseconds)
                }
                writer.pair("has_more", false)
            }
        }
    }

    /// A column each; volumes are of the base asset, also of inverse contracts.
    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        let texts = candles.map { CandleTexts($0) }
        func column(_ name: String, _ values: [String], _ writer: inout JSONWriter) {
            writer.array(name) { writer in
                for value in values { writer.number(value) }
            }
        }
        return result { writer in
            writer.object { writer in
                column("ticks", candles.map { "\($0.start.milliseconds)" }, &writer)
                column("open", texts.map(\.open), &writer)
                column("high", texts.map(\.high), &writer)
                column("low", texts.map(\.low), &writer)
                column("close", texts.map(\.close), &writer)
                column("volume", texts.map(\.volume), &writer)
                writer.text("status", candles.isEmpty ? "no_data" : "ok")
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] { list(instruments, of: "any") }

    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8] {
        list(instruments, of: address["currency"] ?? "any")
    }

    private func list(_ instruments: [ListedInstrument], of currency: String) -> [UInt8] {
        result { writer in
            writer.array { writer in
                for instrument in instruments {
                    let form = SymbolForm(instrument.symbol)
                    guard currency == "any" || form.base == currency else { continue }
                    writer.object { writer in
                        writer.text("instrument_name", instrument.symbol)
                        writer.text("kind", form.kind)
                        writer.text("base_currency", form.base)
                        writer.text("quote_currency", form.quote)
                        writer.text("settlement_period", form.isPerpetual ? "perpetual" : "month")
                        writer.number("tick_size", 1, instrument.priceScale)
                        writer.number("min_trade_amount", 1, instrument.sizeScale)
                        writer.pair("is_active", true)
                    }
                }
            }
        }
    }

    /// What a symbol says: `BTC-PERPETUAL`, `BTC_USDC-PERPETUAL`, `BTC-24SEP21`, `BTC-24SEP21-40000-P`,
    /// `BTC_USDC`.
    private struct SymbolForm {
        let base: String
        let quote: String
        let kind: String
        let isPerpetual: Bool

        init(_ symbol: String) {
            let parts = symbol.split(separator: "-").map(String.init)
            let pair = SymbolParts(parts.first ?? symbol, separator: "_")
            kind = parts.count > 3 ? "option" : parts.count > 1 ? "future" : "spot"
            base = pair.base
            quote = !pair.quote.isEmpty ? pair.quote : kind == "option" ? pair.base : "USD"
            isPerpetual = parts.count == 2 && parts[1] == "PERPETUAL"
        }
    }
}
