package import Instruments
package import Store

/// A category of assets, in a provider's words.
package struct CategoryRow: Hashable, Sendable {
    /// The provider's own key, such as `layer-1`; not empty.
    package var id: String
    /// Such as `Layer 1 (L1)`; not empty.
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// How old what is stored of assets and categories is.
package struct MetadataAges: Hashable, Sendable {
    /// When the assets were last read; `nil` without any.
    package var assets: Timestamp?
    /// When the list of categories was last read; `nil` without any.
    package var list: Timestamp?
    /// The category whose coins were not asked for for the longest time; `nil` without any.
    package var next: CategoryRow?
    /// When that was; `nil` when never.
    package var asked: Timestamp?
}

extension Session {
    /// Stores a list of categories in the place of the last one; assets lose those that are gone.
    ///
    /// - Throws: ``StoreError``.
    package func store(_ categories: [CategoryRow], at time: Timestamp) throws(StoreError) {
        let (ids, names) = (categories.map(\.id), categories.map(\.name))
        try execute(
            """
            WITH gone AS (
                DELETE FROM market.category WHERE id <> ALL (\(ids)::text[])
            ), kept AS (
                INSERT INTO market.category AS known (id, name, listed_at)
                SELECT id, name, \(time) FROM unnest(\(ids)::text[], \(names)::text[]) AS new (id, name)
                ORDER BY id
                ON CONFLICT (id) DO UPDATE SET
                    name = excluded.name, listed_at = excluded.listed_at,
                    -- Under a new name its coins are yet to be told.
                    asked_at = CASE WHEN known.name = excluded.name THEN known.asked_at END
            )
            UPDATE market.asset SET categories = ARRAY(
                SELECT word FROM unnest(categories) WITH ORDINALITY AS old (word, place)
                WHERE word = ANY (\(names)::text[]) ORDER BY place)
            WHERE NOT categories <@ \(names)::text[]
            """)
    }

    /// Stores which assets a category has.
    ///
    /// - Parameters:
    ///   - category: Of the list.
    ///   - providerIDs: Its assets, and no others; `nil` when the provider did not say, which leaves them as
    ///     they are.
    ///   - time: When it was asked for.
    /// - Throws: ``StoreError``.
    package func store(
        _ category: CategoryRow, of providerIDs: [String]?, at time: Timestamp
    ) throws(StoreError) {
        if let providerIDs {
            try execute(
                """
                UPDATE market.asset SET categories = CASE
                    WHEN provider_id = ANY (\(providerIDs)::text[])
                    THEN array_append(categories, \(category.name))
                    ELSE array_remove(categories, \(category.name)) END
                WHERE (provider_id = ANY (\(providerIDs)::text[])) <> (\(category.name) = ANY (categories))
                """)
        }
        try execute("UPDATE market.category SET asked_at = \(time) WHERE id = \(category.id)")
    }
}

extension Database {
    /// How old what is stored is.
    package func metadataAges() async throws(StoreError) -> MetadataAges? {
        try await first(
            """
            SELECT (SELECT max(updated_at) FROM market.asset), (SELECT max(listed_at) FROM market.category),
                next.id, next.name, next.asked_at
            FROM (VALUES (1)) AS always
            LEFT JOIN (SELECT * FROM market.category ORDER BY asked_at NULLS FIRST, id LIMIT 1) AS next
                ON true
            """
        ) { row in
            var ages = MetadataAges(assets: try row.timeOrNil(), list: try row.timeOrNil())
            let (id, name) = (try row.textOrNil(), try row.textOrNil())
            ages.asked = try row.timeOrNil()
            if let id, let name { ages.next = CategoryRow(id: id, name: name) }
            return ages
        }
    }

    /// How many assets and categories are stored, and of how many of these the coins are known.
    package func metadataCounts() async throws(StoreError) -> (assets: Int, categories: Int, known: Int)? {
        try await first(
            "SELECT (SELECT count(*) FROM market.asset), count(*), count(asked_at) FROM market.category"
        ) { row in
            (assets: Int(try row.int64()), categories: Int(try row.int64()), known: Int(try row.int64()))
        }
    }
}
