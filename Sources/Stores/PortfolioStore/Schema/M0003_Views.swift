import Store

/// How portfolios are reckoned and shown: lots, days, targets, links.
enum M0003_Views: Migration {
    static let version = 3
    static let name = "views"
    static let sql = """
        CREATE TABLE portfolio.lot_setting (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            change bigint NOT NULL CHECK (change >= 1),
            superseded bigint CHECK (superseded > change),
            -- The first instant, in nanoseconds since 1970-01-01 UTC; the smallest number is the beginning.
            valid_from bigint NOT NULL,
            method text NOT NULL CHECK (
                method IN ('fifo', 'lifo', 'hifo', 'lofo', 'average', 'specific')),
            scope text NOT NULL CHECK (scope IN ('universal', 'wallet')),
            PRIMARY KEY (portfolio_id, change, valid_from)
        );
        COMMENT ON TABLE portfolio.lot_setting IS
            'All settings of one change are in force together until another change supersedes them.';

        CREATE TABLE portfolio.day (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            -- The UTC day that ends with it, counted from 1970-01-01.
            day integer NOT NULL,
            value numeric,
            inflow numeric NOT NULL,
            outflow numeric NOT NULL,
            PRIMARY KEY (portfolio_id, day)
        );
        COMMENT ON TABLE portfolio.day IS
            'Value at the end of each day, NULL where a price was missing. A change of the ledger removes '
            'the days from the first that it touches on; they are made again from prices.';

        CREATE TABLE portfolio.target (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            asset text NOT NULL CHECK (asset <> ''),
            share numeric NOT NULL CHECK (share > 0 AND share <= 1),
            PRIMARY KEY (portfolio_id, asset)
        );

        CREATE TABLE portfolio.share_link (
            share_id uuid PRIMARY KEY,
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            -- SHA-256 of the secret in hexadecimal: whoever reads this table cannot open a link.
            secret_sha256 text NOT NULL UNIQUE CHECK (length(secret_sha256) = 64),
            created_at timestamptz NOT NULL,
            expires_at timestamptz NOT NULL,
            revoked_at timestamptz
        );
        CREATE INDEX share_link_of ON portfolio.share_link (portfolio_id);
        """
}
