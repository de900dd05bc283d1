import Instruments
import Venues

extension BinanceDialect {
    static let spot = described(Binance.spot, isFutures: false)
    static let us = described(Binance.us, isFutures: false)
    static let usdm = described(Binance.usdm, isFutures: true)

    private static func described(_ description: VenueDescription, isFutures: Bool) -> DialectDescription {
        DialectDescription(
            description: description,
            recognize: { _ in BinanceDialect(venue: description.venue, isFutures: isFutures) })
    }
}
