package import AccountStore
package import Instruments
import Portfolio
package import Store

/// The share of the whole that an owner wants of an asset.
package struct StoredTarget: Hashable, Sendable {
    package var asset: Asset
    /// Its share of the whole, above 0 and at most 1.
    package var share: Amount
}

extension Session {
    /// The shares of the whole that an owner wants, by asset.
    package func targets(of portfolio: PortfolioID, by user: UserID) throws(StoreError) -> [StoredTarget] {
        try rows(
            """
            SELECT asset, share FROM portfolio.target
            WHERE portfolio_id = \(portfolio) AND \(owned: portfolio, by: user)
            ORDER BY asset
            """
        ) { row in StoredTarget(asset: Asset(rawValue: try row.text()), share: try row.amount()) }
    }

    /// Replaces the shares that an owner wants; what they leave of the whole is wanted in the base currency.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    package func setTargets(
        _ targets: [Asset: Amount], of id: PortfolioID, of user: UserID
    ) throws(StoreError) {
        _ = try lockPortfolio(id, of: user)
        for (asset, share) in targets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard share.isPositive, share <= .one, !asset.rawValue.isEmpty else {
                throw .body(
                    PortfolioRefused.fault("target", "\(asset)=\(share)", "a share above 0 and at most 1"))
            }
        }
        let sum = targets.values.reduce(Amount.zero, +)
        guard sum <= .one else {
            throw .body(PortfolioRefused.fault("target", "\(sum) in all", "shares that sum to at most 1"))
        }
        try execute("DELETE FROM portfolio.target WHERE portfolio_id = \(id)")
        var batch = StatementBatch()
        for (asset, share) in targets {
            batch.append(
                """
                INSERT INTO portfolio.target (portfolio_id, asset, share)
                VALUES (\(id), \(asset.rawValue), \(share))
                """)
        }
        try send(batch)
    }
}
