import Instruments
import MarketState
import MarketStore
import Store

extension CandleRow {
    /// A candle as it is stored; `nil` when a number is beyond what a row holds.
    init?(_ candle: Candle) {
        let sums = candle.sums
        guard let price = Scale(rawValue: sums.pricePlaces), let size = Scale(rawValue: sums.sizePlaces)
        else { return nil }
        let hasNotional = !candle.flags.contains(.withoutNotional)
        self.init(
            interval: candle.interval, start: candle.start, openTime: sums.openTime,
            closeTime: sums.closeTime, open: Price(sums.open), high: Price(sums.high), low: Price(sums.low),
            close: Price(sums.close), priceScale: price, sizeScale: size, tradeCount: sums.count,
            volume: Amount(sums.decimal(size: sums.volume)),
            takerBuyVolume: hasNotional ? Amount(sums.decimal(size: sums.takerBuyVolume)) : nil,
            notional: hasNotional ? Amount(sums.notionalValue) : nil,
            flags: candle.flags)
    }

    /// The candle with its exact sums; `nil` when it has none, or they need more than 38 digits.
    ///
    /// Only a venue's own candle, or one made of such, may be without Σ price × size.
    var candle: Candle? {
        let places = (Int(priceScale.places), Int(sizeScale.places))
        guard let volume = volume.units(places: places.1) else { return nil }
        var flags = flags
        var bought: Int128 = 0
        var value: Int128 = 0
        if let known = takerBuyVolume?.units(places: places.1),
            let sum = notional?.units(places: places.0 + places.1)
        {
            (bought, value) = (known, sum)
        } else {
            if flags.isDisjoint(with: [.fromVenue, .withoutNotional]) { return nil }
            flags.insert(.withoutNotional)
        }
        let sums = CandleSums<Int64>(
            openTime: openTime, closeTime: closeTime, open: open.rawValue, high: high.rawValue,
            low: low.rawValue, close: close.rawValue, volume: volume, takerBuyVolume: bought,
            notional: Int256(value), count: tradeCount, pricePlaces: priceScale.rawValue,
            sizePlaces: sizeScale.rawValue)
        return Candle(interval: interval, start: start, sums: sums, flags: flags)
    }

    /// Whether both say the same of the same trades, whether amended or not.
    func says(the other: CandleRow) -> Bool {
        var left = self
        var right = other
        left.flags.remove(.amended)
        right.flags.remove(.amended)
        return left == right
    }
}
