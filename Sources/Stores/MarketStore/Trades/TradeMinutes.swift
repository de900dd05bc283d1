package import Instruments
package import Store

/// How many trades of an instrument a minute has.
package struct TradeMinute: Sendable, Hashable {
    /// The first instant of the minute, by venue time.
    package let start: Timestamp
    /// Number of trades.
    package let count: Int64

    /// Counts a minute.
    package init(start: Timestamp, count: Int64) {
        self.start = start
        self.count = count
    }
}

extension Session {
    /// The minutes of a span that have trades, oldest first: to find candles that miss some.
    ///
    /// - Complexity: Reads the span in an index.
    /// - Parameters:
    ///   - id: What was traded.
    ///   - from: Included.
    ///   - to: Excluded.
    /// - Returns: The minutes.
    /// - Throws: ``StoreError``.
    package func tradeMinutes(
        of id: InstrumentID, from: Timestamp, to: Timestamp
    ) throws(StoreError) -> [TradeMinute] {
        try rows(
            """
            SELECT
                venue_time_unix_nanos - (venue_time_unix_nanos % 60000000000 + 60000000000) % 60000000000
                    AS minute,
                count(*)
            FROM market.trade
            WHERE instrument_id = \(keyOf: id)
                AND venue_time_unix_nanos >= \(from.nanoseconds) AND venue_time_unix_nanos < \(to.nanoseconds)
            GROUP BY minute ORDER BY minute
            """
        ) { row in TradeMinute(start: try row.nanoseconds(), count: try row.int64()) }
    }
}
