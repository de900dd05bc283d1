public import Instruments
public import Store

/// A category of assets, in a provider's words.
public struct CategoryRow: Hashable, Sendable {
    /// The provider's own key, such as `layer-1`; not empty.
    public var id: String
    /// Such as `Layer 1 (L1)`; not empty.
    public var name: String

    /// Names a category.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// How old what is stored of assets and categories is.
public struct MetadataAges: Hashable, Sendable {
    /// When the assets were last read; `nil` without any.
    public var assets: Timestamp?
    /// When the list of categories was last read; `nil` without any.
    public var list: Timestamp?
    /// The category whose coins were not asked for for the longest time; `nil` without any.
    public var next: CategoryRow?
    /// When that was; `nil` when never.
    public var asked: Timestamp?
}

/// Reads how old what is stored is.
public struct ReadMetadataAges: Statement {
    /// The statement's text; always one row.
    public static let sql = """
        SELECT (SELECT max(updated_at) FROM market.asset), (SELECT max(listed_at) FROM market.category),
            next.id, next.name, next.asked_at
        FROM (VALUES (1)) AS always
        LEFT JOIN (SELECT * FROM market.category ORDER BY asked_at NULLS FIRST, id LIMIT 1) AS next ON true
        """

    /// Asks for all.
    public init() {}

    /// Reads the row.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> MetadataAges {
        let assets = try row.timestampOrNil()
        let list = try row.timestampOrNil()
        let id = try row.textOrNil()
        let name = try row.textOrNil()
        let asked = try row.timestampOrNil()
        var ages = MetadataAges(
            assets: assets.map { Timestamp(nanoseconds: $0) }, list: list.map { Timestamp(nanoseconds: $0) },
            asked: asked.map { Timestamp(nanoseconds: $0) })
        if let id, let name { ages.next = CategoryRow(id: id, name: name) }
        return ages
    }
}

/// Makes what another provider said count as old.
struct DistrustAssets: Statement {
    typealias Row = Void
    static let sql = """
        WITH categories AS (DELETE FROM market.category)
        UPDATE market.asset SET updated_at = timestamptz 'epoch'
        """
}

/// Stores a provider's list of categories in the place of the last one.
struct StoreCategories: Statement {
    typealias Row = Void
    static let sql = """
        WITH gone AS (
            DELETE FROM market.category WHERE id <> ALL ($1::text[])
        ), kept AS (
            INSERT INTO market.category AS known (id, name, listed_at)
            SELECT id, name, $3 FROM unnest($1::text[], $2::text[]) AS new (id, name) ORDER BY id
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, listed_at = excluded.listed_at,
                -- Under a new name its coins are yet to be told.
                asked_at = CASE WHEN known.name = excluded.name THEN known.asked_at END
        )
        UPDATE market.asset SET categories = ARRAY(
            SELECT word FROM unnest(categories) WITH ORDINALITY AS old (word, place)
            WHERE word = ANY ($2::text[]) ORDER BY place)
        WHERE NOT categories <@ $2::text[]
        """

    let rows: [CategoryRow]
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(rows.map(\.id))
        parameters.append(rows.map(\.name))
        parameters.append(timestamp: time.nanoseconds)
    }
}

/// Gives a category to these assets and to no others.
struct AssignCategory: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE market.asset SET categories = CASE
            WHEN provider_id = ANY ($2::text[]) THEN array_append(categories, $1)
            ELSE array_remove(categories, $1) END
        WHERE (provider_id = ANY ($2::text[])) <> ($1 = ANY (categories))
        """

    let name: String
    let providerIDs: [String]

    func bind(_ parameters: inout Parameters) {
        parameters.append(name)
        parameters.append(providerIDs)
    }
}

/// Notes that a category was asked for.
struct NoteCategory: Statement {
    typealias Row = Void
    static let sql = "UPDATE market.category SET asked_at = $2 WHERE id = $1"

    let id: String
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(timestamp: time.nanoseconds)
    }
}

extension Session {
    /// Stores a list of categories in the place of the last one; assets lose those that are gone.
    ///
    /// - Throws: ``StoreError``.
    public func store(_ categories: [CategoryRow], at time: Timestamp) throws(StoreError) {
        try execute(StoreCategories(rows: categories, time: time))
    }

    /// Stores which assets a category has.
    ///
    /// - Parameters:
    ///   - category: Of the list.
    ///   - providerIDs: Its assets; `nil` when the provider did not say, which leaves them as they are.
    ///   - time: When it was asked for.
    /// - Throws: ``StoreError``.
    public func store(
        _ category: CategoryRow, of providerIDs: [String]?, at time: Timestamp
    ) throws(StoreError) {
        if let providerIDs {
            try execute(AssignCategory(name: category.name, providerIDs: providerIDs))
        }
        try execute(NoteCategory(id: category.id, time: time))
    }
}

/// How much is stored.
public struct CountMetadata: Statement {
    /// The statement's text; always one row.
    public static let sql = """
        SELECT (SELECT count(*) FROM market.asset), count(*), count(asked_at) FROM market.category
        """

    /// Asks for all.
    public init() {}

    /// Reads the counts of assets, of categories, and of those whose coins are known.
    public static func decode(
        _ row: inout RowReader
    ) throws(StoreError) -> (assets: Int, categories: Int, known: Int) {
        (Int(try row.int64()), Int(try row.int64()), Int(try row.int64()))
    }
}
