public import Instruments
public import Store

/// What a provider of metadata says of an asset.
public struct AssetRow: Hashable, Sendable {
    /// The asset, by the code that instruments use.
    public var asset: Asset
    /// Its name, such as `Bitcoin`; not empty.
    public var name: String
    /// The provider's own key; not empty.
    public var providerID: String
    /// In the provider's words and order.
    public var categories: [String]
    /// By market value, from 1; `nil` where the provider has none.
    public var rank: Int32?

    /// Describes an asset.
    public init(asset: Asset, name: String, providerID: String, categories: [String], rank: Int32?) {
        self.asset = asset
        self.name = name
        self.providerID = providerID
        self.categories = categories
        self.rank = rank
    }
}

/// Stores what is known of an asset; one that says nothing new is left alone but for its time.
public struct UpsertAsset: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO market.asset AS known (code, name, provider_id, categories, rank, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (code) DO UPDATE SET
            name = excluded.name, provider_id = excluded.provider_id, rank = excluded.rank,
            updated_at = excluded.updated_at,
            -- Most routes of a provider say nothing of categories: what is known of the same coin stays.
            categories = CASE
                WHEN known.provider_id = excluded.provider_id AND excluded.categories = '{}'
                THEN known.categories ELSE excluded.categories END
        """

    private let row: AssetRow
    private let time: Timestamp

    /// - Parameters:
    ///   - row: Stored in the place of an older one of the same asset.
    ///   - time: When the provider said it.
    public init(_ row: AssetRow, at time: Timestamp) {
        self.row = row
        self.time = time
    }

    /// Appends one parameter per column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(row.asset.rawValue)
        parameters.append(row.name)
        parameters.append(row.providerID)
        parameters.append(row.categories)
        parameters.append(row.rank)
        parameters.append(timestamp: time.nanoseconds)
    }
}

extension Session {
    /// Stores what is known of assets in one round trip, by code, so that two writers never wait crosswise.
    ///
    /// - Throws: ``StoreError``; nothing is stored then.
    public func store(_ assets: [AssetRow], at time: Timestamp) throws(StoreError) {
        var batch = StatementBatch()
        for row in assets.sorted(by: { $0.asset.rawValue < $1.asset.rawValue }) {
            batch.append(UpsertAsset(row, at: time))
        }
        try send(batch)
    }
}

/// What is known of all assets, best rank first, then by code; with the time when it was said.
public struct ListAssets: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT code, name, provider_id, categories, rank, updated_at FROM market.asset
        ORDER BY rank NULLS LAST, code
        """

    /// Asks for all.
    public init() {}

    /// Reads an asset and when it was said.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> (asset: AssetRow, time: Timestamp)
    {
        let asset = AssetRow(
            asset: Asset(rawValue: try row.text()), name: try row.text(), providerID: try row.text(),
            categories: try row.textArray(), rank: try row.int32OrNil())
        return (asset, Timestamp(nanoseconds: try row.timestamp()))
    }
}
