package import AccountStore
package import Instruments
import MarketStore
package import Store

extension Session {
    /// The portfolios of a user by name, without those that were deleted.
    package func portfolios(of user: UserID) throws(StoreError) -> [StoredPortfolio] {
        try rows(
            """
            SELECT \(StoredPortfolio.columns) FROM portfolio.portfolio AS portfolio
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL
            ORDER BY name
            """, StoredPortfolio.init)
    }

    /// One portfolio of a user by its name, unless it was deleted.
    package func findPortfolio(named name: String, of user: UserID) throws(StoreError) -> StoredPortfolio? {
        try findPortfolio(nil, named: name, of: user)
    }

    /// One portfolio of a user by its key, unless it was deleted.
    package func findPortfolio(_ id: PortfolioID, of user: UserID) throws(StoreError) -> StoredPortfolio? {
        try findPortfolio(id, named: nil, of: user)
    }

    private func findPortfolio(
        _ id: PortfolioID?, named name: String?, of user: UserID
    ) throws(StoreError) -> StoredPortfolio? {
        try first(
            """
            SELECT \(StoredPortfolio.columns) FROM portfolio.portfolio AS portfolio
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL
                AND (name = \(name) OR portfolio_id = \(id))
            """, StoredPortfolio.init)
    }

    /// All portfolios of everybody that were not deleted, or those of some keys.
    ///
    /// - Parameter ids: Names some; `nil` for all.
    /// - Returns: Them by their keys.
    /// - Throws: ``StoreError``.
    package func activePortfolios(_ ids: [PortfolioID]? = nil) throws(StoreError) -> [StoredPortfolio] {
        let (isAll, wanted) = (ids == nil, ids ?? [])
        return try rows(
            """
            SELECT \(StoredPortfolio.columns) FROM portfolio.portfolio AS portfolio
            WHERE deleted_at IS NULL AND (\(isAll)::boolean OR portfolio_id = ANY (\(wanted)))
            ORDER BY portfolio_id
            """, StoredPortfolio.init)
    }

    /// The wallets of a portfolio by name.
    package func wallets(of portfolio: PortfolioID, by user: UserID) throws(StoreError) -> [StoredWallet] {
        try rows(
            """
            SELECT name, kind, note, created_at FROM portfolio.wallet
            WHERE portfolio_id = \(portfolio) AND \(owned: portfolio, by: user)
            ORDER BY name
            """
        ) { row in
            let name = try row.text()
            let kind = try row.word(WalletKind.self)
            return StoredWallet(name: name, kind: kind, note: try row.text(), created: try row.time())
        }
    }

    /// The number of the last change of a portfolio at or before a moment; 0 for none.
    package func lastChange(
        of portfolio: PortfolioID, by user: UserID, at time: Timestamp
    ) throws(StoreError) -> Int64 {
        try first(
            """
            SELECT coalesce(max(change), 0) FROM portfolio.change
            WHERE portfolio_id = \(portfolio) AND made_at <= \(time) AND \(owned: portfolio, by: user)
            """
        ) { try $0.int64() } ?? 0
    }
}
