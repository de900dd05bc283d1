import Instruments
import MarketData
import MarketState

/// Makes candles of a price's path, with as much volume as the live market has.
///
/// Hours are made as they are, and minutes share out the hour's trades; longer and other lengths are the sums
/// of these.
struct SyntheticCandles: Sendable {
    private let instrument: SyntheticInstrument
    /// Of an hour.
    private let usualTrades: Double

    init(_ instrument: SyntheticInstrument, usualTrades: Double) {
        self.instrument = instrument
        self.usualTrades = usualTrades
    }

    /// Whole candles.
    ///
    /// - Parameters:
    ///   - interval: A minute or longer.
    ///   - span: From the start of one to the start of another.
    ///   - path: The instrument's price.
    ///   - model: Of all prices.
    /// - Returns: Earliest first.
    func candles(
        _ interval: CandleInterval, _ span: Range<Timestamp>, _ path: inout PricePath,
        in model: inout PriceModel
    ) -> [Candle] {
        let grain: CandleInterval = interval < .hour ? .minute : .hour
        var parts: [Candle] = []
        var start = span.lowerBound
        while start < span.upperBound {
            let hour = CandleInterval.hour.start(of: start)
            let isWhole = grain == .hour
            let made = isWhole ? [self.hour(hour, &path, in: &model)] : minutes(of: hour, &path, in: &model)
            parts += made.filter { span.contains($0.start) }
            start = CandleInterval.hour.end(from: hour)
        }
        return (try? CandleRollup.roll(parts, into: interval, closedAt: span.upperBound)) ?? []
    }

    /// The beginning of a candle that goes on.
    ///
    /// - Parameters:
    ///   - interval: A minute or longer.
    ///   - span: From the candle's start to where it goes on.
    ///   - path: The instrument's price.
    ///   - model: Of all prices.
    /// - Returns: One candle, or none where nothing of it has passed.
    func rest(
        _ interval: CandleInterval, _ span: Range<Timestamp>, _ path: inout PricePath,
        in model: inout PriceModel
    ) -> [Candle] {
        let hour = min(CandleInterval.hour.start(of: span.upperBound), span.upperBound)
        let minute = CandleInterval.minute.start(of: span.upperBound)
        var parts: [Candle] = []
        if span.lowerBound < hour {
            parts = candles(.hour, span.lowerBound..<hour, &path, in: &model)
        }
        let begun = max(span.lowerBound, hour)
        if begun < minute { parts += candles(.minute, begun..<minute, &path, in: &model) }
        parts += beginning(of: minute, until: span.upperBound, &path, in: &model)
        return (try? CandleRollup.roll(parts, into: interval, closedAt: .zero)) ?? []
    }

    // MARK: - Parts

    private func hour(
        _ start: Timestamp, _ path: inout PricePath, in model: inout PriceModel
    ) -> Candle {
        let (day, hour) = place(of: start)
        let span = path.hours(of: day, in: &model)[hour]
        return candle(.hour, start, span, activity(of: span, at: start, path))
    }

    private func minutes(
        of start: Timestamp, _ path: inout PricePath, in model: inout PriceModel
    ) -> [Candle] {
        let (day, hour) = place(of: start)
        let whole = activity(of: path.hours(of: day, in: &model)[hour], at: start, path)
        var random = SplitMix64(seed: path.seed &+ 3, at: start.nanoseconds)
        let shares = (0..<60).map { _ in 0.5 + random.fraction() }
        let sum = shares.reduce(0, +)
        var (spent, done) = (0.0, SyntheticActivity())
        return path.minutes(of: day * 24 + Int64(hour), in: &model).enumerated().map { minute, span in
            spent += shares[minute]
            let now = minute == 59 ? whole : whole.part(spent / sum)
            defer { done = now }
            let begin = start.adding(nanoseconds: Int64(minute) * 60_000_000_000)
            return candle(.minute, begin, span, now.subtracting(done))
        }
    }

    /// A minute as far as it was; nothing in its first second.
    private func beginning(
        of minute: Timestamp, until end: Timestamp, _ path: inout PricePath, in model: inout PriceModel
    ) -> [Candle] {
        let seconds = Int(end.nanoseconds(since: minute) / 1_000_000_000)
        guard seconds > 0 else { return [] }
        let hour = CandleInterval.hour.start(of: minute)
        let place = Int(minute.nanoseconds(since: hour) / 60_000_000_000)
        let whole = minutes(of: hour, &path, in: &model)[place].sums
        let number = PathGrain.floor(minute.nanoseconds, 60_000_000_000)
        let prices = path.seconds(of: number, in: &model)[0...seconds].map { price(PricePath.units($0)) }
        let part = SyntheticActivity(
            trades: max(whole.count * Int64(seconds) / 60, 1),
            lots: max(Int64(whole.volume) / instrument.lot * Int64(seconds) / 60, 1),
            bought: Int64(whole.takerBuyVolume) / instrument.lot * Int64(seconds) / 60)
        let span = (
            open: prices[0], high: prices.max() ?? prices[0], low: prices.min() ?? prices[0],
            close: prices[seconds]
        )
        let last = minute.adding(nanoseconds: Int64(seconds) * 1_000_000_000)
        return [candle(.minute, minute, span, part, until: last)]
    }

    private func place(of start: Timestamp) -> (day: Int64, hour: Int) {
        let hour = PathGrain.floor(start.nanoseconds, 3_600_000_000_000)
        let day = PathGrain.floor(hour, 24)
        return (day, Int(hour - day * 24))
    }

    private func activity(of span: PathSpan, at start: Timestamp, _ path: PricePath) -> SyntheticActivity {
        var random = SplitMix64(seed: path.seed &+ 2, at: start.nanoseconds)
        return SyntheticActivity(
            of: span, usualVariance: path.usualVariance, usualTrades: usualTrades,
            usualLots: instrument.usualLots, &random)
    }

    private func price(_ ticks: Int64) -> Int64 { ticks * instrument.tick }

    private func candle(
        _ interval: CandleInterval, _ start: Timestamp, _ span: PathSpan, _ activity: SyntheticActivity
    ) -> Candle {
        candle(
            interval, start,
            (
                price(PricePath.units(span.open)), price(PricePath.units(span.high)),
                price(PricePath.units(span.low)), price(PricePath.units(span.close))
            ), activity, until: interval.end(from: start))
    }

    private func candle(
        _ interval: CandleInterval, _ start: Timestamp,
        _ prices: (open: Int64, high: Int64, low: Int64, close: Int64), _ activity: SyntheticActivity,
        until end: Timestamp
    ) -> Candle {
        let (volume, overflow) = activity.lots.multipliedReportingOverflow(by: instrument.lot)
        let size = overflow ? Int64.max : volume
        // Each trade had a price of its own: of all, the middle of what there was.
        let average = (prices.high + prices.low) / 2
        let sums = CandleSums<Int64>(
            openTime: start, closeTime: end.adding(nanoseconds: -1), open: prices.open, high: prices.high,
            low: prices.low, close: prices.close, volume: Int128(size),
            takerBuyVolume: Int128(activity.bought) * Int128(instrument.lot),
            notional: Int64.product(average, size), count: activity.trades,
            pricePlaces: instrument.priceScale.rawValue, sizePlaces: instrument.sizeScale.rawValue)
        return Candle(interval: interval, start: start, sums: sums)
    }
}
