public import Instruments
import MarketData

/// What a stored batch means for one instrument: all its trades up to the last one are in PostgreSQL.
public struct StoredTrades: Sendable, Hashable {
    /// Whose trades.
    public let instrument: InstrumentID
    /// How many the batch had.
    public internal(set) var offered = 0
    /// How many of them were new; the others had been stored before.
    public internal(set) var inserted = 0
    /// Id of the last trade by venue time, and by arrival among equals.
    public internal(set) var lastTradeID: String
    /// Venue time of that trade.
    public internal(set) var lastVenueTime: Timestamp

    init(instrument: InstrumentID, first trade: Trade) {
        self.instrument = instrument
        lastTradeID = trade.id
        lastVenueTime = trade.venueTime
    }

    mutating func note(_ trade: Trade) {
        offered += 1
        guard trade.venueTime >= lastVenueTime else { return }
        lastTradeID = trade.id
        lastVenueTime = trade.venueTime
    }
}
