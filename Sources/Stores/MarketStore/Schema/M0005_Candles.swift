import Store

/// Candles of all intervals, partitioned by interval and time.
///
/// One range over both: the partitions of an interval are as long as suits how many candles it has and how
/// long they are kept, so that retention drops whole tables. A chart asks for one interval, and then the
/// order of the partitions is the order of time: nothing is sorted.
enum M0005_Candles: Migration {
    static let version = 5
    static let name = "candles"
    static let sql = table + partitions + view + locks

    private static let table = """
        CREATE TABLE market.candle (
            -- No foreign key: every insert resolves the name in market.instrument in the same transaction.
            instrument_id integer NOT NULL,
            interval_seconds integer NOT NULL
                CHECK (interval_seconds IN (1, 60, 300, 900, 1800, 3600, 14400, 86400, 604800)),
            start_unix_nanos bigint NOT NULL,
            open_time_unix_nanos bigint NOT NULL,
            close_time_unix_nanos bigint NOT NULL,
            open bigint NOT NULL,
            high bigint NOT NULL,
            low bigint NOT NULL,
            close bigint NOT NULL,
            trade_count bigint NOT NULL CHECK (trade_count >= 0),
            lease_epoch bigint NOT NULL CHECK (lease_epoch >= 0),
            written_at timestamptz NOT NULL,
            price_scale smallint NOT NULL CHECK (price_scale BETWEEN 0 AND 18),
            size_scale smallint NOT NULL CHECK (size_scale BETWEEN 0 AND 18),
            flags smallint NOT NULL CHECK (flags BETWEEN 0 AND 255),
            volume numeric NOT NULL CHECK (volume >= 0),
            taker_buy_volume numeric CHECK (taker_buy_volume BETWEEN 0 AND volume),
            notional numeric,
            -- All that a chart shows: rows lie in the order of writing, those of one instrument each in
            -- another page, and a year of hours would be read from thousands of them; in the index they
            -- lie together.
            PRIMARY KEY (instrument_id, interval_seconds, start_unix_nanos) INCLUDE (
                open_time_unix_nanos, close_time_unix_nanos, open, high, low, close, trade_count,
                price_scale, size_scale, flags, volume, taker_buy_volume, notional),
            CHECK (low <= open AND low <= close AND high >= open AND high >= close),
            CHECK (open_time_unix_nanos <= close_time_unix_nanos),
            -- Weeks begin on Monday: the fourth day after 1970-01-01. The first candle of 64-bit time is cut.
            CHECK (CASE
                WHEN start_unix_nanos = -9223372036854775808 THEN true
                WHEN interval_seconds = 604800
                    THEN start_unix_nanos % 604800000000000 IN (345600000000000, -259200000000000)
                ELSE start_unix_nanos % (interval_seconds::bigint * 1000000000) = 0 END)
        ) PARTITION BY RANGE (interval_seconds, start_unix_nanos);
        COMMENT ON TABLE market.candle IS
            'Candles by venue time, prices = units / 10^price_scale; see market.candle_exact.';
        COMMENT ON COLUMN market.candle.open_time_unix_nanos IS 'Venue time of the trade that opened.';
        COMMENT ON COLUMN market.candle.close_time_unix_nanos IS 'Venue time of the trade that closed.';
        COMMENT ON COLUMN market.candle.notional IS
            'Sum of price times size; divided by volume it is the VWAP. NULL where the venue does not say.';
        COMMENT ON COLUMN market.candle.flags IS
            '1 closed, 2 incomplete, 4 the venue''s own, 8 amended, 16 flat, 32 without notional.';
        COMMENT ON COLUMN market.candle.lease_epoch IS
            'Lease under which it was written; 0 for what was filled in without one.';

        """

