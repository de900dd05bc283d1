public import Instruments

/// What happened in the last 24 hours, to the second.
///
/// At an instant in second S these are the trades of the seconds S − 86,399 … S by venue time.
public struct DayStatistics: Hashable, Sendable {
    /// The price at the window's start: of the last trade before it, or of the first in it where none is
    /// known.
    public let open: Price
    /// Highest price in the window; `nil` without a trade in it.
    public let high: Price?
    /// Lowest price in the window; `nil` without a trade in it.
    public let low: Price?
    /// Price of the last trade, in the window or before it.
    public let last: Price
    /// When that was.
    public let lastTime: Timestamp
    /// Σ size in the window, in units of the size scale.
    public let volume: Int128
    /// Σ price × size in the window, in units of both scales; `ContractTerms` makes it a value.
    public let notional: Int256
    /// Trades in the window.
    public let count: Int64
    /// Decimal places of the prices.
    public let priceScale: Scale
    /// Decimal places of the sizes.
    public let sizeScale: Scale
    /// The first instant of the window.
    public let start: Timestamp
    /// Whether every trade is counted by its second; `false` while rows of whole minutes are in the window.
    public let isExact: Bool

    /// last − open, in price units.
    public var change: Int128 { Int128(last.rawValue) - Int128(open.rawValue) }

    /// 100·(last − open) / open in percent; `nil` when open is not above zero.
    public var changePercent: ExactRatio? {
        guard open.rawValue > 0 else { return nil }
        return ExactRatio(Int256(change * 100), over: Int256(open.rawValue))
    }

    /// ``changePercent`` rounded half-even to two places, as tickers show it.
    public var changePercentRounded: DecimalNumber? { changePercent?.rounded(to: Scale(2) ?? .zero) }
}
