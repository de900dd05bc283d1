import Instruments
import JSON

/// Source: Kraken, "Spot REST API, Get Ticker Information", read 2026-11.
extension KrakenREST {
    /// Of two numbers the first is of today and the second of 24 hours; here both are the second.
    static func tickers(_ days: [MarketDay]) -> RESTAnswer {
        let body = answer { writer in
            for day in days {
                writer.object(name(day.symbol)) { writer in
                    writer.texts("c", [day.last, "0"])
                    writer.texts("v", [day.volume, day.volume])
                    writer.texts("l", [day.low, day.low])
                    writer.texts("h", [day.high, day.high])
                    writer.text("o", day.open)
                }
            }
        }
        return RESTAnswer(status: 200, body: body)
    }
}

extension KrakenV1Dialect {
    func restTickers(_ days: [MarketDay]) -> RESTAnswer { KrakenREST.tickers(days) }
}

extension KrakenV2Dialect {
    func restTickers(_ days: [MarketDay]) -> RESTAnswer { KrakenREST.tickers(days) }
}
