import Store

/// What somebody who acts for a user may do here, and that it sees no rows but the user's own.
enum M0004_OwnRows: Migration {
    static let version = 4
    static let name = "own rows"
    static let sql = """
        \(GatewayRole.creation)
        GRANT USAGE ON SCHEMA portfolio TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE ON portfolio.portfolio, portfolio.wallet, portfolio.revision,
            portfolio.lot_setting, portfolio.share_link TO bitpal_gateway;
        GRANT SELECT, INSERT ON portfolio.change, portfolio.import, portfolio.import_line TO bitpal_gateway;
        GRANT SELECT, DELETE ON portfolio.day TO bitpal_gateway;
        GRANT SELECT, INSERT, DELETE ON portfolio.target TO bitpal_gateway;
        CREATE INDEX revision_newest ON portfolio.revision (portfolio_id, time DESC, number DESC)
            WHERE superseded IS NULL;
        \(GatewayRole.policies("portfolio.portfolio", "user_id = \(GatewayRole.actor)"))
        \(contents.map { GatewayRole.policies("portfolio.\($0)", isOwn) }.joined(separator: "\n"))
        """

    /// Tables that belong to a portfolio.
    private static let contents = [
        "wallet", "change", "revision", "import", "import_line", "lot_setting", "day", "target", "share_link",
    ]
    private static let isOwn = """
        portfolio_id IN (
            SELECT own.portfolio_id FROM portfolio.portfolio AS own WHERE own.user_id = \(GatewayRole.actor))
        """
}
