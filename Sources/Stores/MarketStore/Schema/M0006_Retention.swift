import Store

/// What partitions there are, and how long what is in them is kept.
enum M0006_Retention: Migration {
    static let version = 6
    static let name = "retention"
    static let sql = """
        -- Partitions by what the catalogue says of them; a bound that is open is an end of 64-bit time.
        CREATE VIEW market.partition AS
        SELECT
            part.relname::text AS name,
            parent.relname::text AS parent,
            CASE parent.relname WHEN 'candle' THEN bound.text[1]::integer ELSE 0 END AS interval_seconds,
            CASE bound.text[2] WHEN 'MINVALUE' THEN '-9223372036854775808' ELSE bound.text[2] END::bigint
                AS from_unix_nanos,
            CASE bound.text[3] WHEN 'MAXVALUE' THEN '9223372036854775807' ELSE bound.text[3] END::bigint
                AS to_unix_nanos,
            part.oid AS part_oid
        FROM pg_catalog.pg_inherits AS link
        JOIN pg_catalog.pg_class AS part ON part.oid = link.inhrelid
        JOIN pg_catalog.pg_class AS parent ON parent.oid = link.inhparent
        JOIN pg_catalog.pg_namespace AS space ON space.oid = parent.relnamespace
        CROSS JOIN LATERAL regexp_match(
            pg_catalog.pg_get_expr(part.relpartbound, part.oid),
            'FROM \\((?:(\\d+), )?''?(-?\\d+|MINVALUE)''?\\) TO \\((?:\\d+, )?''?(-?\\d+|MAXVALUE)''?\\)')
            AS bound (text)
        WHERE space.nspname = 'market' AND parent.relname IN ('trade', 'candle') AND parent.relkind = 'p';

        CREATE TABLE market.retention (
            parent text NOT NULL CHECK (parent IN ('trade', 'candle')),
            interval_seconds integer NOT NULL,
            keep_nanos bigint CHECK (keep_nanos > 0),
            swept_at timestamptz NOT NULL,
            PRIMARY KEY (parent, interval_seconds)
        );
        COMMENT ON TABLE market.retention IS
            'The settings of the last sweep, for people. NULL keeps for ever; interval 0 is trades.';
        """
}
