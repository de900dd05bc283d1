/// Where the close lies between the lowest low and the highest high, smoothed twice, 0...100.
///
/// Source: George Lane's stochastic with simple means, TA-Lib's STOCH; 0 where the range is empty.
public struct StochasticOscillator: StreamingIndicator {
    /// Both lines at one candle.
    public struct Lines: Hashable, Sendable {
        /// The smoothed place of the close.
        public var k: Double
        /// The mean of that.
        public var d: Double
    }

    private var highs: RollingWindow
    private var lows: RollingWindow
    private var slowK: SimpleMovingAverage
    private var slowD: SimpleMovingAverage

    /// - Parameters:
    ///   - period: Candles that the range is taken from.
    ///   - smoothing: Values in the mean that is the K line; 1 leaves it as it is, TA-Lib's fast stochastic.
    ///   - signal: Values of K in the mean that is the D line.
    /// - Precondition: all are positive.
    public init(period: Int = 5, smoothing: Int = 3, signal: Int = 3) {
        highs = RollingWindow(period)
        lows = RollingWindow(period)
        slowK = SimpleMovingAverage(period: smoothing)
        slowD = SimpleMovingAverage(period: signal)
    }

    /// Takes the next candle; `nil` before there are period + smoothing + signal - 2.
    public mutating func update(_ bar: PriceBar) -> Lines? {
        highs.append(bar.high)
        lows.append(bar.low)
        guard highs.isFull else { return nil }
        let lowest = lows.minimum
        let hundredth = (highs.maximum - lowest) / 100
        let place = hundredth == 0 ? 0 : (bar.close - lowest) / hundredth
        guard let k = slowK.update(place), let d = slowD.update(k) else { return nil }
        return Lines(k: k, d: d)
    }
}
