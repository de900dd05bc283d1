import Instruments
import MarketData

/// A candle as a venue writes it, before its numbers are put at its instrument's scales.
struct ReadCandle {
    /// The venue's name of the interval, such as `1m`.
    var interval: String
    /// The interval's length.
    var seconds: Int64
    var start = Timestamp.zero
    /// Open, high, low and close.
    var prices: [DecimalNumber] = []
    var volume: DecimalNumber?
    var tradeCount: UInt64 = 0
    var isClosed = false
    /// When the venue said it; `nil` where it gives no time but the candle's own.
    var venueTime: Timestamp?

    /// The length of an interval by its name, such as `1m`, `4H` or `1D`; `nil` where it has no fixed one.
    static func seconds(of interval: String) -> Int64? {
        let name = interval.hasSuffix("utc") ? interval.dropLast(3) : interval[...]
        guard let unit = name.last, let count = Int64(name.dropLast()), count > 0, count < 1_000 else {
            return nil
        }
        switch unit {
        case "s": return count
        case "m": return count * 60
        case "h", "H": return count * 3_600
        case "d", "D": return count * 86_400
        case "w", "W": return count * 604_800
        default: return nil
        }
    }
}

extension SessionCore {
    /// A candle at its instrument's scales.
    mutating func candle(
        _ row: ReadCandle, of index: InstrumentIndex, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        guard row.prices.count == 4, let volume = row.volume, volume.units >= 0 else { throw .malformed }
        // All scales grow before any number is taken, so that all are at the final ones.
        for price in row.prices { _ = try units(price, .price, index) }
        _ = try units(volume, .size, index)
        var prices: [Price] = []
        for price in row.prices { prices.append(Price(try units(price, .price, index))) }
        let scales = scales(of: index)
        // The last millisecond that belongs to it.
        let stop = row.start.adding(nanoseconds: row.seconds * 1_000_000_000 - 1_000_000)
        return VenueCandle(
            interval: row.interval, start: row.start, stop: stop, open: prices[0], high: prices[1],
            low: prices[2], close: prices[3], volume: Quantity(try units(volume, .size, index)),
            tradeCount: row.tradeCount, isClosed: row.isClosed, priceScale: scales.price,
            sizeScale: scales.size, venueTime: row.venueTime ?? row.start, receivedTime: time)
    }
}
