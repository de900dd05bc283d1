package import Instruments
import MarketData

/// What a stored batch means for one instrument: all its trades up to the last one are in PostgreSQL.
package struct StoredTrades: Sendable, Hashable {
    package let instrument: InstrumentID
    /// How many the batch had.
    package internal(set) var offered = 0
    /// How many of them were new; the others had been stored before.
    package internal(set) var inserted = 0
    /// Id of the last trade by venue time, and by arrival among equals.
    package internal(set) var lastTradeID: String
    package internal(set) var lastVenueTime: Timestamp

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
