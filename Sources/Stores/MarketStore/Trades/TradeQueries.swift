public import Instruments
public import MarketData
public import Store

/// The newest trades of an instrument, newest first: by venue time, and by arrival among equals.
public struct RecentTrades: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(TradeColumns.list) FROM market.trade
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND venue_time_unix_nanos < $3
        ORDER BY venue_time_unix_nanos DESC, arrival DESC
        LIMIT $4
        """

    private let id: InstrumentID
    private let limit: Int
    private let before: Timestamp?

    /// Asks for an instrument's newest trades.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - limit: At most so many; nothing for less than 1.
    ///   - before: Only trades before this venue time.
    public init(_ id: InstrumentID, limit: Int, before: Timestamp? = nil) {
        self.id = id
        self.limit = limit
        self.before = before
    }

    /// Appends name, bound and limit.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(before?.nanoseconds ?? Int64.max)
        parameters.append(Int64(max(limit, 0)))
    }

    /// Reads a trade.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Trade {
        try TradeColumns.read(&row)
    }
}

/// The trades of an instrument in a span of venue time, oldest first, by arrival among equals.
public struct TradesBetween: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(TradeColumns.list) FROM market.trade
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
            AND venue_time_unix_nanos >= $3 AND venue_time_unix_nanos < $4
        ORDER BY venue_time_unix_nanos, arrival
        LIMIT $5
        """

    private let id: InstrumentID
    private let from: Timestamp
    private let to: Timestamp
    private let limit: Int

    /// Asks for an instrument's trades in a span of time.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - from: Included.
    ///   - to: Excluded.
    ///   - limit: At most so many; nothing for less than 1.
    public init(_ id: InstrumentID, from: Timestamp, to: Timestamp, limit: Int) {
        self.id = id
        self.from = from
        self.to = to
        self.limit = limit
    }

    /// Appends name, span and limit.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(from.nanoseconds)
        parameters.append(to.nanoseconds)
        parameters.append(Int64(max(limit, 0)))
    }

    /// Reads a trade.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Trade {
        try TradeColumns.read(&row)
    }
}

/// The newest trade of one instrument.
public struct LastTrade: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(TradeColumns.list) FROM market.trade
        WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
        ORDER BY venue_time_unix_nanos DESC, arrival DESC
        LIMIT 1
        """

    private let id: InstrumentID

    /// Names the instrument.
    public init(_ id: InstrumentID) { self.id = id }

    /// Appends the name.
    public func bind(_ parameters: inout Parameters) { parameters.append(id) }

    /// Reads a trade.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Trade {
        try TradeColumns.read(&row)
    }
}

/// A trade and whose it is.
public struct InstrumentTrade: Sendable, Hashable {
    /// What was traded.
    public let instrument: InstrumentID
    /// The trade.
    public let trade: Trade
}

/// The newest trade of every instrument of a venue that has one, sorted by symbol.
///
/// A trade of more than an hour from now is a mistake of the venue's and not its newest.
public struct LastTrades: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT i.venue, i.symbol, newest.*
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT \(TradeColumns.list) FROM market.trade AS t
            WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
                (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
            ORDER BY venue_time_unix_nanos DESC, arrival DESC LIMIT 1) AS newest
        WHERE i.venue = $1
        ORDER BY i.symbol
        """

    private let venue: Venue

    /// Names the venue.
    public init(venue: Venue) { self.venue = venue }

    /// Appends the venue.
    public func bind(_ parameters: inout Parameters) { parameters.append(venue.rawValue) }

    /// Reads a trade and its instrument.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentTrade {
        InstrumentTrade(instrument: try row.instrumentID(), trade: try TradeColumns.read(&row))
    }
}

/// How many trades of an instrument are stored.
public struct InstrumentCount: Sendable, Hashable {
    /// Whose trades.
    public let instrument: InstrumentID
    /// Number of rows.
    public let count: Int
}

/// Counts the stored trades per instrument, sorted by name; instruments without trades are left out.
///
/// - Complexity: Reads an index of the whole table.
public struct TradeCounts: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT venue, symbol, count
        FROM (SELECT instrument_id, count(*) FROM market.trade GROUP BY instrument_id) AS counted
        JOIN market.instrument USING (instrument_id)
        WHERE $1::text IS NULL OR venue = $1
        ORDER BY venue, symbol
        """

    private let venue: Venue?

    /// - Parameter venue: `nil` for all venues.
    public init(venue: Venue? = nil) { self.venue = venue }

    /// Appends the venue.
    public func bind(_ parameters: inout Parameters) { parameters.append(venue?.rawValue) }

    /// Reads a count.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> InstrumentCount {
        InstrumentCount(instrument: try row.instrumentID(), count: Int(try row.int64()))
    }
}
