import Store

/// What is known of assets beyond their codes, and what moves most.
enum M0008_Assets: Migration {
    static let version = 8
    static let name = "assets and trending"
    static let sql = """
        CREATE TABLE market.asset (
            code text PRIMARY KEY CHECK (code <> ''),
            name text NOT NULL CHECK (name <> ''),
            provider_id text NOT NULL CHECK (provider_id <> ''),
            categories text[] NOT NULL,
            rank integer CHECK (rank > 0),
            updated_at timestamptz NOT NULL
        );
        COMMENT ON TABLE market.asset IS 'Names, categories and ranks from a provider of metadata.';
        COMMENT ON COLUMN market.asset.rank IS 'By market value, from 1; NULL where the provider has none.';

        CREATE TABLE market.trending (
            hour_unix_nanos bigint NOT NULL CHECK (hour_unix_nanos % 3600000000000 = 0),
            instrument_id integer NOT NULL REFERENCES market.instrument (instrument_id),
            score numeric NOT NULL,
            volume_score numeric NOT NULL,
            price_score numeric NOT NULL,
            volume numeric NOT NULL CHECK (volume >= 0),
            usual_volume numeric NOT NULL CHECK (usual_volume >= 0),
            price_change numeric NOT NULL,
            PRIMARY KEY (hour_unix_nanos, instrument_id)
        );
        COMMENT ON TABLE market.trending IS 'Hourly scores with their parts; hours by venue time.';
        COMMENT ON COLUMN market.trending.price_change IS 'Part of the price before: 0.05 is five percent.';
        """
}
