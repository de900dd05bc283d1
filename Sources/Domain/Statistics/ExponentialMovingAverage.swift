/// A mean in which older values count less and less: k = 2 / (period + 1).
///
/// It begins as the mean of the first `period` values.
/// Source: TA-Lib 0.6, EMA in its "classic" mode.
public struct ExponentialMovingAverage: StreamingIndicator {
    /// Values.
    private let period: Int
    private let weight: Double
    private var seen = 0
    private var value = 0.0

    /// - Precondition: `period` is positive.
    public init(period: Int) {
        precondition(period > 0, "a period is at least one value")
        self.period = period
        weight = 2 / Double(period + 1)
    }

    /// Takes the next value; `nil` before there are `period`.
    public mutating func update(_ next: Double) -> Double? {
        guard seen >= period else {
            seen += 1
            value += next
            guard seen == period else { return nil }
            value /= Double(period)
            return value
        }
        value = (next - value) * weight + value
        return value
    }
}

extension ExponentialMovingAverage: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        words.append(seen)
        words.append(value)
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        guard let seen = words.count(upTo: period), let value = words.number() else { return false }
        (self.seen, self.value) = (seen, value)
        return true
    }
}
