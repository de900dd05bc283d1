package import AccountStore
import Instruments
import MarketStore
package import Store

extension Session {
    /// Erases all portfolios of a user with everything in them; whoever values them is told.
    ///
    /// Between ``beginErasure(of:)`` and ``endErasure(of:)`` only.
    ///
    /// - Throws: ``StoreError``.
    package func erasePortfolios(of user: UserID) throws(StoreError) {
        // Told by the change: a deletion says nothing.
        let ids = try rows(
            """
            UPDATE portfolio.portfolio SET deleted_at = coalesce(deleted_at, changed_at)
            WHERE user_id = \(user)
            RETURNING portfolio_id
            """
        ) { try $0.uniqueID() }
        try removeSubscriptions(wantedBy: ids.map { "portfolio:\($0)" })
        try removePortfolios(ids)
    }

    /// Removes portfolios that are deleted, with everything in them.
    func removePortfolios(_ ids: [UniqueID]) throws(StoreError) {
        // One statement, at whose end nothing refers to anything that is gone.
        try execute(
            """
            WITH revisions AS (DELETE FROM portfolio.revision WHERE portfolio_id = ANY (\(ids))),
            lines AS (DELETE FROM portfolio.import_line WHERE portfolio_id = ANY (\(ids))),
            imports AS (DELETE FROM portfolio.import WHERE portfolio_id = ANY (\(ids))),
            settings AS (DELETE FROM portfolio.lot_setting WHERE portfolio_id = ANY (\(ids))),
            days AS (DELETE FROM portfolio.day WHERE portfolio_id = ANY (\(ids))),
            balances AS (DELETE FROM portfolio.balance WHERE portfolio_id = ANY (\(ids))),
            uses AS (DELETE FROM portfolio.asset_use WHERE portfolio_id = ANY (\(ids))),
            targets AS (DELETE FROM portfolio.target WHERE portfolio_id = ANY (\(ids))),
            links AS (DELETE FROM portfolio.share_link WHERE portfolio_id = ANY (\(ids))),
            changes AS (DELETE FROM portfolio.change WHERE portfolio_id = ANY (\(ids)))
            DELETE FROM portfolio.wallet WHERE portfolio_id = ANY (\(ids))
            """)
        // After their contents: the trigger of revisions asks whose they are.
        try execute("DELETE FROM portfolio.portfolio WHERE portfolio_id = ANY (\(ids))")
    }
}
