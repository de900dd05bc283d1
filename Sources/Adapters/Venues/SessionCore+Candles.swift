import Instruments
import MarketData

/// A candle with the numbers of its texts, before its instrument's scales are known to hold them.
struct RawCandle {
    var start: Timestamp
    /// Its length.
    var seconds: Int64
    /// The name of the length, such as `1m`.
    var interval: String
    var open: DecimalNumber?
    var high: DecimalNumber?
    var low: DecimalNumber?
    var close: DecimalNumber?
    var volume: DecimalNumber
    /// Trades; 0 where the venue does not say.
    var count: UInt64
    var isClosed: Bool
}

extension SessionCore {
    /// A candle at its instrument's scales; it ends a millisecond before the next begins.
    mutating func candle(
        _ raw: RawCandle, _ index: InstrumentIndex, venueTime: Timestamp?, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        guard let open = raw.open, let high = raw.high, let low = raw.low, let close = raw.close,
            raw.volume.units >= 0
        else { throw .malformed }
        // All scales grow before any number is taken, so that all are at the final ones.
        for price in [open, high, low, close] { _ = try units(price, .price, index) }
        let volume = try units(raw.volume, .size, index)
        let scales = scales(of: index)
        return VenueCandle(
            interval: raw.interval, start: raw.start,
            stop: raw.start.adding(nanoseconds: raw.seconds * 1_000_000_000 - 1_000_000),
            open: Price(try units(open, .price, index)), high: Price(try units(high, .price, index)),
            low: Price(try units(low, .price, index)), close: Price(try units(close, .price, index)),
            volume: Quantity(volume), tradeCount: raw.count, isClosed: raw.isClosed,
            priceScale: scales.price, sizeScale: scales.size, venueTime: venueTime ?? raw.start,
            receivedTime: time)
    }
}
