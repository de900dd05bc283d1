public import Instruments
public import MarketData

/// All trades of an instrument up to one are in PostgreSQL.
public struct TradesStored: Hashable, Sendable {
    /// The id of the newest trade that is stored.
    public var lastTradeID: String
    public var lastVenueTime: Timestamp
    /// Rows of the batch that were new.
    public var inserted: UInt64

    public init(lastTradeID: String, lastVenueTime: Timestamp, inserted: UInt64) {
        self.lastTradeID = lastTradeID
        self.lastVenueTime = lastVenueTime
        self.inserted = inserted
    }
}

/// What a message says, in the domain's own types.
public enum WireEvent: Sendable {
    /// A public execution.
    case trade(InstrumentID, Trade)
    /// Best bid and ask by the venue.
    case ticker(InstrumentID, Ticker)
    /// A derivative's mark price by the venue.
    case mark(InstrumentID, MarkPrice)
    /// What a venue says of the state of a derivative.
    case derivative(InstrumentID, DerivativeTicker)
    /// A position that a venue closes.
    case liquidation(InstrumentID, Liquidation)
    case candle(InstrumentID, VenueCandle)
    /// A candle of ours, made from trades.
    case madeCandle(InstrumentID, Bitpal_V1_Candle)
    /// The last 24 hours.
    case dayTicker(InstrumentID, Bitpal_V1_DayTicker)
    /// Some of a venue's markets, as it tells of all of them at once.
    case marketTickers(MarketTickerPart)
    /// The price of an asset over all its markets.
    case indexPrice(Bitpal_V1_IndexPrice)
    /// What a portfolio is worth.
    case portfolioValuation(Bitpal_V1_PortfolioValuation)
    /// The best levels of a book.
    case bookDepth(InstrumentID, Bitpal_V1_BookDepth)
    /// Changed levels.
    case bookDelta(InstrumentID, BookDelta)
    /// The state of a book from here on, in the delta stream.
    case bookStateChange(InstrumentID, BookStateChange)
    /// A whole book.
    case bookSnapshot(InstrumentID, BookSnapshot)
    /// Best bid and ask of a proven book.
    case bookTop(InstrumentID, BookTop)
    /// What came of comparing a book with the venue's.
    case bookAudit(InstrumentID, Bitpal_V1_BookAudit)
    /// Trades that reached PostgreSQL.
    case tradesStored(InstrumentID, TradesStored)
    /// A producer's last sequences.
    case heartbeat(Bitpal_V1_Heartbeat)
    /// A feed's condition.
    case feedStatus(Bitpal_V1_FeedStatus)
    /// A service's condition.
    case serviceStatus(Bitpal_V1_ServiceStatus)
    /// A request to the owner of an instrument.
    case controlCommand(Bitpal_V1_ControlCommand)
    /// What came of a request.
    case controlReply(Bitpal_V1_ControlReply)
}
