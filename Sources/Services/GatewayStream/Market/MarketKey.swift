import Instruments
import Wire

/// One thing that a gateway knows of the market, by which changes are told.
enum MarketKey: Hashable, Sendable {
    case ticker(InstrumentID)
    /// Its best 25 levels.
    case depth(InstrumentID)
    /// Its newest trades.
    case trades(InstrumentID)
    /// Its candle of a length such as `1m`.
    case candle(String, InstrumentID)
    /// An index price such as `BTC-USD`.
    case index(String)
    /// The feed of a venue.
    case feed(String)
    case service(String)
    /// What a portfolio is worth, by its key.
    case valuation(String)
    /// How well we are connected ourselves.
    case condition
}

/// Something that is followed only while somebody wants it.
enum OnDemandTopic: Hashable, Sendable {
    /// The whole book of an instrument.
    case book(InstrumentID)
    case trades(InstrumentID)
    /// The candles of a length such as `1m` of an instrument.
    case candles(String, InstrumentID)
    /// The worth of a portfolio, by its key.
    case valuation(String)

    /// The topics that have to be subscribed to.
    var topics: [String] {
        switch self {
        case .book(let id): [Topic.bookSnapshot(id), Topic.bookDelta(id)]
        case .trades(let id): [Topic.trade(id), Topic.tradesStored(id)]
        case .candles(let interval, let id): [Topic.candle(interval: interval, id)]
        case .valuation(let portfolio): [Topic.portfolioValuation(portfolio)]
        }
    }

    /// How many of its kind may be followed at once.
    var limit: Int {
        switch self {
        case .book: 64
        case .trades: 512
        case .candles: 1_024
        case .valuation: 4_096
        }
    }

    /// Its kind as a number, so that each kind is counted for itself.
    var kind: Int {
        switch self {
        case .book: 0
        case .trades: 1
        case .candles: 2
        case .valuation: 3
        }
    }
}
