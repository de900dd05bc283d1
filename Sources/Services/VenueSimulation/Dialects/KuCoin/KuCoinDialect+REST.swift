import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// Sources: KuCoin API documentation, "Get Part OrderBook", "Get Klines", "Get All Symbols", read 2026-11.
extension KuCoinDialect {
    func ownAnswer(to address: RequestAddress) -> RESTAnswer? {
        guard address.path.hasSuffix("/api/v1/bullet-public") else { return nil }
        return address.posted == nil ? RESTAnswer(status: 405, "{}") : token
    }

    /// The right to connect, for everybody the same.
    private var token: RESTAnswer {
        RESTAnswer(
            status: 200,
            #"{"code":"200000","data":{"token":"simulated","instanceServers":[{"endpoint":"#
                + #""\#(description.webSocketURL)/","encrypt":true,"protocol":"websocket","#
                + #""pingInterval":18000,"pingTimeout":10000}]}}"#)
    }

    /// The route's name says it: `level2_20`, `level2_100`.
    func levels(of address: RequestAddress) -> Int {
        address.path.split(separator: "_").last.flatMap { Int($0) } ?? 0
    }

    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8] { restBook(book, limit: 0, at: time) }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let sequence = (book.session as? KuCoinSession)?.lastSequence(of: book.index) ?? 0
        return JSONWriter.message { writer in
            writer.text("code", "200000")
            writer.object("data") { writer in
                writer.pair("time", time.milliseconds)
                writer.text("sequence", "\(sequence)")
                writer.rows("bids", book.rows(.bid, limit))
                writer.rows("asks", book.rows(.ask, limit))
            }
        }
    }

    /// Past trades have no id there that tells them apart, and are not asked for.
    func tradeQuery(of address: RequestAddress) -> TradeQuery? { nil }

    func trades(in message: JSONValue, of symbol: String) -> [TradeRow] { [] }

    func candleQuery(of address: RequestAddress) -> CandleQuery? {
        let interval = CandleInterval.named(address["type"]) {
            $0.name(minutes: "min", hours: "hour", days: "day")
        }
        guard address.path.hasSuffix("/market/candles"), let interval, let symbol = address["symbol"] else {
            return nil
        }
        return CandleQuery(
            symbol: symbol, interval: interval, start: Timestamp(seconds: address.integer("startAt")),
            end: Timestamp(seconds: address.integer("endAt")), limit: 1_500, isReversed: true,
            takesNewest: true)
    }

    func row(of candle: Candle) -> [UInt8] {
        let texts = CandleTexts(candle)
        return JSONWriter.rows { writer in
            writer.string("\(candle.start.seconds)")
            for text in [texts.open, texts.close, texts.high, texts.low, texts.volume, texts.notional] {
                writer.string(text)
            }
        }
    }

    func answer(_ rows: [[UInt8]], about symbol: String) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("code", "200000")
            writer.rows("data", rows)
        }
    }

    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("code", "200000")
            writer.list("data", instruments) { instrument, writer in
                let assets = instrument.symbol.split(separator: "-").map(String.init)
                writer.text("symbol", instrument.symbol)
                writer.text("baseCurrency", assets.first ?? "")
                writer.text("quoteCurrency", assets.last ?? "")
                writer.decimal("priceIncrement", 1, instrument.priceScale)
                writer.decimal("baseIncrement", 1, instrument.sizeScale)
                writer.pair("enableTrading", true)
            }
        }
    }

    func unavailable() -> RESTAnswer {
        RESTAnswer(status: 503, #"{"code":"503000","msg":"Service unavailable"}"#)
    }

    func notFound() -> RESTAnswer {
        RESTAnswer(status: 400, #"{"code":"400100","msg":"There is no such symbol or route."}"#)
    }
}
