package import Instruments
package import MarketData
package import Store

/// A trade and whose it is.
package struct InstrumentTrade: Sendable, Hashable {
    /// What was traded.
    package let instrument: InstrumentID
    package let trade: Trade
}

/// How many trades of an instrument are stored.
package struct InstrumentCount: Sendable, Hashable {
    /// Whose trades.
    package let instrument: InstrumentID
    /// Number of rows.
    package let count: Int
}

extension Session {
    /// The newest trades of an instrument, newest first: by venue time, and by arrival among equals.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - limit: At most so many; nothing for less than 1.
    ///   - before: Only trades before this venue time.
    /// - Returns: The trades.
    /// - Throws: ``StoreError``.
    package func recentTrades(
        of id: InstrumentID, limit: Int, before: Timestamp? = nil
    ) throws(StoreError) -> [Trade] {
        try rows(
            """
            SELECT \(Trade.columns) FROM market.trade
            WHERE instrument_id = \(keyOf: id) AND venue_time_unix_nanos < \(before?.nanoseconds ?? Int64.max)
            ORDER BY venue_time_unix_nanos DESC, arrival DESC
            LIMIT \(Int64(max(limit, 0)))
            """, Trade.init)
    }

    /// The trades of an instrument in a span of venue time, oldest first, by arrival among equals.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - from: Included.
    ///   - to: Excluded.
    ///   - limit: At most so many; nothing for less than 1.
    /// - Returns: The trades.
    /// - Throws: ``StoreError``.
    package func trades(
        of id: InstrumentID, from: Timestamp, to: Timestamp, limit: Int
    ) throws(StoreError) -> [Trade] {
        try rows(.trades(of: id, from: from, to: to, limit: limit), Trade.init)
    }

    /// Hands over the trades that ``trades(of:from:to:limit:)`` returns, without a limit, one by one in
    /// constant memory.
    package func forEachTrade(
        of id: InstrumentID, from: Timestamp, to: Timestamp, _ body: (Trade) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEach(.trades(of: id, from: from, to: to, limit: .max), Trade.init, body)
    }

    /// Counts the stored trades per instrument, sorted by name; instruments without trades are left out.
    ///
    /// - Complexity: Reads an index of the whole table.
    package func tradeCounts() throws(StoreError) -> [InstrumentCount] {
        try rows(
            """
            SELECT venue, symbol, count
            FROM (SELECT instrument_id, count(*) FROM market.trade GROUP BY instrument_id) AS counted
            JOIN market.instrument USING (instrument_id)
            ORDER BY venue, symbol
            """
        ) { row in InstrumentCount(instrument: try row.instrumentID(), count: Int(try row.int64())) }
    }
}

extension Database {
    /// The newest trades of an instrument, as ``Session/recentTrades(of:limit:before:)`` has them.
    package func recentTrades(
        of id: InstrumentID, limit: Int, before: Timestamp? = nil
    ) async throws(StoreError) -> [Trade] {
        try await withSession { session in try session.recentTrades(of: id, limit: limit, before: before) }
    }

    /// The trades of an instrument in a span of venue time, as ``Session/trades(of:from:to:limit:)`` has
    /// them.
    package func trades(
        of id: InstrumentID, from: Timestamp, to: Timestamp, limit: Int
    ) async throws(StoreError) -> [Trade] {
        try await withSession { session in try session.trades(of: id, from: from, to: to, limit: limit) }
    }

    /// The newest trade of every instrument of a venue that has one, sorted by symbol.
    ///
    /// A trade of more than an hour from now is a mistake of the venue's and not its newest.
    package func lastTrades(on venue: Venue) async throws(StoreError) -> [InstrumentTrade] {
        try await rows(
            """
            SELECT i.venue, i.symbol, newest.*
            FROM market.instrument AS i
            CROSS JOIN LATERAL (
                SELECT \(Trade.columns) FROM market.trade AS t
                WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
                    (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
                ORDER BY venue_time_unix_nanos DESC, arrival DESC LIMIT 1) AS newest
            WHERE i.venue = \(venue.rawValue)
            ORDER BY i.symbol
            """
        ) { row in InstrumentTrade(instrument: try row.instrumentID(), trade: try Trade(&row)) }
    }
}

extension Query {
    fileprivate static func trades(
        of id: InstrumentID, from: Timestamp, to: Timestamp, limit: Int
    ) -> Query {
        """
        SELECT \(Trade.columns) FROM market.trade
        WHERE instrument_id = \(keyOf: id)
            AND venue_time_unix_nanos >= \(from.nanoseconds) AND venue_time_unix_nanos < \(to.nanoseconds)
        ORDER BY venue_time_unix_nanos, arrival
        LIMIT \(Int64(max(limit, 0)))
        """
    }
}
