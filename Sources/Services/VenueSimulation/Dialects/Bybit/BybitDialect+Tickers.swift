import Instruments
import JSON

/// Source: Bybit, "V5 API, Get tickers", read 2026-11; of inverse contracts `volume24h` counts dollars.
extension BybitDialect {
    func restTickers(_ days: [MarketDay]) -> RESTAnswer {
        let isInverse = category == "inverse"
        let body = result { writer in
            writer.text("category", category)
            writer.list("list", days) { day, writer in
                writer.text("symbol", day.symbol)
                writer.text("lastPrice", day.last)
                writer.text("prevPrice24h", day.open)
                writer.text("highPrice24h", day.high)
                writer.text("lowPrice24h", day.low)
                writer.text("volume24h", isInverse ? day.turnover : day.volume)
                writer.text("turnover24h", isInverse ? day.volume : day.turnover)
            }
        }
        return RESTAnswer(status: 200, body: body)
    }
}
