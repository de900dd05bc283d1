import Store

/// What people want to see at a glance.
///
/// Its number leaves room for the steps of accounts themselves.
enum M0003_Watchlists: Migration {
    static let version = 3
    static let name = "watchlists"
    static let sql = """
        CREATE TABLE accounts.watchlist (
            watchlist_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.app_user ON DELETE CASCADE,
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            place integer NOT NULL CHECK (place >= 0),
            created_at timestamptz NOT NULL,
            UNIQUE (user_id, name)
        );
        COMMENT ON COLUMN accounts.watchlist.place IS 'Order among the lists of its user.';

        CREATE TABLE accounts.watchlist_entry (
            watchlist_id uuid NOT NULL REFERENCES accounts.watchlist ON DELETE CASCADE,
            venue text NOT NULL CHECK (venue <> ''),
            symbol text NOT NULL CHECK (symbol <> ''),
            place integer NOT NULL CHECK (place >= 0),
            added_at timestamptz NOT NULL,
            PRIMARY KEY (watchlist_id, venue, symbol)
        );
        COMMENT ON TABLE accounts.watchlist_entry IS
            'In the order of place. Each has a row in market.subscription, which comes and goes with it.';

        \(GatewayRole.creation)
        GRANT USAGE ON SCHEMA accounts TO bitpal_gateway;
        -- As much as locking the user takes.
        GRANT SELECT (user_id), UPDATE (user_id) ON accounts.app_user TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE, DELETE ON accounts.watchlist, accounts.watchlist_entry
            TO bitpal_gateway;
        \(GatewayRole.policies("accounts.app_user", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies("accounts.watchlist", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies(
            "accounts.watchlist_entry",
            """
            watchlist_id IN (
                SELECT list.watchlist_id FROM accounts.watchlist AS list
                WHERE list.user_id = \(GatewayRole.actor))
            """))
        """
}
