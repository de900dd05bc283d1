package import Instruments
package import MarketState
package import Store

/// A candle and whose it is.
package struct InstrumentCandle: Sendable, Hashable {
    /// What was traded.
    package let instrument: InstrumentID
    package let candle: CandleRow
}

/// The newest trade and candle of each of some instruments.
package struct StoredEnds: Sendable, Hashable {
    package let instrument: InstrumentID
    /// Venue time of the newest trade; `nil` without one.
    package let trade: Timestamp?
    /// Start of the newest candle of one minute; `nil` without one.
    package let minute: Timestamp?

    /// Describes how far an instrument is stored.
    package init(instrument: InstrumentID, trade: Timestamp?, minute: Timestamp?) {
        self.instrument = instrument
        self.trade = trade
        self.minute = minute
    }
}

extension Session {
    /// The newest candles of an instrument that begin in a span of venue time, newest first: for a chart.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - interval: Their length.
    ///   - from: Included.
    ///   - to: Excluded.
    ///   - limit: At most so many; nothing for less than 1.
    /// - Returns: The candles.
    /// - Throws: ``StoreError``.
    package func candles(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp, to: Timestamp, limit: Int
    ) throws(StoreError) -> [CandleRow] {
        try rows(.candles(of: id, interval, from: from, to: to, limit: limit), CandleRow.init)
    }

    /// Hands over the candles of an instrument that begin at or after a time, newest first, one by one in
    /// constant memory.
    package func forEachCandle(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp,
        _ body: (CandleRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let end = Timestamp(nanoseconds: .max)
        try forEach(.candles(of: id, interval, from: from, to: end, limit: .max), CandleRow.init, body)
    }

    /// When the trade was that opened an instrument's oldest stored minute that is made of trades; `nil`
    /// without one.
    ///
    /// A venue's own minutes may be of long before the instrument was followed: they say nothing of its tape.
    package func firstMadeMinute(of id: InstrumentID) throws(StoreError) -> Timestamp? {
        // A walk over the venue's minutes at the beginning of the index.
        try first(
            """
            SELECT open_time_unix_nanos
            FROM market.candle
            WHERE instrument_id = \(keyOf: id)
                AND interval_seconds = 60 AND flags & 4 = 0
            ORDER BY start_unix_nanos LIMIT 1
            """
        ) { try $0.nanoseconds() }
    }
}

extension Database {
    /// The newest candles of an instrument, as ``Session/candles(of:_:from:to:limit:)`` has them.
    package func candles(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp, to: Timestamp, limit: Int
    ) async throws(StoreError) -> [CandleRow] {
        try await withSession { session in
            try session.candles(of: id, interval, from: from, to: to, limit: limit)
        }
    }

    /// The newest stored candle of each of some lengths of each of some instruments, to go on from after a
    /// start.
    package func newestCandles(
        of instruments: [InstrumentID], _ intervals: [CandleInterval] = CandleInterval.allCases
    ) async throws(StoreError) -> [InstrumentCandle] {
        try await rows(
            """
            SELECT wanted.venue, wanted.symbol, newest.*
            FROM \(wanted: instruments)
            JOIN market.instrument AS i USING (venue, symbol)
            CROSS JOIN unnest(\(intervals)::integer[]) AS length (seconds)
            CROSS JOIN LATERAL (
                SELECT \(CandleRow.columns) FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = length.seconds
                ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
            ORDER BY wanted.number, length.seconds
            """
        ) { row in InstrumentCandle(instrument: try row.instrumentID(), candle: try CandleRow(&row)) }
    }

    /// How far each of some instruments is stored, in the order of the question; unknown ones are left out.
    package func storedEnds(of instruments: [InstrumentID]) async throws(StoreError) -> [StoredEnds] {
        try await rows(
            """
            SELECT
                wanted.venue, wanted.symbol,
                (SELECT t.venue_time_unix_nanos FROM market.trade AS t
                    WHERE t.instrument_id = i.instrument_id ORDER BY t.venue_time_unix_nanos DESC LIMIT 1),
                (SELECT c.start_unix_nanos FROM market.candle AS c
                    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
                    ORDER BY c.start_unix_nanos DESC LIMIT 1)
            FROM \(wanted: instruments)
            JOIN market.instrument AS i USING (venue, symbol)
            ORDER BY wanted.number
            """
        ) { row in
            StoredEnds(
                instrument: try row.instrumentID(), trade: try row.nanosecondsOrNil(),
                minute: try row.nanosecondsOrNil())
        }
    }
}

extension Query {
    /// The newest candles of a span, newest first.
    ///
    /// One index scan: the index begins with instrument and length, and partitions follow each other in time.
    package static func candles(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp, to: Timestamp, limit: Int
    ) -> Query {
        """
        SELECT \(CandleRow.columns) FROM market.candle
        WHERE instrument_id = \(keyOf: id) AND interval_seconds = \(interval)
            AND start_unix_nanos >= \(from.nanoseconds) AND start_unix_nanos < \(to.nanoseconds)
        ORDER BY start_unix_nanos DESC
        LIMIT \(Int64(max(limit, 0)))
        """
    }
}
