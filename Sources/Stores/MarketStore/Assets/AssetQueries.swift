package import Instruments
package import Store

/// What a provider of metadata says of an asset.
package struct AssetRow: Hashable, Sendable {
    /// The asset, by the code that instruments use.
    package var asset: Asset
    /// Its name, such as `Bitcoin`; not empty.
    package var name: String
    /// The provider's own key; not empty.
    package var providerID: String
    /// In the provider's words and order.
    package var categories: [String]
    /// By market value, from 1; `nil` where the provider has none.
    package var rank: Int32?
    /// What the provider says of its market.
    package var figures = AssetFigures()

    package init(asset: Asset, name: String, providerID: String, categories: [String], rank: Int32?) {
        self.asset = asset
        self.name = name
        self.providerID = providerID
        self.categories = categories
        self.rank = rank
    }
}

extension Session {
    /// Stores what a provider said of assets at a time, in one round trip; one of which it says nothing new
    /// is left alone but for the time.
    ///
    /// - Throws: ``StoreError``; nothing is stored then.
    package func store(_ assets: [AssetRow], at time: Timestamp) throws(StoreError) {
        // What the first list has is not new.
        let listed = try exists("SELECT 1 FROM market.asset LIMIT 1") ? time : nil
        var batch = StatementBatch()
        // By code, so that two writers never wait crosswise.
        for row in assets.sorted(by: { $0.asset.rawValue < $1.asset.rawValue }) {
            batch.append(
                """
                INSERT INTO market.asset AS known (
                    code, name, provider_id, categories, rank, updated_at, price, price_change, volume,
                    market_cap, circulating_supply, total_supply, maximum_supply, all_time_high,
                    all_time_high_at, listed_at)
                VALUES (\(row.asset.rawValue), \(row.name), \(row.providerID), \(row.categories), \(row.rank),
                    \(time), \(row.figures.price), \(row.figures.priceChange), \(row.figures.volume),
                    \(row.figures.marketCap), \(row.figures.circulatingSupply),
                    \(row.figures.totalSupply), \(row.figures.maximumSupply), \(row.figures.allTimeHigh),
                    \(row.figures.allTimeHighTime), \(listed))
                ON CONFLICT (code) DO UPDATE SET
                    name = excluded.name, provider_id = excluded.provider_id, rank = excluded.rank,
                    updated_at = excluded.updated_at, price = excluded.price,
                    price_change = excluded.price_change, volume = excluded.volume,
                    market_cap = excluded.market_cap, circulating_supply = excluded.circulating_supply,
                    total_supply = excluded.total_supply, maximum_supply = excluded.maximum_supply,
                    all_time_high = excluded.all_time_high, all_time_high_at = excluded.all_time_high_at,
                    -- Most routes of a provider say nothing of categories: what is known of the same coin
                    -- stays.
                    categories = CASE
                        WHEN known.provider_id = excluded.provider_id AND excluded.categories = '{}'
                        THEN known.categories ELSE excluded.categories END
                """)
        }
        try send(batch)
    }

    /// Makes what another provider said count as old.
    func distrustAssets() throws(StoreError) {
        try execute(
            """
            WITH categories AS (DELETE FROM market.category)
            UPDATE market.asset SET updated_at = timestamptz 'epoch'
            """)
    }
}

extension Database {
    /// What is known of all assets, best rank first, then by code; with the time when it was said.
    package func assets() async throws(StoreError) -> [(asset: AssetRow, time: Timestamp)] {
        try await rows(
            """
            SELECT code, name, provider_id, categories, rank, updated_at, \(AssetFigures.columns)
            FROM market.asset
            ORDER BY rank NULLS LAST, code
            """
        ) { row in
            var asset = AssetRow(
                asset: Asset(rawValue: try row.text()), name: try row.text(), providerID: try row.text(),
                categories: try row.textArray(), rank: try row.int32OrNil())
            let time = try row.time()
            asset.figures = try AssetFigures(&row)
            return (asset: asset, time: time)
        }
    }
}
