/// The numbers of one candle, as indicators take them.
public struct PriceBar: Hashable, Sendable {
    /// First price.
    public var open: Double
    /// Highest price.
    public var high: Double
    /// Lowest price.
    public var low: Double
    /// Last price.
    public var close: Double
    /// What was traded.
    public var volume: Double

    public init(open: Double, high: Double, low: Double, close: Double, volume: Double = 0) {
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }

    /// The mean of high, low and close.
    public var typicalPrice: Double { (high + low + close) / 3 }
}
