import Instruments
import MarketState
import MarketStore
import Store

extension CandleRow {
    /// A candle as it is stored; `nil` when a number is beyond what a row holds.
    init?(_ candle: Candle) {
        let sums = candle.sums
        guard let price = Scale(rawValue: sums.pricePlaces), let size = Scale(rawValue: sums.sizePlaces),
            let volume = Numeric(sums.decimal(size: sums.volume).description)
        else { return nil }
        let hasNotional = !candle.flags.contains(.withoutNotional)
        self.init(
            interval: candle.interval, start: candle.start, openTime: sums.openTime,
            closeTime: sums.closeTime, open: Price(sums.open), high: Price(sums.high), low: Price(sums.low),
            close: Price(sums.close), priceScale: price, sizeScale: size, tradeCount: sums.count,
            volume: volume,
            takerBuyVolume: hasNotional
                ? Numeric(sums.decimal(size: sums.takerBuyVolume).description) : nil,
            notional: hasNotional ? Numeric(sums.notionalValue.description) : nil,
            flags: candle.flags)
    }

    /// The candle with its exact sums; `nil` when it has none, or they need more than 38 digits.
    ///
    /// Only a venue's own candle, or one made of such, may be without Σ price × size.
    var candle: Candle? {
        let places = (Int(priceScale.places), Int(sizeScale.places))
        guard let volume = Self.units(volume, places: places.1) else { return nil }
        var flags = flags
        var bought: Int128 = 0
        var value: Int128 = 0
        if let known = takerBuyVolume.flatMap({ Self.units($0, places: places.1) }),
            let sum = notional.flatMap({ Self.units($0, places: places.0 + places.1) })
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

    private static func units(_ number: Numeric, places: Int) -> Int128? {
        var text = number.description
        let wide = text.withUTF8 { try? WideNumber(parsing: UnsafeRawBufferPointer($0)) }
        guard let wide, wide.places <= places, places - wide.places <= 38 else { return nil }
        var units = wide.units
        for _ in wide.places..<places {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            units = product
        }
        return units
    }

    /// Whether both say the same of the same trades, whether amended or not.
    func says(the other: CandleRow) -> Bool {
        var left = self
        var right = other
        left.flags.remove(.amended)
        right.flags.remove(.amended)
        // Rows come back without trailing zeros.
        (left.volume, right.volume) = (Self.trimmed(volume), Self.trimmed(other.volume))
        left.takerBuyVolume = takerBuyVolume.map(Self.trimmed)
        right.takerBuyVolume = other.takerBuyVolume.map(Self.trimmed)
        left.notional = notional.map(Self.trimmed)
        right.notional = other.notional.map(Self.trimmed)
        return left == right
    }

    private static func trimmed(_ number: Numeric) -> Numeric {
        let text = number.description
        guard text.utf8.contains(0x2E) else { return number }
        var bytes = Array(text.utf8)
        while bytes.last == 0x30 { bytes.removeLast() }
        if bytes.last == 0x2E { bytes.removeLast() }
        return Numeric(String(decoding: bytes, as: UTF8.self)) ?? number
    }
}
