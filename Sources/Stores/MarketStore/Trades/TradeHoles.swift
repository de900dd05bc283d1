package import Instruments
package import Store

/// A span of venue time whose trades were missed and cannot be had.
package struct StoredHole: Sendable, Hashable {
    /// The last trade before what is missing.
    package let after: Timestamp
    /// The first trade after it; `nil` where none is stored yet.
    package let until: Timestamp?

    package init(after: Timestamp, until: Timestamp?) {
        self.after = after
        self.until = until
    }
}

extension Database {
    /// Records a hole of a tape; one that begins where another does replaces it, and an end before the
    /// beginning counts as unknown.
    package func record(_ hole: StoredHole, of id: InstrumentID) async throws(StoreError) {
        let until = hole.until.flatMap { $0 >= hole.after ? $0.nanoseconds : nil }
        try await execute(
            """
            INSERT INTO market.trade_hole (instrument_id, after_unix_nanos, until_unix_nanos)
            SELECT instrument_id, \(hole.after.nanoseconds), \(until)
            FROM market.instrument WHERE venue = \(id.venue.rawValue) AND symbol = \(id.symbol)
            ON CONFLICT (instrument_id, after_unix_nanos) DO UPDATE
                SET until_unix_nanos = greatest(market.trade_hole.until_unix_nanos, excluded.until_unix_nanos)
            """)
    }
}

extension Session {
    /// The holes of an instrument's tape that end after an instant, earliest first.
    ///
    /// Where the first trade after a hole had not come when it was recorded, the next stored one ends it.
    package func holes(
        of id: InstrumentID, endingAfter from: Timestamp
    ) throws(StoreError) -> [StoredHole] {
        try rows(
            """
            SELECT after_unix_nanos, until
            FROM (
                SELECT hole.after_unix_nanos, coalesce(hole.until_unix_nanos, (
                    SELECT venue_time_unix_nanos FROM market.trade AS next
                    WHERE next.instrument_id = hole.instrument_id
                        AND next.venue_time_unix_nanos > hole.after_unix_nanos
                    ORDER BY next.venue_time_unix_nanos LIMIT 1)) AS until
                FROM market.trade_hole AS hole
                WHERE hole.instrument_id = \(keyOf: id)) AS hole
            WHERE until IS NULL OR until >= \(from.nanoseconds)
            ORDER BY after_unix_nanos
            """
        ) { row in StoredHole(after: try row.nanoseconds(), until: try row.nanosecondsOrNil()) }
    }
}
