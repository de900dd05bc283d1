import Store

/// Limits statements on what a portfolio contains to the portfolios of one user.
enum OwnedPortfolio {
    /// A condition with the numbers of the parameters that name the portfolio and the user.
    static func sql(_ portfolio: Int, _ user: Int) -> String {
        OwnerPredicate.sql(
            """
            EXISTS (
                SELECT FROM portfolio.portfolio AS owned
                WHERE owned.portfolio_id = $\(portfolio) AND owned.user_id = $\(user))
            """)
    }
}
