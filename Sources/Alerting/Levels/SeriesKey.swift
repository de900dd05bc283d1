public import Instruments

/// What a stream of values is of.
public enum SeriesKey: Hashable, Sendable {
    /// One of an instrument's prices.
    case price(InstrumentID, PriceKind)
    /// Best ask less best bid.
    case spread(InstrumentID)
    /// Closes of candles of an interval in nanoseconds.
    case close(InstrumentID, interval: Int64)
    /// A figure of a portfolio.
    case portfolio(id: String, PortfolioMetric)
}

/// Where data comes from; each is proven or not on its own.
public enum AlertSource: UInt8, Hashable, Sendable, CaseIterable {
    /// Public executions, and candles made of them.
    case trades
    /// The order book.
    case book
    /// Mark and index prices.
    case reference
}

extension SeriesKey {
    /// Whose data it is made of; `nil` for a portfolio, which says itself what it lacks.
    var source: AlertSource? {
        switch self {
        case .price(_, .last), .close: .trades
        case .price(_, .bid), .price(_, .ask), .price(_, .mid), .spread: .book
        case .price(_, .mark), .price(_, .index): .reference
        case .portfolio: nil
        }
    }

    /// The instrument; `nil` for a portfolio.
    var instrument: InstrumentID? {
        switch self {
        case .price(let id, _), .spread(let id), .close(let id, _): id
        case .portfolio: nil
        }
    }
}
