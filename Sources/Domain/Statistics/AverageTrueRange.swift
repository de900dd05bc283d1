/// How far a price moves within a candle, gaps included, smoothed by Wilder's mean.
///
/// Source: J. Welles Wilder, "New Concepts in Technical Trading Systems", 1978; it begins as the mean of the
/// first `period` true ranges, the first candle having none.
public struct AverageTrueRange: StreamingIndicator {
    /// Candles.
    private let period: Int
    private var previousClose: Double?
    private var seen = 0
    private var value = 0.0

    /// - Precondition: `period` is positive.
    public init(period: Int = 14) {
        precondition(period > 0, "a period is at least one candle")
        self.period = period
    }

    /// Takes the next candle; `nil` before there are `period` + 1.
    public mutating func update(_ bar: PriceBar) -> Double? {
        defer { previousClose = bar.close }
        guard let previousClose else { return nil }
        let range = max(bar.high - bar.low, abs(previousClose - bar.high), abs(previousClose - bar.low))
        let length = Double(period)
        if seen < period {
            seen += 1
            value += range
            guard seen == period else { return nil }
        } else {
            value = value * (length - 1) + range
        }
        value /= length
        return value
    }
}
