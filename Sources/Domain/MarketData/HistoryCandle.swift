public import Instruments

/// A candle of a venue's history, with its exact numbers.
public struct HistoryCandle: Hashable, Sendable {
    /// The first instant that belongs to it.
    public var start: Timestamp
    /// First price.
    public var open: DecimalNumber
    /// Highest price.
    public var high: DecimalNumber
    /// Lowest price.
    public var low: DecimalNumber
    /// Last price.
    public var close: DecimalNumber
    /// Σ size.
    public var volume: Amount
    /// Σ price × size; `nil` where the venue does not say.
    public var notional: Amount?
    /// Σ size of the trades whose taker bought; `nil` where the venue does not say.
    public var takerBuyVolume: Amount?
    /// Number of trades, not negative.
    public var tradeCount: Int64

    public init(
        start: Timestamp, open: DecimalNumber, high: DecimalNumber, low: DecimalNumber, close: DecimalNumber,
        volume: Amount, notional: Amount?, takerBuyVolume: Amount?, tradeCount: Int64
    ) {
        self.start = start
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
        self.notional = notional
        self.takerBuyVolume = takerBuyVolume
        self.tradeCount = tradeCount
    }
}
