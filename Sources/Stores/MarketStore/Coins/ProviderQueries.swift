package import Instruments
package import Store

/// A coin that is wanted from aggregated providers, under the name that it has as an instrument.
package struct AggregatedWish: Hashable, Sendable {
    package let instrument: InstrumentID
    package let asset: Asset
    package let name: String
    /// The key that the provider of the list has for it.
    package let providerID: String
    /// When somebody wanted it last.
    package let added: Timestamp

    package init(
        instrument: InstrumentID, asset: Asset, name: String, providerID: String, added: Timestamp
    ) {
        self.instrument = instrument
        self.asset = asset
        self.name = name
        self.providerID = providerID
        self.added = added
    }
}

extension Session {
    /// Counts requests of a month to a provider; how many there were with them.
    @discardableResult
    package func countRequests(
        _ requests: Int, to provider: Venue, in month: String
    ) throws(StoreError) -> Int {
        let count = try first(
            """
            INSERT INTO market.provider_use AS known (provider, month, requests)
            VALUES (\(provider.rawValue), \(month), \(Int64(requests)))
            ON CONFLICT (provider, month) DO UPDATE SET requests = known.requests + excluded.requests
            RETURNING requests
            """
        ) { try $0.int64() }
        return Int(count ?? 0)
    }

    /// Stores instruments of a provider for the coins that no venue trades, so that they can be wanted.
    ///
    /// None before some venue's instruments are known for an hour: until then nobody knows what is left.
    ///
    /// - Parameters:
    ///   - provider: Under whose name; a venue of the aggregated kind.
    ///   - now: The time.
    /// - Returns: How many are new.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func listLeftCoins(of provider: Venue, at now: Timestamp) throws(StoreError) -> Int {
        let aggregated = Venue.aggregated.map(\.rawValue)
        let hour: Int64 = 3_600_000_000_000
        return try execute(
            """
            INSERT INTO market.instrument (
                venue, symbol, base, quote, kind, price_scale, size_scale, is_inverse, updated_at)
            SELECT \(provider.rawValue), a.code || '-USD', a.code, 'USD', 'spot', 12, 8, false, \(now)
            FROM market.asset AS a
            WHERE a.price IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM market.instrument AS i
                    WHERE i.base = a.code AND i.venue <> ALL (\(aggregated)::text[]))
                AND EXISTS (
                    SELECT 1 FROM market.instrument AS i
                    WHERE i.venue <> ALL (\(aggregated)::text[])
                        AND i.updated_at < \(now.adding(nanoseconds: -hour)))
            ORDER BY a.code
            ON CONFLICT (venue, symbol) DO NOTHING
            """)
    }

    /// What is wanted of aggregated providers, by name.
    package func aggregatedWishes() throws(StoreError) -> [AggregatedWish] {
        try rows(
            """
            SELECT s.venue, s.symbol, a.code, a.name, a.provider_id, max(s.added_at)
            FROM market.subscription AS s
            JOIN market.instrument AS i USING (venue, symbol)
            JOIN market.asset AS a ON a.code = i.base
            WHERE s.venue = ANY (\(Venue.aggregated.map(\.rawValue))::text[])
            GROUP BY s.venue, s.symbol, a.code, a.name, a.provider_id
            ORDER BY s.venue, s.symbol
            """
        ) { row in
            AggregatedWish(
                instrument: try row.instrumentID(), asset: Asset(rawValue: try row.text()),
                name: try row.text(), providerID: try row.text(), added: try row.time())
        }
    }
}
