public import Instruments

/// What a stream of values is of.
public enum SeriesKey: Hashable, Sendable {
    case price(InstrumentID, PriceKind)
    /// Best ask less best bid.
    case spread(InstrumentID)
    /// Closes of candles of an interval in nanoseconds.
    case close(InstrumentID, interval: Int64)
    /// A figure of a portfolio.
    case portfolio(id: String, PortfolioMetric)
    /// A figure of a derivative's state.
    case derivative(InstrumentID, DerivativeMeasure)
}

/// Where data comes from; each is proven or not on its own.
public enum AlertSource: UInt8, Hashable, Sendable, CaseIterable {
    /// Public executions, and candles made of them.
    case trades
    /// The order book.
    case book
    /// What others compute: index prices, values of portfolios, what a venue lists.
    case reference
    /// The venue's mark prices.
    case mark
    /// What the venue says of the state of derivatives.
    case derivative
}

extension PriceKind {
    /// Whose data it is made of.
    public var source: AlertSource {
        switch self {
        case .last: .trades
        case .bid, .ask, .mid: .book
        case .mark: .mark
        case .index: .reference
        }
    }
}

extension SeriesKey {
    /// Whose data it is made of.
    var source: AlertSource {
        switch self {
        case .price(_, let kind): kind.source
        case .close: .trades
        case .spread: .book
        case .portfolio: .reference
        case .derivative: .derivative
        }
    }

    /// The instrument, or what stands for a portfolio's figure.
    var subject: InstrumentID {
        switch self {
        case .price(let id, _), .spread(let id), .close(let id, _), .derivative(let id, _): id
        case .portfolio(let id, let metric): .portfolio(id, metric)
        }
    }
}
