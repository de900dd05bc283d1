import AccountStore
import Store

extension Query.StringInterpolation {
    /// The condition that limits a statement on what a portfolio contains to the portfolios of one user.
    ///
    /// Marked as what ``appendInterpolation(owner:is:)`` writes.
    mutating func appendInterpolation(owned portfolio: PortfolioID, by user: UserID) {
        appendLiteral("/*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned ")
        appendLiteral("WHERE owned.portfolio_id = ")
        appendInterpolation(portfolio)
        appendLiteral(" AND owned.user_id = ")
        appendInterpolation(user)
        appendLiteral("))/*own*/")
    }
}
