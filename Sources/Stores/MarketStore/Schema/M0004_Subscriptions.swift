import Store

/// What is wanted from the venues, and by whom.
enum M0004_Subscriptions: Migration {
    static let version = 4
    static let name = "subscriptions"
    static let sql = """
        CREATE TABLE market.subscription (
            -- No reference to market.instrument: what is wanted may not be known yet.
            venue text NOT NULL CHECK (venue <> ''),
            symbol text NOT NULL CHECK (symbol <> ''),
            wanted_by text NOT NULL CHECK (wanted_by <> ''),
            channels text[] NOT NULL CHECK (cardinality(channels) > 0),
            added_at timestamptz NOT NULL,
            PRIMARY KEY (venue, symbol, wanted_by)
        );
        COMMENT ON TABLE market.subscription IS
            'What feed-ingestor takes in: a row per instrument and reason, until the last reason goes.';

        CREATE FUNCTION market.notify_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('market_subscription', '');
            RETURN NULL;
        END
        $$;
        -- Changes are rare, so the lock that a notification takes at commit does not matter here.
        CREATE TRIGGER notify AFTER INSERT OR UPDATE OR DELETE ON market.subscription
        FOR EACH STATEMENT EXECUTE FUNCTION market.notify_subscription();
        """
}
