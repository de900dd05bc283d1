/// A mean with a band of some standard deviations around it.
///
/// Source: John Bollinger's bands with the deviation of a whole population, computed from sums of squares in
/// TA-Lib's order, so that both agree even where the subtraction loses digits.
public struct BollingerBands: StreamingIndicator {
    /// The three lines at one value.
    public struct Lines: Hashable, Sendable {
        /// Mean plus band.
        public var upper: Double
        /// The simple mean.
        public var middle: Double
        /// Mean less band.
        public var lower: Double
    }

    private var mean: SimpleMovingAverage
    private var squares: SimpleMovingAverage
    private let deviations: Double

    /// - Parameters:
    ///   - period: Values in the mean.
    ///   - deviations: Half the band's width in standard deviations.
    /// - Precondition: `period` is positive.
    public init(period: Int = 20, deviations: Double = 2) {
        mean = SimpleMovingAverage(period: period)
        squares = SimpleMovingAverage(period: period)
        self.deviations = deviations
    }

    /// Takes the next price; `nil` before there are `period`.
    public mutating func update(_ price: Double) -> Lines? {
        let meanSquare = squares.update(price * price)
        guard let middle = mean.update(price), let meanSquare else { return nil }
        let variance = meanSquare - middle * middle
        let width = variance < negligible ? 0 : variance.squareRoot() * deviations
        return Lines(upper: middle + width, middle: middle, lower: middle - width)
    }
}
