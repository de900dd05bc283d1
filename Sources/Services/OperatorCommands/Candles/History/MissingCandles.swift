import Instruments
import MarketState
import MarketStore

/// What of a span is not stored yet.
enum MissingCandles {
    /// The stretches of whole intervals without a candle, earliest first.
    ///
    /// - Parameters:
    ///   - span: Starts that are wanted; only those of intervals that are over by `now` count.
    ///   - runs: What is stored, earliest first, without overlaps.
    ///   - interval: The length.
    ///   - now: The time of day.
    /// - Returns: Nothing when all is stored or nothing is over.
    static func ranges(
        in span: Range<Timestamp>, besides runs: [CandleRun], of interval: CandleInterval, at now: Timestamp
    ) -> [Range<Timestamp>] {
        var next = ceiling(span.lowerBound, interval)
        // An interval that is not over has no final candle.
        let end = min(ceiling(span.upperBound, interval), interval.start(of: now))
        var ranges: [Range<Timestamp>] = []
        for run in runs {
            if run.from >= end { break }
            if run.from > next { ranges.append(next..<run.from) }
            next = max(next, run.to)
        }
        if next < end { ranges.append(next..<end) }
        return ranges
    }

    /// Candles of some stretches.
    static func count(_ ranges: [Range<Timestamp>], of interval: CandleInterval) -> Int {
        ranges.reduce(0) { sum, range in
            sum + Int(range.upperBound.nanoseconds(since: range.lowerBound) / interval.nanoseconds)
        }
    }

    private static func ceiling(_ time: Timestamp, _ interval: CandleInterval) -> Timestamp {
        let start = interval.start(of: time)
        return start == time ? start : interval.end(from: start)
    }
}
