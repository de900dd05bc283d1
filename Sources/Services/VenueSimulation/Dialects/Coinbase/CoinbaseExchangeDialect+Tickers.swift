import Instruments
import JSON

/// Source: Coinbase Developer Documentation, "List Public Products" of Advanced Trade, whose markets are the
/// Exchange's; read 2026-11.
extension CoinbaseExchangeDialect {
    static let tickersPath = "/api/v3/brokerage/market/products"

    func restTickers(_ days: [MarketDay]) -> RESTAnswer {
        let body = JSONWriter.message { writer in
            writer.list("products", days) { day, writer in
                writer.text("product_id", day.symbol)
                writer.text("price", day.last)
                writer.text("volume_24h", day.volume)
                writer.text("approximate_quote_24h_volume", day.turnover)
                writer.text("price_percentage_change_24h", day.changePercent)
                writer.text("alias", "")
            }
            writer.pair("num_products", days.count)
        }
        return RESTAnswer(status: 200, body: body)
    }
}
