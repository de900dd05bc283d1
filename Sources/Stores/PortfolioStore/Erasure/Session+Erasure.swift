public import AccountStore
import Instruments
import MarketStore
public import Store

extension Session {
    /// Erases all portfolios of a user with everything in them; whoever values them is told.
    ///
    /// Between ``beginErasure(of:)`` and ``endErasure(of:)`` only.
    ///
    /// - Throws: ``StoreError``.
    public func erasePortfolios(of user: UserID) throws(StoreError) {
        // Told by the change: a deletion says nothing.
        let ids = try rows(RetirePortfolios(user: user))
        try execute(RemoveWishes(of: ids.map { "portfolio:\($0)" }))
        try execute(EraseContents(portfolios: ids))
        try execute(ErasePortfolios(portfolios: ids))
    }
}

private struct RetirePortfolios: Statement {
    static let sql = """
        UPDATE portfolio.portfolio SET deleted_at = coalesce(deleted_at, changed_at) WHERE user_id = $1
        RETURNING portfolio_id
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> UniqueID { try row.uniqueID() }
}

/// One statement, at whose end nothing refers to anything that is gone.
private struct EraseContents: Statement {
    typealias Row = Void
    static let sql = """
        WITH revisions AS (DELETE FROM portfolio.revision WHERE portfolio_id = ANY ($1)),
        lines AS (DELETE FROM portfolio.import_line WHERE portfolio_id = ANY ($1)),
        imports AS (DELETE FROM portfolio.import WHERE portfolio_id = ANY ($1)),
        settings AS (DELETE FROM portfolio.lot_setting WHERE portfolio_id = ANY ($1)),
        days AS (DELETE FROM portfolio.day WHERE portfolio_id = ANY ($1)),
        targets AS (DELETE FROM portfolio.target WHERE portfolio_id = ANY ($1)),
        links AS (DELETE FROM portfolio.share_link WHERE portfolio_id = ANY ($1)),
        changes AS (DELETE FROM portfolio.change WHERE portfolio_id = ANY ($1))
        DELETE FROM portfolio.wallet WHERE portfolio_id = ANY ($1)
        """
    let portfolios: [UniqueID]

    func bind(_ parameters: inout Parameters) { parameters.append(portfolios) }
}

/// After their contents: the trigger of revisions asks whose they are.
private struct ErasePortfolios: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM portfolio.portfolio WHERE portfolio_id = ANY ($1)"
    let portfolios: [UniqueID]

    func bind(_ parameters: inout Parameters) { parameters.append(portfolios) }
}
