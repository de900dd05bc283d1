import Instruments
import JSON
import MarketState

/// Source: Binance, "24hr ticker price change statistics", read 2026-11.
extension BinanceDialect {
    /// Whether an address asks for the last 24 hours of all markets.
    static func asksForTickers(_ parts: [Substring], _ address: RequestAddress) -> Bool {
        parts.suffix(2).elementsEqual(["ticker", "24hr"]) && parts.count == 4 && address["symbol"] == nil
    }

    func restTickers(_ days: [MarketDay]) -> RESTAnswer {
        let rows = days.map { day in
            JSONWriter.message { writer in
                writer.text("symbol", day.symbol)
                writer.text("lastPrice", day.last)
                writer.text("openPrice", day.open)
                writer.text("highPrice", day.high)
                writer.text("lowPrice", day.low)
                writer.text("volume", day.volume)
                writer.text("quoteVolume", day.turnover)
                writer.pair("openTime", milliseconds(day.time) - 86_400_000)
                writer.pair("closeTime", milliseconds(day.time))
                writer.pair("count", day.sums.count)
            }
        }
        return RESTAnswer(status: 200, body: JSONWriter.rows(rows))
    }
}
