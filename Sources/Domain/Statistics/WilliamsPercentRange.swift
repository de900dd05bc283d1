/// How far the close lies under the highest high of the last `period` candles, -100...0.
///
/// Source: Larry Williams' %R, TA-Lib's WILLR; 0 where the range is empty.
public struct WilliamsPercentRange: StreamingIndicator {
    private var highs: RollingWindow
    private var lows: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int = 14) {
        highs = RollingWindow(period)
        lows = RollingWindow(period)
    }

    /// Takes the next candle; `nil` before there are `period`.
    public mutating func update(_ bar: PriceBar) -> Double? {
        highs.append(bar.high)
        lows.append(bar.low)
        guard highs.isFull else { return nil }
        let highest = highs.maximum
        let hundredth = (highest - lows.minimum) / -100
        return hundredth == 0 ? 0 : (highest - bar.close) / hundredth
    }
}
