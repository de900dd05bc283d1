import Instruments
import MarketData
import MarketState

/// What was traded at a venue of the synthetic market before it began, as candles of any length.
///
/// Of each minute and hour it makes what the prices' paths did in it; so it ends where the live market
/// begins, and tells the same past whenever it is asked.
struct SyntheticPast: Sendable {
    private let parts: [String: Part]
    /// Where the live market begins.
    private let seam: Timestamp
    private var model: PriceModel
    private var paths: [String: PricePath] = [:]

    private struct Part: Sendable {
        let instrument: SyntheticInstrument
        let usualTrades: Double
    }

    init(_ venue: SyntheticVenue, of name: Venue, seed: UInt64, until seam: Timestamp) {
        var model = PriceModel(seed: seed)
        var parts: [String: Part] = [:]
        for instrument in venue.instruments {
            parts[instrument.symbol] = Part(
                instrument: instrument, usualTrades: venue.usualTrades(of: instrument))
            paths[instrument.symbol] = instrument.path(at: name, in: &model)
        }
        self.parts = parts
        self.seam = seam
        self.model = model
    }

    /// The candles that a query can want, and in any case the one in which the live market begins, as far as
    /// it was before.
    ///
    /// - Parameters:
    ///   - query: Of a minute or longer; of seconds there are none.
    ///   - position: What the venue's clock shows.
    /// - Returns: Earliest first.
    mutating func candles(_ query: CandleQuery, at position: Timestamp) -> [Candle] {
        guard let part = parts[query.symbol], var path = paths[query.symbol], query.interval >= .minute
        else { return [] }
        let interval = query.interval
        let last = interval.start(of: seam)
        let origin = interval.end(from: interval.start(of: Self.origin))
        let wanted = query.reach(from: origin, to: interval.end(from: interval.start(of: position)))
        let maker = SyntheticCandles(part.instrument, usualTrades: part.usualTrades)
        var made: [Candle] = []
        if wanted.lowerBound < last {
            made = maker.candles(
                interval, wanted.lowerBound..<min(wanted.upperBound, last), &path, in: &model)
        }
        made += maker.rest(interval, last..<seam, &path, in: &model)
        paths[query.symbol] = path
        return made
    }

    /// Nothing is told of what was before.
    private static let origin = Timestamp(nanoseconds: PriceFactor.origin * 86_400_000_000_000)
}
