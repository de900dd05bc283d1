package import Instruments
package import MarketState
package import Store

/// A stretch of stored candles of one length without a hole: those that begin in [from, to).
package struct CandleRun: Sendable, Hashable {
    /// Start of the first.
    package let from: Timestamp
    /// The first instant after the last.
    package let to: Timestamp

    package init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}

extension Database {
    /// The stretches of an instrument's stored candles that need nothing, earliest first.
    ///
    /// A candle that is over and incomplete counts as missing, since what a venue says may mend it.
    ///
    /// - Parameters:
    ///   - id: What was traded.
    ///   - interval: Their length.
    ///   - from: Candles that begin at or after it.
    ///   - to: Candles that begin before it.
    /// - Returns: The stretches.
    /// - Throws: ``StoreError``.
    package func candleRuns(
        of id: InstrumentID, _ interval: CandleInterval, from: Timestamp, to: Timestamp
    ) async throws(StoreError) -> [CandleRun] {
        // Candles that follow each other have the same distance from their number times their length.
        try await rows(
            """
            SELECT min(start), max(start) + \(interval)::bigint * 1000000000
            FROM (
                SELECT start_unix_nanos AS start,
                    start_unix_nanos - row_number() OVER (ORDER BY start_unix_nanos)
                        * \(interval)::bigint * 1000000000 AS island
                FROM market.candle
                WHERE instrument_id = \(keyOf: id) AND interval_seconds = \(interval)
                    AND start_unix_nanos >= \(from.nanoseconds) AND start_unix_nanos < \(to.nanoseconds)
                    AND flags & 3 <> 3) AS candle
            GROUP BY island
            ORDER BY 1
            """
        ) { row in CandleRun(from: try row.nanoseconds(), to: try row.nanoseconds()) }
    }

    /// The first instants of an instrument's oldest and newest stored candle of a length; `nil` without any.
    package func candleEnds(
        of id: InstrumentID, _ interval: CandleInterval
    ) async throws(StoreError) -> (oldest: Timestamp, newest: Timestamp)? {
        // Two look-ups at the ends of the index.
        try await first(
            """
            SELECT oldest.start_unix_nanos, newest.start_unix_nanos
            FROM market.instrument AS i
            CROSS JOIN LATERAL (
                SELECT c.start_unix_nanos FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = \(interval)
                ORDER BY c.start_unix_nanos LIMIT 1) AS oldest
            CROSS JOIN LATERAL (
                SELECT c.start_unix_nanos FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = \(interval)
                ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
            WHERE i.venue = \(id.venue.rawValue) AND i.symbol = \(id.symbol)
            """
        ) { row in (oldest: try row.nanoseconds(), newest: try row.nanoseconds()) }
    }
}
