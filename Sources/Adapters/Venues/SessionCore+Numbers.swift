import Instruments
import MarketData

extension SessionCore {
    @inline(__always)
    func scales(of index: InstrumentIndex) -> (price: Scale, size: Scale) {
        (forms[index.offset].price.scale, forms[index.offset].size.scale)
    }

    /// A number at an instrument's price or size scale, which grows if it must.
    mutating func units(
        _ number: DecimalNumber, _ role: DecimalRole, _ index: InstrumentIndex
    ) throws(ScanError) -> Int64 {
        let scales = scales(of: index)
        let scale = role == .price ? scales.price : scales.size
        if number.scale == scale { return number.units }
        let exact = number.normalized
        var target = scale
        if exact.scale > scale {
            guard
                refine(
                    index, price: role == .price ? exact.scale : .zero,
                    size: role == .size ? exact.scale : .zero)
            else { throw .overflow }
            target = exact.scale
        }
        do throws(DecimalError) {
            return try exact.rescaled(to: target).units
        } catch {
            throw .overflow
        }
    }

    /// A price and a size at their instrument's scales.
    mutating func scale(
        _ price: DecimalNumber, _ size: DecimalNumber, _ index: InstrumentIndex
    ) throws(ScanError) -> (Price, Quantity) {
        (Price(try units(price, .price, index)), Quantity(try units(size, .size, index)))
    }

    /// A ticker at its instrument's scales.
    mutating func ticker(
        bid: (price: DecimalNumber?, size: DecimalNumber?),
        ask: (price: DecimalNumber?, size: DecimalNumber?),
        last: DecimalNumber? = nil, _ index: InstrumentIndex, venueTime: Timestamp?, at time: Timestamp
    ) throws(ScanError) -> Ticker {
        // All scales grow before any number is taken, so that all are at the final ones.
        for number in [bid.price, ask.price, last] {
            if let number { _ = try units(number, .price, index) }
        }
        for number in [bid.size, ask.size] {
            if let number { _ = try units(number, .size, index) }
        }
        let scales = scales(of: index)
        var ticker = Ticker(
            priceScale: scales.price, sizeScale: scales.size, venueTime: venueTime, receivedTime: time)
        if let number = bid.price { ticker.bidPrice = Price(try units(number, .price, index)) }
        if let number = bid.size { ticker.bidSize = Quantity(try units(number, .size, index)) }
        if let number = ask.price { ticker.askPrice = Price(try units(number, .price, index)) }
        if let number = ask.size { ticker.askSize = Quantity(try units(number, .size, index)) }
        if let number = last { ticker.lastPrice = Price(try units(number, .price, index)) }
        return ticker
    }
}
