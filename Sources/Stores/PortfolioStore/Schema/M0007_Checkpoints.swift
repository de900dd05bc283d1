import Store

/// What the transactions in force come to, so that a change need not read them all.
enum M0007_Checkpoints: Migration {
    static let version = 7
    static let name = "checkpoints"
    static let sql = """
        ALTER TABLE portfolio.portfolio ADD COLUMN balanced bigint;
        COMMENT ON COLUMN portfolio.portfolio.balanced IS
            'The change whose transactions portfolio.balance and portfolio.asset_use sum up. While it is not '
            'the last one, as after a change by a program that does not know them, they are made anew.';

        CREATE TABLE portfolio.balance (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio ON DELETE CASCADE,
            wallet text NOT NULL,
            asset text NOT NULL,
            amount numeric NOT NULL CHECK (amount <> 0),
            PRIMARY KEY (portfolio_id, wallet, asset)
        );
        COMMENT ON TABLE portfolio.balance IS 'What each wallet holds after all transactions in force.';

        CREATE TABLE portfolio.asset_use (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio ON DELETE CASCADE,
            asset text NOT NULL,
            uses bigint NOT NULL CHECK (uses > 0),
            PRIMARY KEY (portfolio_id, asset)
        );
        COMMENT ON TABLE portfolio.asset_use IS
            'How often the transactions in force name each asset, as it is spelt.';

        CREATE INDEX revision_earlier ON portfolio.revision (portfolio_id, external_id)
            WHERE superseded IS NOT NULL AND external_id <> '';
        GRANT SELECT, INSERT, UPDATE, DELETE ON portfolio.balance, portfolio.asset_use TO bitpal_gateway;
        \(["balance", "asset_use"].map { GatewayRole.policies("portfolio.\($0)", isOwn) }
            .joined(separator: "\n"))
        """

    private static let isOwn = """
        portfolio_id IN (
            SELECT own.portfolio_id FROM portfolio.portfolio AS own WHERE own.user_id = \(GatewayRole.actor))
        """
}
