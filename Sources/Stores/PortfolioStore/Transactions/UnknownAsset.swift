package import AccountStore
package import Instruments
import MarketStore
package import Portfolio
package import Store

/// An asset that nobody knows: not the markets, not the user's ledgers, and it is no currency.
package struct UnknownAsset: Hashable, Sendable {
    /// Where it is named, such as `fee_asset`.
    package var field: String
    /// What is named.
    package var asset: Asset
    /// Known names that are near.
    package var nearest: [String]

    /// Describes it.
    package init(field: String, asset: Asset, nearest: [String]) {
        self.field = field
        self.asset = asset
        self.nearest = nearest
    }

    /// What is accepted, in words.
    package var accepted: String {
        "an asset that is traded"
            + (nearest.isEmpty ? "" : "; nearest are \(nearest.joined(separator: ", "))")
    }

    /// As any other value that is refused.
    package var fault: FieldFault { FieldFault(field, "\"\(asset)\"", accepted: accepted) }
}

extension Session {
    /// The first asset of a transaction that nobody knows; `nil` when all are known, or while there are no
    /// markets, since nobody can say then what there is.
    ///
    /// - Throws: ``StoreError``.
    package func unknownAsset(in row: Transaction, by user: UserID) throws(StoreError) -> UnknownAsset? {
        let known = try assets(notKnownIn: [row], by: user)
        guard known.hasMarkets else { return nil }
        return known.first(in: row)
    }

    /// Refuses the first row of a file with an asset that nobody knows, unless its owner takes it.
    ///
    /// - Returns: The assets that are taken though nobody knows them, by name.
    func unknownAssets(of file: ImportedFile, by user: UserID) throws(StoreError) -> [Asset] {
        let known = try assets(notKnownIn: file.rows, by: user)
        guard known.hasMarkets, !file.takesUnknownAssets, !known.unknown.isEmpty else {
            return known.unknown.sorted { $0.rawValue < $1.rawValue }
        }
        for (index, row) in file.rows.enumerated() {
            guard let fault = known.first(in: row) else { continue }
            throw .body(PortfolioRefused(index: index, .unknownAsset(fault)))
        }
        return []
    }

    /// What rows name that neither a market nor one of the user's ledgers does; read once for all of them.
    private func assets(notKnownIn rows: [Transaction], by user: UserID) throws(StoreError) -> KnownAssets {
        var result = KnownAssets()
        for row in rows {
            result.unknown.insert(row.subject.asset)
            if let counter = row.counter { result.unknown.insert(counter.asset) }
            if let fee = row.fee { result.unknown.insert(fee.asset) }
        }
        result.unknown = result.unknown.filter { !$0.isCurrency }
        guard !result.unknown.isEmpty else { return result }
        let traded = try tradedAssets(among: result.unknown.map(\.rawValue).sorted())
        result.hasMarkets = !traded.isEmpty
        result.unknown = result.unknown.filter { !traded.contains($0.rawValue) }
        guard !result.unknown.isEmpty else { return result }
        let used = try usedAssets(among: result.unknown.map(\.rawValue).sorted(), by: user)
        result.unknown = result.unknown.filter { !used.contains($0.rawValue) }
        guard !result.unknown.isEmpty else { return result }
        // What is left is odd: only for that is everything read that it may be meant to be.
        for instrument in try self.instruments() {
            result.known.formUnion([instrument.base.rawValue, instrument.quote.rawValue])
        }
        result.hasMarkets = !result.known.isEmpty
        // What a ledger ever named was accepted once, and is known.
        let owned = try self.rows(
            """
            SELECT DISTINCT named.asset FROM portfolio.revision AS entry
            CROSS JOIN LATERAL (VALUES (entry.asset), (entry.counter_asset), (entry.fee_asset))
                AS named (asset)
            WHERE named.asset IS NOT NULL AND entry.portfolio_id IN (
                SELECT own.portfolio_id FROM portfolio.portfolio AS own
                WHERE \(owner: "own.user_id", is: user))
            """
        ) { try $0.text() }
        result.known.formUnion(owned)
        result.unknown = result.unknown.filter { !result.known.contains($0.rawValue) }
        return result
    }
}

extension Session {
    /// Whether transactions in force are dated later than an instant.
    func hasRows(of portfolio: PortfolioID, after time: Timestamp) throws(StoreError) -> Bool {
        try exists(
            """
            SELECT 1 FROM portfolio.revision
            WHERE portfolio_id = \(portfolio) AND superseded IS NULL AND time > \(time.nanoseconds) LIMIT 1
            """)
    }

    /// Whatever transactions in force name, as it is summed up.
    func assets(of portfolio: PortfolioID) throws(StoreError) -> [Asset] {
        try rows("SELECT asset FROM portfolio.asset_use WHERE portfolio_id = \(portfolio)") { row in
            Asset(rawValue: try row.text())
        }
    }

    /// Those of some names that transactions in force of the user's ledgers have, as far as that is known.
    private func usedAssets(among names: [String], by user: UserID) throws(StoreError) -> Set<String> {
        Set(
            try rows(
                """
                SELECT DISTINCT used.asset FROM portfolio.asset_use AS used
                WHERE used.asset = ANY (\(names)) AND used.portfolio_id IN (
                    SELECT own.portfolio_id FROM portfolio.portfolio AS own
                    WHERE \(owner: "own.user_id", is: user))
                """
            ) { try $0.text() })
    }
}

/// Names that are known, and those that are not.
private struct KnownAssets {
    var known: Set<String> = []
    var unknown: Set<Asset> = []
    var hasMarkets = false

    func first(in row: Transaction) -> UnknownAsset? {
        let named = [
            ("asset", row.subject.asset), ("counter_asset", row.counter?.asset),
            ("fee_asset", row.fee?.asset),
        ]
        for (field, asset) in named {
            guard let asset, unknown.contains(asset) else { continue }
            return UnknownAsset(
                field: field, asset: asset, nearest: NearestNames.symbols(to: asset.rawValue, among: known))
        }
        return nil
    }
}
