package import Instruments
package import Store

/// That somebody wants something of an instrument.
package struct Subscription: Hashable, Sendable {
    /// What is wanted.
    package let instrument: InstrumentID
    /// Which of its streams, such as `book` and `trade`; sorted, without repetition.
    package let channels: [String]
    /// Who or what wants it, such as `configuration` or `alert:<id>`.
    package let wantedBy: String

    /// Says who wants what; at least one channel, in any order.
    package init(instrument: InstrumentID, channels: [String], wantedBy: String) {
        self.instrument = instrument
        self.channels = Set(channels).sorted()
        self.wantedBy = wantedBy
    }
}

extension Session {
    /// The subscriptions to a venue, or to all without one, sorted by venue, symbol and who wants it.
    package func subscriptions(on venue: Venue? = nil) throws(StoreError) -> [Subscription] {
        try rows(
            """
            SELECT venue, symbol, channels, wanted_by FROM market.subscription
            WHERE \(venue?.rawValue)::text IS NULL OR venue = \(venue?.rawValue)
            ORDER BY venue, symbol, wanted_by
            """
        ) { row in
            Subscription(
                instrument: try row.instrumentID(), channels: try row.textArray(), wantedBy: try row.text())
        }
    }

    /// What one wants, sorted by venue and symbol.
    package func subscriptions(wantedBy name: String) throws(StoreError) -> [Subscription] {
        try rows(
            """
            SELECT venue, symbol, channels, wanted_by FROM market.subscription
            WHERE wanted_by = \(name)
            ORDER BY venue, symbol
            """
        ) { row in
            Subscription(
                instrument: try row.instrumentID(), channels: try row.textArray(), wantedBy: try row.text())
        }
    }

    /// Whether somebody wants anything of an instrument.
    package func isWanted(_ id: InstrumentID) throws(StoreError) -> Bool {
        try exists(
            """
            SELECT 1 FROM market.subscription
            WHERE venue = \(id.venue.rawValue) AND symbol = \(id.symbol) LIMIT 1
            """)
    }

    /// Adds the channels of one's subscriptions to many instruments of a venue, as
    /// ``Store/Query/addSubscription(_:at:)`` does for one; the first is the oldest.
    ///
    /// - Parameters:
    ///   - symbols: Each once.
    ///   - venue: Whose.
    ///   - channels: At least one.
    ///   - name: Who wants them.
    ///   - time: When they are made; each a microsecond after the one before, so that a ``FollowPlan`` keeps
    ///     their order.
    /// - Throws: `StoreError`.
    package func addSubscriptions(
        of symbols: [String], on venue: Venue, channels: [String], wantedBy name: String, at time: Timestamp
    ) throws(StoreError) {
        try execute(
            """
            INSERT INTO market.subscription AS old (venue, symbol, wanted_by, channels, added_at)
            SELECT \(venue.rawValue), wish.symbol, \(name), \(channels)::text[],
                \(time)::timestamptz + wish.place * interval '1 microsecond'
            FROM unnest(\(symbols)::text[]) WITH ORDINALITY AS wish (symbol, place)
            ON CONFLICT (venue, symbol, wanted_by) DO UPDATE SET channels = (
                SELECT array_agg(DISTINCT channel ORDER BY channel)
                FROM unnest(old.channels || excluded.channels) AS wanted (channel))
            WHERE NOT old.channels @> excluded.channels
            """)
    }

    /// Ends all that some want of any instrument; how many there were.
    ///
    /// Notifies at commit.
    @discardableResult
    package func removeSubscriptions(wantedBy names: [String]) throws(StoreError) -> Int {
        try execute("DELETE FROM market.subscription WHERE wanted_by = ANY (\(names))")
    }
}

extension Database {
    /// The subscriptions to a venue, or to all without one, sorted by venue, symbol and who wants it.
    package func subscriptions(on venue: Venue? = nil) async throws(StoreError) -> [Subscription] {
        try await withSession { session in try session.subscriptions(on: venue) }
    }

    /// Whether somebody wants anything of an instrument.
    package func isWanted(_ id: InstrumentID) async throws(StoreError) -> Bool {
        try await withSession { session in try session.isWanted(id) }
    }
}

// What is sent alone as well as in a batch.
extension Query {
    /// Adds the channels of a subscription to what the same one wants already; the time when it was made is
    /// kept for a new row only.
    ///
    /// Affects one row, or none when everything was wanted before. Notifies at commit.
    package static func addSubscription(_ subscription: Subscription, at time: Timestamp) -> Query {
        let id = subscription.instrument
        return """
            INSERT INTO market.subscription AS old (venue, symbol, wanted_by, channels, added_at)
            VALUES (\(id.venue.rawValue), \(id.symbol), \(subscription.wantedBy), \(subscription.channels),
                \(time))
            ON CONFLICT (venue, symbol, wanted_by) DO UPDATE SET channels = (
                SELECT array_agg(DISTINCT channel ORDER BY channel)
                FROM unnest(old.channels || excluded.channels) AS wanted (channel))
            WHERE NOT old.channels @> excluded.channels
            """
    }

    /// Ends what one wants of an instrument; others' wishes stay.
    ///
    /// Affects one row, or none when there was nothing. Notifies at commit.
    package static func removeSubscription(_ id: InstrumentID, wantedBy: String) -> Query {
        """
        DELETE FROM market.subscription
        WHERE venue = \(id.venue.rawValue) AND symbol = \(id.symbol) AND wanted_by = \(wantedBy)
        """
    }
}
