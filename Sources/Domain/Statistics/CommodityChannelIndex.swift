/// How far the typical price lies from its mean, in units of 0.015 mean deviations.
///
/// Source: Donald Lambert's CCI, TA-Lib's CCI; 0 where the prices do not differ.
public struct CommodityChannelIndex: StreamingIndicator {
    private var window: RollingWindow

    /// - Precondition: `period` is at least 2.
    public init(period: Int = 14) {
        precondition(period > 1, "a channel needs a period of at least 2")
        window = RollingWindow(period)
    }

    /// Takes the next candle; `nil` before there are `period`.
    public mutating func update(_ bar: PriceBar) -> Double? {
        let price = bar.typicalPrice
        window.append(price)
        guard window.isFull else { return nil }
        let count = Double(window.capacity)
        var sum = 0.0
        for index in 0..<window.capacity { sum += window[index] }
        let mean = sum / count
        var deviations = 0.0
        for index in 0..<window.capacity { deviations += abs(window[index] - mean) }
        let distance = price - mean
        // A distance of the last bit is what rounding left of equal prices.
        guard abs(distance) > 2 * price.ulp, deviations != 0 else { return 0 }
        return distance / (0.015 * (deviations / count))
    }
}
