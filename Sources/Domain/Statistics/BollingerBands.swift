/// A mean with a band of some standard deviations around it.
///
/// Source: John Bollinger's bands, with the deviation of a whole population.
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
    private var deviation: StandardDeviation
    private let deviations: Double

    /// - Parameters:
    ///   - period: Values in the mean.
    ///   - deviations: Half the band's width in standard deviations.
    /// - Precondition: `period` is positive.
    public init(period: Int = 20, deviations: Double = 2) {
        mean = SimpleMovingAverage(period: period)
        deviation = StandardDeviation(period: period)
        self.deviations = deviations
    }

    /// Takes the next price; `nil` before there are `period`.
    public mutating func update(_ price: Double) -> Lines? {
        let deviation = deviation.update(price)
        guard let middle = mean.update(price), let deviation else { return nil }
        let width = deviation * deviations
        return Lines(upper: middle + width, middle: middle, lower: middle - width)
    }
}

extension BollingerBands: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        mean.keep(in: &words)
        deviation.keep(in: &words)
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        mean.takeOver(&words) && deviation.takeOver(&words)
    }
}
