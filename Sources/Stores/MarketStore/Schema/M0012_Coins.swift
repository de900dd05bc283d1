import Store

/// What is known of a coin beyond its name, and how often providers were asked.
enum M0012_Coins: Migration {
    static let version = 12
    static let name = "coins and providers"
    static let sql = """
        ALTER TABLE market.asset
            ADD COLUMN price numeric CHECK (price > 0),
            ADD COLUMN price_change numeric,
            ADD COLUMN volume numeric CHECK (volume >= 0),
            ADD COLUMN market_cap numeric CHECK (market_cap >= 0),
            ADD COLUMN circulating_supply numeric CHECK (circulating_supply >= 0),
            ADD COLUMN total_supply numeric CHECK (total_supply >= 0),
            ADD COLUMN maximum_supply numeric CHECK (maximum_supply >= 0),
            ADD COLUMN all_time_high numeric CHECK (all_time_high > 0),
            ADD COLUMN all_time_high_at timestamptz,
            ADD COLUMN listed_at timestamptz;
        COMMENT ON COLUMN market.asset.price IS
            'In US dollars at updated_at: a mean over markets that nobody proved, never a book''s.';
        COMMENT ON COLUMN market.asset.price_change IS 'Percent in the 24 hours before updated_at.';
        COMMENT ON COLUMN market.asset.volume IS 'In US dollars, of 24 hours.';
        COMMENT ON COLUMN market.asset.listed_at IS
            'When the list first had it; NULL for what it had from the beginning.';

        CREATE TABLE market.provider_use (
            provider text NOT NULL CHECK (provider <> ''),
            month text NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
            requests bigint NOT NULL CHECK (requests >= 0),
            PRIMARY KEY (provider, month)
        );
        COMMENT ON TABLE market.provider_use IS
            'How often an aggregated provider was asked in a month: failed requests count, too.';
        """
}
