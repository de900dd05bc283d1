public import Instruments

/// Longer candles from shorter ones.
public enum CandleRollup {
    /// Joins candles into those of a longer interval; the result equals that of the trades themselves.
    ///
    /// A candle is `incomplete`, `amended`, `fromVenue` or without notional when one of its parts is. Flat
    /// candles add their prices only where there is nothing else.
    ///
    /// - Parameters:
    ///   - candles: Of one instrument and of one interval that divides the longer one, earliest first.
    ///   - interval: The longer interval.
    ///   - time: Candles that end at or before it are closed.
    /// - Returns: Earliest first; only intervals with parts.
    /// - Throws: ``CandleOverflow`` when scales differ so much that a number does not fit.
    public static func roll(
        _ candles: some Sequence<Candle>, into interval: CandleInterval, closedAt time: Timestamp
    ) throws(CandleOverflow) -> [Candle] {
        var result: [Candle] = []
        for part in candles {
            let start = interval.start(of: part.start)
            let flags = part.flags.subtracting(.closed)
            guard let last = result.last, last.start == start else {
                result.append(Candle(interval: interval, start: start, sums: part.sums, flags: flags))
                continue
            }
            let index = result.count - 1
            if part.flags.contains(.flat) { continue }
            if last.flags.contains(.flat) {
                result[index].sums = part.sums
                result[index].flags.remove(.flat)
            } else {
                try result[index].sums.merge(part.sums)
            }
            result[index].flags.formUnion(flags)
        }
        for index in result.indices where result[index].end <= time { result[index].flags.insert(.closed) }
        return result
    }

    /// The candles with a flat one for every interval without trades between them and before `end`.
    ///
    /// - Parameters:
    ///   - candles: Of one interval, earliest first.
    ///   - end: The first instant that is no longer wanted.
    ///   - limit: The most candles that are made; a longer hole stays one.
    /// - Returns: Earliest first; nothing stands before the first candle, since no price is known there.
    public static func filled(_ candles: [Candle], until end: Timestamp, limit: Int = 100_000) -> [Candle] {
        var result: [Candle] = []
        for candle in candles {
            fill(&result, until: candle.start, limit: limit)
            result.append(candle)
        }
        fill(&result, until: end, limit: limit)
        return result
    }

    private static func fill(_ result: inout [Candle], until end: Timestamp, limit: Int) {
        while let last = result.last, last.end < end, result.count < limit {
            result.append(last.flat(at: last.end))
        }
    }
}