    private static let partitions = """
        -- Days that one partition of an interval spans.
        CREATE FUNCTION market.candle_partition_days(interval_seconds integer) RETURNS integer
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN interval_seconds < 60 THEN 1 WHEN interval_seconds < 300 THEN 28
                WHEN interval_seconds < 3600 THEN 364 ELSE 3640 END
        $$;

        CREATE FUNCTION market.candle_interval_name(interval_seconds integer) RETURNS text
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN interval_seconds % 604800 = 0 THEN interval_seconds / 604800 || 'w'
                WHEN interval_seconds % 86400 = 0 THEN interval_seconds / 86400 || 'd'
                WHEN interval_seconds % 3600 = 0 THEN interval_seconds / 3600 || 'h'
                WHEN interval_seconds % 60 = 0 THEN interval_seconds / 60 || 'm'
                ELSE interval_seconds || 's' END
        $$;

        -- Makes the partition of an instant where it is missing; true when this call made it.
        -- Its name has the first day. The lock keeps it from being dropped until the transaction ends.
        CREATE FUNCTION market.ensure_candle_partition(interval_seconds integer, at_unix_nanos bigint)
        RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            span numeric := market.candle_partition_days(interval_seconds) * 86400000000000::numeric;
            -- The remainder is never negative.
            lower_bound numeric := at_unix_nanos - mod(mod(at_unix_nanos, span) + span, span);
            upper_bound numeric := lower_bound + span;
            part text := 'candle_' || market.candle_interval_name(interval_seconds) || '_'
                || to_char(date '1970-01-01' + div(lower_bound, 86400000000000)::integer, 'YYYYMMDD');
        BEGIN
            LOCK TABLE ONLY market.candle IN ROW EXCLUSIVE MODE;
            IF to_regclass('market.' || part) IS NOT NULL THEN RETURN false; END IF;
            LOCK TABLE ONLY market.candle IN SHARE UPDATE EXCLUSIVE MODE;
            IF to_regclass('market.' || part) IS NOT NULL THEN RETURN false; END IF;
            -- An index is read without its table only where vacuum has been.
            EXECUTE format(
                'CREATE TABLE market.%I (LIKE market.candle INCLUDING ALL)'
                ' WITH (autovacuum_vacuum_insert_scale_factor = 0.02)', part);
            EXECUTE format(
                'ALTER TABLE market.candle ATTACH PARTITION market.%I FOR VALUES FROM (%s, %s) TO (%s, %s)',
                part, interval_seconds,
                CASE WHEN lower_bound < -9223372036854775808 THEN 'MINVALUE' ELSE lower_bound::text END,
                interval_seconds,
                CASE WHEN upper_bound > 9223372036854775807 THEN 'MAXVALUE' ELSE upper_bound::text END);
            RETURN true;
        END
        $$;

        """

    private static let view = """
        CREATE VIEW market.candle_exact AS
        SELECT
            i.venue,
            i.symbol,
            market.candle_interval_name(c.interval_seconds) AS interval,
            timestamptz 'epoch' + c.start_unix_nanos / 1000 * interval '1 microsecond' AS start,
            c.open * ('1e-' || c.price_scale)::numeric AS open,
            c.high * ('1e-' || c.price_scale)::numeric AS high,
            c.low * ('1e-' || c.price_scale)::numeric AS low,
            c.close * ('1e-' || c.price_scale)::numeric AS close,
            c.volume,
            -- An inverse contract is a fixed amount of the quote asset.
            CASE WHEN i.is_inverse THEN c.volume ELSE c.notional END
                * CASE WHEN i.contract_multiplier <= 0 THEN NULL ELSE coalesce(i.contract_multiplier, 1) END
                AS quote_volume,
            c.taker_buy_volume,
            c.notional / nullif(c.volume, 0) AS vwap,
            c.trade_count,
            (c.flags & 1) <> 0 AS is_closed,
            (c.flags & 2) <> 0 AS is_incomplete,
            (c.flags & 4) <> 0 AS is_from_venue,
            (c.flags & 8) <> 0 AS is_amended,
            c.start_unix_nanos,
            c.lease_epoch,
            c.written_at
        FROM market.candle AS c
        JOIN market.instrument AS i USING (instrument_id);
        COMMENT ON VIEW market.candle_exact IS 'Candles with exact decimals, for people.';

        """

    /// The function of migration 2 with one line more.
    private static let locks = """
        CREATE OR REPLACE FUNCTION market.ensure_trade_partition(day date) RETURNS boolean
        LANGUAGE plpgsql AS $$
        DECLARE
            part text := 'trade_' || to_char(day, 'YYYYMMDD');
            lower_bound numeric := (day - date '1970-01-01')::numeric * 86400000000000;
            upper_bound numeric := lower_bound + 86400000000000;
        BEGIN
            -- Keeps the partition from being dropped until the transaction ends.
            LOCK TABLE ONLY market.trade IN ROW EXCLUSIVE MODE;
            IF to_regclass('market.' || part) IS NOT NULL THEN RETURN false; END IF;
            -- One at a time; unlike an advisory lock this also makes others' new partitions known here.
            LOCK TABLE ONLY market.trade IN SHARE UPDATE EXCLUSIVE MODE;
            IF to_regclass('market.' || part) IS NOT NULL THEN RETURN false; END IF;
            EXECUTE format(
                'CREATE TABLE market.%I (LIKE market.trade INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
            EXECUTE format(
                'CREATE UNIQUE INDEX %I ON market.%I (instrument_id, trade_id, is_aggregate)',
                part || '_identity', part);
            -- The first and the last day of 64-bit nanoseconds are not whole.
            EXECUTE format(
                'ALTER TABLE market.trade ATTACH PARTITION market.%I FOR VALUES FROM (%s) TO (%s)', part,
                CASE WHEN lower_bound < -9223372036854775808 THEN 'MINVALUE' ELSE lower_bound::text END,
                CASE WHEN upper_bound > 9223372036854775807 THEN 'MAXVALUE' ELSE upper_bound::text END);
            RETURN true;
        END
        $$;
        """
}
