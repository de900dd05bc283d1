import Instruments
import MarketState
import Venues

extension BinanceDialect {
    static let spot = described(Binance.spot, .spot)
    static let us = described(Binance.us, .spot)
    static let usdm = described(Binance.usdm, .usdm)
    static let coinm = described(Binance.coinm, .coinm)

    private static func described(
        _ description: VenueDescription, _ market: BinanceMarket
    ) -> DialectDescription {
        let lengths = VenueCandleHistory(description)?.lengths ?? []
        return DialectDescription(
            description: description,
            recognize: { _ in
                BinanceDialect(
                    venue: description.venue, market: market,
                    hasSecondCandles: lengths.contains(CandleInterval.second.seconds))
            })
    }
}
