import Instruments
import MarketData
import Venues

/// A trade on its way to PostgreSQL.
struct QueuedTrade: Sendable, Hashable {
    let instrument: InstrumentID
    let trade: Trade

    /// Where the instrument's tape stands with this trade.
    var mark: TradeMark {
        TradeMark(id: trade.id, venueTime: trade.venueTime, isAggregate: trade.isAggregate)
    }
}

/// A place in an instrument's tape after which trades were refused.
struct TradeHole: Sendable, Hashable {
    let instrument: InstrumentID
    /// The last trade that was kept before the hole; `nil` when none was.
    let after: TradeMark?
    /// The first trade after it; `nil` where none has come.
    var until: TradeMark? = nil
}
