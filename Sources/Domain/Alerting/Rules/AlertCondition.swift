public import Instruments
public import MarketData

/// Which of an instrument's prices a condition looks at.
public enum PriceKind: String, Hashable, Sendable, CaseIterable {
    /// Of the last public execution; needs a proven trade stream.
    case last
    /// The best bid of a live book.
    case bid
    /// The best ask of a live book.
    case ask
    /// The middle of both, exact.
    case mid
    /// The venue's mark price of a derivative.
    case mark
    /// The venue's index price.
    case index
}

/// The way in which a value must pass a level.
public enum CrossingDirection: String, Hashable, Sendable, CaseIterable {
    /// previous < level <= current.
    case above
    /// previous > level >= current.
    case below
    /// Any of the two.
    case either
}

/// A move of the price by so much within a time.
public struct ChangeCondition: Hashable, Sendable {
    /// How much is enough.
    public enum Size: Hashable, Sendable {
        /// Percent of the price compared with, at most 4 decimal places.
        case percent(DecimalNumber)
        /// In the price's own unit.
        case amount(DecimalNumber)
    }

    /// What the price is compared with.
    public enum Anchor: String, Hashable, Sendable, CaseIterable {
        /// The price at the window's start.
        case start
        /// The lowest price of the window for a rise, the highest for a fall.
        case extreme
    }

    /// Which way it must move.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// It must rise.
        case up
        /// It must fall.
        case down
        /// Any of the two.
        case either
    }

    /// Whether the size is a share of the price.
    public var isPercent: Bool {
        if case .percent = size { return true }
        return false
    }

    /// Which price.
    public var price: PriceKind
    /// How much is enough.
    public var size: Size
    /// Nanoseconds, one minute to a day.
    public var within: Int64
    /// Which way.
    public var direction: Direction
    /// Compared with what.
    public var anchor: Anchor

    /// Describes a move.
    public init(
        price: PriceKind, size: Size, within: Int64, direction: Direction = .either, anchor: Anchor = .start
    ) {
        self.price = price
        self.size = size
        self.within = within
        self.direction = direction
        self.anchor = anchor
    }
}

/// So much traded within a time.
public enum VolumeCondition: Hashable, Sendable {
    /// At least this size, in the instrument's unit, within so many nanoseconds.
    case above(DecimalNumber, within: Int64)
    /// At least so many times the mean of the windows of the same length before, as many as `averageOf`.
    case times(DecimalNumber, within: Int64, averageOf: Int)
}

/// Which edge of a Bollinger band a close must leave it by.
public enum BandSide: String, Hashable, Sendable, CaseIterable {
    /// The upper.
    case upper
    /// The lower.
    case lower
    /// Any of the two.
    case either
}

/// Which of a portfolio's figures.
public enum PortfolioMetric: String, Hashable, Sendable, CaseIterable {
    /// What it is worth.
    case value
    /// Profit since the beginning.
    case profit
    /// Change since midnight UTC.
    case dayChange = "day_change"
}

/// What happens to a feed.
public enum FeedChange: String, Hashable, Sendable, CaseIterable {
    /// It says nothing any more, or nothing that can be believed.
    case stale
    /// It can be believed again.
    case resynced
}

/// A function of closed candles whose lines cross each other or a level.
public enum IndicatorCondition: Hashable, Sendable {
    /// Wilder's relative strength crosses a level of 0...100.
    case rsi(period: Int, CrossingDirection, level: DecimalNumber)
    /// The MACD line crosses its signal line.
    case macd(fast: Int, slow: Int, signal: Int, CrossingDirection)
    /// The fast exponential mean crosses the slow one.
    case ema(fast: Int, slow: Int, CrossingDirection)
    /// The close leaves the band.
    case bollinger(period: Int, deviations: DecimalNumber, BandSide)
}

/// What must happen for a rule to fire.
///
/// Everything is an edge: it must have been otherwise at the last evaluation, and the first value only arms.
public enum AlertCondition: Hashable, Sendable {
    /// A price crosses a level; levels may be finer than the market's prices.
    case crosses(PriceKind, CrossingDirection, level: DecimalNumber)
    /// A price was within [low, high] and is no longer.
    case leaves(PriceKind, low: DecimalNumber, high: DecimalNumber)
    /// A price moves by so much within a time.
    case change(ChangeCondition)
    /// So much is traded within a time.
    case volume(VolumeCondition)
    /// The best ask is at least so much above the best bid.
    case spread(above: DecimalNumber)
    /// (bids - asks) / (bids + asks) over the best so many levels, -1...1, crosses a level.
    case imbalance(levels: Int, CrossingDirection, level: DecimalNumber)
    /// A trade of more than this size; every such trade counts.
    case trade(largerThan: DecimalNumber, side: Side?)
    /// A candle's close crosses a level, compared with the close before; the interval in nanoseconds.
    case candle(interval: Int64, CrossingDirection, level: DecimalNumber)
    /// An indicator of closed candles; the interval in nanoseconds.
    case indicator(interval: Int64, IndicatorCondition)
    /// The instrument's feed changes.
    case feed(FeedChange)
    /// A portfolio's figure crosses a level.
    case portfolio(id: String, PortfolioMetric, CrossingDirection, level: DecimalNumber)
    /// A venue begins to trade something, with this base or quote if they are named.
    case listing(venue: Venue, base: String?, quote: String?)
}

extension AlertCondition {
    /// Whether it is about one instrument, which the rule then must name.
    public var needsInstrument: Bool {
        switch self {
        case .portfolio, .listing: false
        default: true
        }
    }

    /// Which of an instrument's prices it looks at; `nil` when it looks at something else.
    public var price: PriceKind? {
        switch self {
        case .crosses(let price, _, _), .leaves(let price, _, _): price
        case .change(let change): change.price
        default: nil
        }
    }

    /// Whose data decides it; `nil` for what becomes of a feed.
    public var source: AlertSource? {
        switch self {
        case .crosses, .leaves, .change: price?.source
        case .volume, .trade, .candle, .indicator: .trades
        case .spread, .imbalance: .book
        case .portfolio, .listing: .reference
        case .feed: nil
        }
    }

    /// Whether a value passes a level, so that `hysteresis`, `for` and `when_already` make sense.
    public var hasLevel: Bool {
        switch self {
        case .crosses, .leaves, .spread, .candle, .portfolio: true
        default: false
        }
    }
}
