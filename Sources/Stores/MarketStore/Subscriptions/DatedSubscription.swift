package import Instruments
package import Store

/// A subscription with when it was made.
package struct DatedSubscription: Hashable, Sendable {
    package let subscription: Subscription
    package let added: Timestamp

    package init(_ subscription: Subscription, added: Timestamp) {
        self.subscription = subscription
        self.added = added
    }

    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        let subscription = Subscription(
            instrument: try row.instrumentID(), channels: try row.textArray(), wantedBy: try row.text())
        self.init(subscription, added: try row.time())
    }
}

extension Session {
    /// All subscriptions with their times, sorted by venue, symbol and who wants it.
    package func datedSubscriptions() throws(StoreError) -> [DatedSubscription] {
        try rows(
            """
            SELECT venue, symbol, channels, wanted_by, added_at FROM market.subscription
            ORDER BY venue, symbol, wanted_by
            """, DatedSubscription.init(_:))
    }

    /// Instruments that no feed follows, since more of their venue are wanted than may be; sorted.
    ///
    /// The same ``FollowPlan`` over the same rows as the feed's, so that both agree without talking.
    package func unfollowedInstruments(limit: Int) throws(StoreError) -> [InstrumentID] {
        let wanted = try rows(
            """
            SELECT venue, symbol, channels, wanted_by, added_at FROM market.subscription
            WHERE venue IN (
                SELECT venue FROM market.subscription
                GROUP BY venue HAVING count(DISTINCT symbol) > \(Int64(limit)))
            ORDER BY venue, symbol, wanted_by
            """, DatedSubscription.init(_:))
        return Dictionary(grouping: wanted, by: \.subscription.instrument.venue).flatMap { venue, rows in
            FollowPlan(rows, limit: limit).dropped.map { InstrumentID(venue: venue, symbol: $0) }
        }.sorted()
    }

    /// How many instruments some want together.
    package func countWanted(by names: [String]) throws(StoreError) -> Int {
        let count = try first(
            """
            SELECT count(*) FROM (
                SELECT DISTINCT venue, symbol FROM market.subscription WHERE wanted_by = ANY (\(names))
            ) AS wanted
            """
        ) { try $0.int64() }
        return Int(count ?? 0)
    }
}
