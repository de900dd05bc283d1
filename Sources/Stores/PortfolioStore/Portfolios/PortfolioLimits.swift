import AccountStore
import Instruments
import Portfolio
import Store

/// What a user's portfolios may have.
package struct PortfolioLimits: Hashable, Sendable {
    /// Portfolios of one user, without those that were deleted.
    package var portfolios = 100
    /// Transactions of one portfolio that are in force.
    package var transactions = 200_000
    /// Revisions of one transaction, the first one among them.
    package var revisions = 50
    /// Tags of one transaction, 64 at most.
    package var tags = 64
    /// Links of one portfolio that are open.
    package var shares = 50

    /// As the settings have it unless they say otherwise.
    package init() {}

    /// Why a transaction says too much; `nil` where it does not.
    ///
    /// What it had before stays: a limit may have been another one when it was made.
    func refusal(of row: Transaction, insteadOf old: Transaction? = nil) -> PortfolioRefused.Reason? {
        guard row.tags.count > tags, row.tags != old?.tags else { return nil }
        return .quota(QuotaFault("tags", count: row.tags.count, limit: tags, advice: "leave some out"))
    }
}

extension Session {
    /// Refuses one portfolio more than a user may have; behind the user's lock.
    func checkRoom(forPortfolioOf user: UserID, _ limits: PortfolioLimits) throws(StoreError) {
        let counts = try first(
            """
            SELECT count(*) FILTER (WHERE deleted_at IS NULL), count(*) FILTER (WHERE deleted_at IS NOT NULL)
            FROM portfolio.portfolio WHERE \(owner: "user_id", is: user)
            """
        ) { row in (there: Int(try row.int64()), deleted: Int(try row.int64())) }
        let (there, deleted) = counts ?? (0, 0)
        if there >= limits.portfolios {
            throw .body(
                PortfolioRefused(
                    .quota(QuotaFault("portfolios", count: there + 1, limit: limits.portfolios))))
        }
        let fault = QuotaFault.ofDeleted("portfolios", count: deleted, whereKept: limits.portfolios)
        if let fault { throw .body(PortfolioRefused(.quota(fault))) }
    }

    /// Refuses more transactions than a portfolio may have; behind its lock.
    ///
    /// They are counted once their numbers, which are given once, have passed the limit: until then there
    /// cannot be too many, and nothing is counted.
    ///
    /// - Parameters:
    ///   - places: Of the new ones among the rows of the call.
    ///   - portfolio: Where to.
    ///   - limits: What it may have.
    /// - Throws: ``StoreError``; ``PortfolioRefused`` as its ``StoreError/bodyError``.
    func checkRoom(
        forRowsAt places: [Int], in portfolio: StoredPortfolio, _ limits: PortfolioLimits
    ) throws(StoreError) {
        guard portfolio.lastNumber + Int64(places.count) > Int64(limits.transactions), !places.isEmpty else {
            return
        }
        let present =
            try first(
                """
                SELECT count(*) FROM portfolio.revision
                WHERE portfolio_id = \(portfolio.id) AND superseded IS NULL
                """
            ) { Int(try $0.int64()) } ?? 0
        guard present + places.count > limits.transactions else { return }
        let fault = QuotaFault(
            "transactions", count: present + places.count, limit: limits.transactions,
            advice: "remove some first, or begin another portfolio")
        throw .body(
            PortfolioRefused(index: places[max(limits.transactions - present, 0)], .quota(fault)))
    }
}
