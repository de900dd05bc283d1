import Instruments
import MarketState
import Venues

extension BinanceDialect {
    static let spot = described(Binance.spot, isFutures: false, SyntheticInstrument.binance)
    static let us = described(Binance.us, isFutures: false, SyntheticInstrument.binanceUS)
    static let usdm = described(Binance.usdm, isFutures: true, SyntheticInstrument.binanceUSDM)

    private static func described(
        _ description: VenueDescription, isFutures: Bool, _ instruments: [SyntheticInstrument]
    ) -> DialectDescription {
        let lengths = VenueCandleHistory(description)?.lengths ?? []
        let dialect = BinanceDialect(
            venue: description.venue, isFutures: isFutures,
            hasSecondCandles: lengths.contains(CandleInterval.second.seconds))
        var synthetic = SyntheticVenue(
            instruments: instruments, dialect: dialect, bookDepth: 1_000,
            wording: { _, started in SyntheticBinance(isFutures: isFutures, started: started) })
        if isFutures { synthetic.kinds.append(.mark) }
        return DialectDescription(
            description: description, recognize: { _ in dialect }, synthetic: synthetic)
    }
}
