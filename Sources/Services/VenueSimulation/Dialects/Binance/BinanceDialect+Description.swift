import Instruments
import MarketState
import Venues

extension BinanceDialect {
    static let spot = described(Binance.spot, isFutures: false)
    static let us = described(Binance.us, isFutures: false)
    static let usdm = described(Binance.usdm, isFutures: true)

    private static func described(_ description: VenueDescription, isFutures: Bool) -> DialectDescription {
        let lengths = VenueCandleHistory(description)?.lengths ?? []
        return DialectDescription(
            description: description,
            recognize: { _ in
                BinanceDialect(
                    venue: description.venue, isFutures: isFutures,
                    hasSecondCandles: lengths.contains(CandleInterval.second.seconds))
            })
    }
}
