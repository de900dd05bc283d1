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
    /// The subscriptions to some venues, or to all without any, with their times; sorted by venue, symbol and
    /// who wants it.
    ///
    /// What a ``FollowPlan`` is made of, by whoever makes one.
    package func datedSubscriptions(on venues: [Venue]? = nil) throws(StoreError) -> [DatedSubscription] {
        try rows(
            """
            SELECT venue, symbol, channels, wanted_by, added_at FROM market.subscription
            WHERE \(venues == nil) OR venue = ANY (\((venues ?? []).map(\.rawValue)))
            ORDER BY venue, symbol, wanted_by
            """, DatedSubscription.init(_:))
    }

    /// Instruments that no feed follows, since more of their venue are wanted than its feed follows at most.
    ///
    /// - Parameter limits: How many each feed follows at most, as it says itself; of other venues nothing is
    ///   known.
    /// - Returns: Sorted.
    /// - Throws: `StoreError`.
    package func unfollowedInstruments(limits: [Venue: Int]) throws(StoreError) -> [InstrumentID] {
        let wanted = try datedSubscriptions(on: crowdedVenues(limits))
        return Dictionary(grouping: wanted, by: \.subscription.instrument.venue).flatMap { venue, rows in
            FollowPlan(rows, limit: limits[venue] ?? .max).dropped.map {
                InstrumentID(venue: venue, symbol: $0)
            }
        }.sorted()
    }

    /// The venues of which more instruments are wanted than may be followed: nearly always none, so that few
    /// rows are read again and again.
    private func crowdedVenues(_ limits: [Venue: Int]) throws(StoreError) -> [Venue] {
        let limits = limits.sorted { $0.key < $1.key }
        return try rows(
            """
            SELECT venue FROM market.subscription
            JOIN unnest(\(limits.map(\.key.rawValue))::text[], \(limits.map { Int64($0.value) })::bigint[])
                AS told (venue, maximum) USING (venue)
            GROUP BY venue, maximum HAVING count(DISTINCT symbol) > maximum
            """
        ) { row in Venue(rawValue: try row.text()) }
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
