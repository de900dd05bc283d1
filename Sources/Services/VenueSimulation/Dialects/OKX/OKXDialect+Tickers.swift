import Instruments
import JSON

/// Source: OKX API guide v5, "Get tickers", read 2026-11; of derivatives `volCcy24h` is in the base asset.
extension OKXDialect {
    /// Of all kinds, whichever is asked for: a reader goes by the symbols.
    func restTickers(_ days: [MarketDay]) -> RESTAnswer {
        let body = ArgMessages.answer("0") { writer in
            for day in days {
                let type = OKXDialect.type(of: day.symbol)
                writer.object { writer in
                    writer.text("instType", type)
                    writer.text("instId", day.symbol)
                    writer.text("last", day.last)
                    writer.text("open24h", day.open)
                    writer.text("high24h", day.high)
                    writer.text("low24h", day.low)
                    writer.text("vol24h", day.volume)
                    writer.text("volCcy24h", type == "SPOT" ? day.turnover : day.volume)
                    writer.text("ts", "\(day.time.milliseconds)")
                }
            }
        }
        return RESTAnswer(status: 200, body: body)
    }
}
