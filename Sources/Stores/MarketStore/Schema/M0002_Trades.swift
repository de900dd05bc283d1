import Store

/// The tape: one row per public trade, a partition per UTC day of venue time.
///
/// Each partition has a unique index of its own over the trade's identity, which a unique index over the
/// whole table could not have without the partition key: a trade that a venue reports twice with times of
/// different precision is still one trade of that day.
enum M0002_Trades: Migration {
    static let version = 2
    static let name = "trades"
    static let sql = """
        CREATE TABLE market.trade (
            -- No foreign key: every insert resolves the name in market.instrument in the same statement.
            instrument_id integer NOT NULL,
            side smallint NOT NULL CHECK (side IN (1, 2)),
            price_scale smallint NOT NULL CHECK (price_scale BETWEEN 0 AND 18),
            venue_time_unix_nanos bigint NOT NULL,
            received_time_unix_nanos bigint NOT NULL,
            price bigint NOT NULL,
            size bigint NOT NULL CHECK (size >= 0),
            arrival bigint NOT NULL,
            size_scale smallint NOT NULL CHECK (size_scale BETWEEN 0 AND 18),
            is_aggregate boolean NOT NULL,
            is_backfill boolean NOT NULL,
            trade_id text NOT NULL CHECK (trade_id <> '')
        ) PARTITION BY RANGE (venue_time_unix_nanos);
        COMMENT ON TABLE market.trade IS
            'Public trades, value = units / 10^scale; see market.trade_exact. Side 1: the taker bought.';
        COMMENT ON COLUMN market.trade.arrival IS
            'Orders trades of equal venue time: number of the batch times 2^24, plus the place in it.';
        COMMENT ON COLUMN market.trade.is_aggregate IS
            'The id numbers aggregated trades: another id space, so part of the identity.';

        CREATE INDEX trade_time ON market.trade (instrument_id, venue_time_unix_nanos, arrival);
        CREATE SEQUENCE market.trade_batch;

        -- Makes the partition of a day where it is missing; true when this call made it.
        -- Made beside the table and attached, because that lets others read and write meanwhile.
        CREATE FUNCTION market.ensure_trade_partition(day date) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            part text := 'trade_' || to_char(day, 'YYYYMMDD');
            lower_bound numeric := (day - date '1970-01-01')::numeric * 86400000000000;
            upper_bound numeric := lower_bound + 86400000000000;
        BEGIN
            IF to_regclass('market.' || part) IS NOT NULL THEN RETURN false; END IF;
            -- One at a time; unlike an advisory lock this also makes others' new partitions known here.
            LOCK TABLE market.trade IN SHARE UPDATE EXCLUSIVE MODE;
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

        CREATE VIEW market.trade_exact AS
        SELECT
            i.venue,
            i.symbol,
            t.trade_id,
            t.is_aggregate,
            CASE t.side WHEN 1 THEN 'buy' ELSE 'sell' END AS side,
            t.price * ('1e-' || t.price_scale)::numeric AS price,
            t.size * ('1e-' || t.size_scale)::numeric AS size,
            timestamptz 'epoch' + t.venue_time_unix_nanos / 1000 * interval '1 microsecond' AS venue_time,
            t.venue_time_unix_nanos,
            t.received_time_unix_nanos,
            t.is_backfill,
            t.arrival
        FROM market.trade AS t
        JOIN market.instrument AS i USING (instrument_id);
        COMMENT ON VIEW market.trade_exact IS 'Trades with exact decimal prices and sizes, for people.';
        """
}
