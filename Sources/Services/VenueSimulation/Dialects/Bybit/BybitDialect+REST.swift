import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Source, not confirmed: Bybit, "V5 API, Market".
extension BybitDialect {
    func keeps(_ address: RequestAddress) -> Bool {
        address.path == "/v5/market/instruments-info" && address["category"] == category
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        address.path == "/v5/market/orderbook" ? address["symbol"] : nil
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        if address.path == "/v5/market/time" { return .time }
        guard address.path.hasPrefix("/v5/market/"), address["category"] == category else {
            return .settled(notFound())
        }
        if address.path == "/v5/market/tickers", address["symbol"] == nil { return .tickers }
        guard let symbol = address["symbol"], symbols.contains(symbol) else {
            return .settled(refusal(10_001, "params error: Symbol Invalid"))
        }
        switch address.path.dropFirst("/v5/market/".count) {
        case "orderbook": return .book(symbol: symbol, limit: address.limit(standard: 25, most: 1_000))
        case "recent-trade":
            let limit = address.limit(standard: 60, most: 1_000)
            return .trades(TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true))
        case "kline": return candleQuestion(address, symbol)
        default: return .settled(notFound())
        }
    }

    private func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        let name = address["interval"] ?? ""
        let minutes = name == "D" ? 1_440 : Int64(name) ?? 0
        guard
            let interval = CandleInterval(
                seconds: minutes.multipliedReportingOverflow(by: 60).partialValue)
        else {
            return .settled(refusal(10_001, "params error: Invalid period!"))
        }
        var query = CandleQuery(
            symbol: symbol, interval: interval, limit: address.limit(standard: 200, most: 1_000))
        (query.start, query.end) = (address.time("start"), address.time("end"))
        (query.isReversed, query.takesNewest) = (true, true)
        return .candles(query)
    }

    private func refusal(_ code: Int, _ words: String) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.pair("retCode", code)
            writer.text("retMsg", words)
            writer.object("result") { _ in }
        }
        return RESTAnswer(status: 200, body: body)
    }

    func result(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.message { writer in
            writer.pair("retCode", 0)
            writer.text("retMsg", "OK")
            writer.object("result", body)
        }
    }

    func restTime(at time: Timestamp) -> RESTAnswer {
        let body = result { writer in
            writer.text("timeSecond", "\(time.seconds)")
            writer.text("timeNano", "\(time.nanoseconds)")
        }
        return RESTAnswer(status: 200, body: body)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let number = (book.session as? BybitSession)?.numbers(of: book.index).updateID ?? 0
        return result { writer in
            writer.text("s", book.symbol)
            book.writeSides(("b", "a"), limit: limit, to: &writer)
            writer.pair("ts", time.milliseconds)
            writer.pair("u", number)
        }
    }

    /// `T, S, v, p, i` of V5, `trade_time_ms, side, size, price, trade_id` of V2.
    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        (message["data"]?.elements ?? []).compactMap { row in
            guard (row["s"] ?? row["symbol"])?.text == symbol, let price = (row["p"] ?? row["price"])?.text,
                let size = (row["v"] ?? row["size"])?.text, let id = (row["i"] ?? row["trade_id"])?.text,
                let milliseconds = (row["T"] ?? row["trade_time_ms"])?.integer,
                let time = Timestamp(milliseconds: milliseconds)
            else { return nil }
            let side = (row["S"] ?? row["side"])?.text
            return TapeTrade(id: id, price: price, size: size, time: time, isBuy: side == "Buy")
        }
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        result { writer in
            writer.text("category", category)
            writer.list("list", trades) { trade, writer in
                writer.text("execId", trade.id)
                writer.text("symbol", query.symbol)
                writer.text("price", trade.price)
                writer.text("size", trade.size)
                writer.text("side", trade.isBuy ? "Buy" : "Sell")
                writer.text("time", "\(trade.time.milliseconds)")
                writer.pair("isBlockTrade", false)
            }
        }
    }

    /// Turnovers are left at 0, which the trades do not tell of every kind of contract.
    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        result { writer in
            writer.text("category", category)
            writer.text("symbol", query.symbol)
            writer.array("list") { writer in
                for candle in candles {
                    let texts = CandleTexts(candle)
                    let turnover = category == "inverse" ? "0" : "\(candle.sums.notionalValue.normalized)"
                    writer.array { writer in
                        writer.string("\(candle.start.milliseconds)")
                        for text in [texts.open, texts.high, texts.low, texts.close, texts.volume, turnover] {
                            writer.string(text)
                        }
                    }
                }
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        result { writer in
            writer.text("category", category)
            writer.text("nextPageCursor", "")
            writer.list("list", instruments) { instrument, writer in
                let parts = SymbolParts(instrument.symbol)
                writer.text("symbol", instrument.symbol)
                writer.text("status", "Trading")
                writer.text("baseCoin", parts.base)
                writer.text("quoteCoin", parts.quote)
                if category != "spot" {
                    writer.text("contractType", category == "linear" ? "LinearPerpetual" : "InversePerpetual")
                }
                writer.object("priceFilter") { $0.decimal("tickSize", 1, instrument.priceScale) }
                writer.object("lotSizeFilter") { writer in
                    writer.decimal(category == "spot" ? "basePrecision" : "qtyStep", 1, instrument.sizeScale)
                }
            }
        }
    }
}
