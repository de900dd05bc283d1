package import Instruments
package import MarketData
package import MarketState
import Store

extension CandleRow {
    /// A venue's candle as it is stored; `nil` when a price needs more than 63 bits.
    ///
    /// The venue does not say when the first and the last trade were: the interval's ends stand for them.
    /// - Parameters:
    ///   - candle: As the venue's history gives it.
    ///   - interval: Its length.
    ///   - instrument: Whose scales are used where they are enough.
    package init?(_ candle: HistoryCandle, _ interval: CandleInterval, of instrument: Instrument) {
        let prices = [candle.open, candle.high, candle.low, candle.close].map(\.normalized)
        let scale = prices.reduce(instrument.priceScale) { max($0, $1.scale) }
        let units = prices.compactMap { try? $0.rescaled(to: scale).units }
        guard units.count == 4, let high = units.max(), let low = units.min() else { return nil }
        let sizes = max(instrument.sizeScale, Scale(min(candle.volume.decimalPlaces, 18)) ?? .maximum)
        var flags: CandleFlags = [.closed, .fromVenue]
        if candle.notional == nil { flags.insert(.withoutNotional) }
        if candle.tradeCount == 0 { flags.insert(.flat) }
        self.init(
            interval: interval, start: candle.start, openTime: candle.start,
            closeTime: candle.start.adding(nanoseconds: interval.nanoseconds - 1),
            open: Price(units[0]),
            high: Price(high), low: Price(low), close: Price(units[3]), priceScale: scale, sizeScale: sizes,
            tradeCount: candle.tradeCount, volume: candle.volume, takerBuyVolume: candle.takerBuyVolume,
            notional: candle.notional, flags: flags)
    }
}
