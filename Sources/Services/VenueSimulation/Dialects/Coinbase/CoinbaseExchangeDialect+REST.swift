import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources, not confirmed: Coinbase Developer Documentation, "Get product book", "Get product trades" of the
/// Exchange; "Get Public Product Candles" of Advanced Trade, which gives them for both.
extension CoinbaseExchangeDialect {
    /// `/products/<symbol>/<what>`, of Advanced Trade behind its root.
    private func parts(_ address: RequestAddress) -> (symbol: String, what: String)? {
        let parts = address.path.split(separator: "/").map(String.init)
        guard parts.count >= 3, parts[parts.count - 3] == "products" else { return nil }
        return (parts[parts.count - 2], parts[parts.count - 1])
    }

    func bookSymbol(of address: RequestAddress) -> String? {
        parts(address).flatMap { $0.what == "book" ? $0.symbol : nil }
    }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if address.path == Self.tickersPath { return .tickers }
        if keeps(address) { return .instruments }
        if address.path == "/time" { return .time }
        guard let (symbol, what) = parts(address), symbols.contains(symbol) else {
            return .settled(notFound())
        }
        switch what {
        case "book": return .book(symbol: symbol, limit: address["level"] == "1" ? 1 : .max)
        case "trades":
            let limit = address.limit(standard: 1_000, most: 1_000)
            var query = TradeQuery(symbol: symbol, wording: symbol, limit: limit, isReversed: true)
            // The pages go back: `after` an id are those that were made before it.
            query.beforeID = address.integer("after")
            return .trades(query)
        case "candles": return candleQuestion(address, symbol)
        default: return .settled(notFound())
        }
    }

    private static let granularities: [String: CandleInterval] = [
        "ONE_MINUTE": .minute, "FIVE_MINUTE": .fiveMinutes, "FIFTEEN_MINUTE": .quarterHour,
        "THIRTY_MINUTE": .halfHour, "ONE_HOUR": .hour, "FOUR_HOUR": .fourHours, "ONE_DAY": .day,
    ]

    private func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        guard let interval = CoinbaseExchangeDialect.granularities[address["granularity"] ?? ""] else {
            return .settled(RESTAnswer(status: 400, #"{"message":"Unsupported granularity"}"#))
        }
        var query = CandleQuery(
            symbol: symbol, interval: interval, limit: address.limit(standard: 350, most: 350))
        (query.start, query.end) = (address.seconds("start"), address.seconds("end"))
        (query.isReversed, query.takesNewest) = (true, true)
        return .candles(query)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        return JSONWriter.message { writer in
            book.writeSides(("bids", "asks"), limit: limit, to: &writer) { writer in
                writer.integer(1)
            }
            writer.pair("sequence", 0)
            writer.text("time", time.iso8601(fractionDigits: 6))
        }
    }

    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] {
        guard message["product_id"]?.text == symbol, let id = message["trade_id"]?.text,
            let price = message["price"]?.text, let size = message["size"]?.text,
            let time = message["time"]?.text.flatMap({ Timestamp(iso8601: $0) })
        else { return [] }
        // The side is the maker's.
        return [
            TapeTrade(id: id, price: price, size: size, time: time, isBuy: message["side"]?.text == "sell")
        ]
    }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] {
        JSONWriter.rows { writer in
            for trade in trades {
                writer.object { writer in
                    writer.key("trade_id")
                    writer.number(trade.id)
                    writer.text("side", trade.isBuy ? "sell" : "buy")
                    writer.text("size", trade.size)
                    writer.text("price", trade.price)
                    writer.text("time", trade.time.iso8601(fractionDigits: 6))
                }
            }
        }
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        JSONWriter.message { writer in
            writer.list("candles", candles) { candle, writer in
                let texts = CandleTexts(candle)
                writer.text("start", "\(candle.start.seconds)")
                writer.text("low", texts.low)
                writer.text("high", texts.high)
                writer.text("open", texts.open)
                writer.text("close", texts.close)
                writer.text("volume", texts.volume)
            }
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.rows { writer in
            for instrument in instruments {
                let parts = SymbolParts(instrument.symbol, separator: "-")
                writer.object { writer in
                    writer.text("id", instrument.symbol)
                    writer.text("base_currency", parts.base)
                    writer.text("quote_currency", parts.quote)
                    writer.decimal("quote_increment", 1, instrument.priceScale)
                    writer.decimal("base_increment", 1, instrument.sizeScale)
                    writer.text("status", "online")
                }
            }
        }
    }

    func restTime(at time: Timestamp) -> RESTAnswer {
        let body = JSONWriter.message { $0.text("iso", time.iso8601(fractionDigits: 3)) }
        return RESTAnswer(status: 200, body: body)
    }

    func notFound() -> RESTAnswer { RESTAnswer(status: 404, #"{"message":"NotFound"}"#) }
}
