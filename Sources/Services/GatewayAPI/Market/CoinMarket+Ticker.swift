import GatewayStream
import Instruments
import MarketStore

extension CoinMarket {
    /// A market as its ticker shows it.
    init(_ instrument: Instrument, _ ticker: TickerBody) {
        self.init(
            instrument, origin: ticker.origin.flatMap(PriceOrigin.init(rawValue:)),
            isStale: ticker.stale != nil,
            volume: ticker.quoteVolume.flatMap { try? Amount(parsing: $0) })
    }
}
