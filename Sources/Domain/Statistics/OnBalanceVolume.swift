/// The volume of rising candles less that of falling ones, since the first.
///
/// Source: Joseph Granville, 1963; it begins with the first candle's volume, as TA-Lib has it.
public struct OnBalanceVolume: StreamingIndicator {
    private var previousClose: Double?
    private var value = 0.0

    /// Nothing seen yet.
    public init() {}

    /// Takes the next candle; never `nil`.
    public mutating func update(_ bar: PriceBar) -> Double? {
        if let previousClose {
            if bar.close > previousClose { value += bar.volume }
            if bar.close < previousClose { value -= bar.volume }
        } else {
            value = bar.volume
        }
        previousClose = bar.close
        return value
    }
}

/// The mean price of what was traded in the last `period` candles, by their typical prices.
public struct VolumeWeightedPrice: StreamingIndicator {
    private var volumes: RollingWindow
    private var turnovers: RollingWindow

    /// - Precondition: `period` is positive.
    public init(period: Int = 14) {
        volumes = RollingWindow(period)
        turnovers = RollingWindow(period)
    }

    /// Takes the next candle; `nil` before there are `period`, and while nothing was traded in them.
    public mutating func update(_ bar: PriceBar) -> Double? {
        volumes.append(bar.volume)
        turnovers.append(bar.volume * bar.typicalPrice)
        guard volumes.isFull else { return nil }
        var volume = 0.0
        var turnover = 0.0
        for index in 0..<volumes.capacity {
            volume += volumes[index]
            turnover += turnovers[index]
        }
        return volume > 0 ? turnover / volume : nil
    }
}
