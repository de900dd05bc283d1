import Instruments
import MarketState
import Venues

extension BinanceDialect {
    static let spot = described(Binance.spot, .spot, SyntheticInstrument.binance)
    static let us = described(Binance.us, .spot, SyntheticInstrument.binanceUS)
    static let usdm = described(Binance.usdm, .usdm, SyntheticInstrument.binanceUSDM)
    static let coinm = described(Binance.coinm, .coinm)

    private static func described(
        _ description: VenueDescription, _ market: BinanceMarket, _ instruments: [SyntheticInstrument] = []
    ) -> DialectDescription {
        let lengths = VenueCandleHistory(description)?.lengths ?? []
        let dialect = BinanceDialect(
            venue: description.venue, market: market,
            hasSecondCandles: lengths.contains(CandleInterval.second.seconds))
        return DialectDescription(
            description: description, recognize: { _ in dialect },
            synthetic: instruments.isEmpty ? nil : synthetic(instruments, dialect))
    }

    private static func synthetic(
        _ instruments: [SyntheticInstrument], _ dialect: BinanceDialect
    ) -> SyntheticVenue {
        let isFutures = dialect.isFutures
        var venue = SyntheticVenue(
            instruments: instruments, dialect: dialect, bookDepth: 1_000,
            wording: { _, started in SyntheticBinance(isFutures: isFutures, started: started) })
        if isFutures { venue.kinds.append(.mark) }
        return venue
    }
}
