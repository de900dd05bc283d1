/// The standard deviation of the last `period` values as a whole population.
///
/// From sums of squares in TA-Lib's order, so that both agree even where the subtraction loses digits.
public struct StandardDeviation: StreamingIndicator {
    private var mean: SimpleMovingAverage
    private var squares: SimpleMovingAverage

    /// - Precondition: `period` is positive.
    public init(period: Int) {
        mean = SimpleMovingAverage(period: period)
        squares = SimpleMovingAverage(period: period)
    }

    /// Takes the next value; `nil` before there are `period`.
    public mutating func update(_ value: Double) -> Double? {
        let meanSquare = squares.update(value * value)
        guard let mean = mean.update(value), let meanSquare else { return nil }
        let variance = meanSquare - mean * mean
        return variance < negligible ? 0 : variance.squareRoot()
    }
}
