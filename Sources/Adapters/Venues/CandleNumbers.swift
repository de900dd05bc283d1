import Instruments
import MarketData

/// The prices and the volume of a candle as they are read, at scales of their own.
///
/// A volume adds up sizes, or counts another asset, so that it has more places than any level: it makes no
/// book finer.
struct CandleNumbers: Sendable {
    var open: DecimalNumber?
    var high: DecimalNumber?
    var low: DecimalNumber?
    var close: DecimalNumber?
    var volume: DecimalNumber?

    /// An open candle without a count of trades, said at its start; the caller sets what it knows better.
    ///
    /// - Parameters:
    ///   - interval: The venue's name of it.
    ///   - start: The first instant that belongs to it.
    ///   - stop: The venue's own end.
    ///   - time: When it was read.
    /// - Returns: The candle at the coarsest scales that hold its numbers.
    /// - Throws: ``ScanError/malformed`` where a number is missing, or ``ScanError/overflow``.
    func candle(
        _ interval: String, from start: Timestamp, to stop: Timestamp, at time: Timestamp
    ) throws(ScanError) -> VenueCandle {
        guard let open, let high, let low, let close, let volume = volume?.normalized, volume.units >= 0
        else { throw .malformed }
        let prices = [open, high, low, close].map(\.normalized)
        let scale = prices.map(\.scale).max() ?? .zero
        var units: [Int64] = []
        do throws(DecimalError) {
            for price in prices { units.append(try price.rescaled(to: scale).units) }
        } catch {
            throw .overflow
        }
        return VenueCandle(
            interval: interval, start: start, stop: stop, open: Price(units[0]), high: Price(units[1]),
            low: Price(units[2]), close: Price(units[3]), volume: Quantity(volume.units), tradeCount: 0,
            isClosed: false, priceScale: scale, sizeScale: volume.scale, venueTime: start,
            receivedTime: time)
    }
}
