import Store

/// One whole book per instrument and minute of venue time.
enum M0003_BookSnapshots: Migration {
    static let version = 3
    static let name = "book snapshots"
    static let sql = """
        CREATE TABLE market.book_snapshot (
            instrument_id integer NOT NULL REFERENCES market.instrument (instrument_id),
            minute_unix_nanos bigint NOT NULL CHECK (minute_unix_nanos % 60000000000 = 0),
            venue_time_unix_nanos bigint,
            received_time_unix_nanos bigint NOT NULL,
            state smallint NOT NULL CHECK (state BETWEEN 1 AND 4),
            reason smallint NOT NULL CHECK (reason > 0),
            price_scale smallint NOT NULL CHECK (price_scale BETWEEN 0 AND 18),
            size_scale smallint NOT NULL CHECK (size_scale BETWEEN 0 AND 18),
            detail text NOT NULL,
            bid_prices bigint[] NOT NULL,
            bid_sizes bigint[] NOT NULL CHECK (cardinality(bid_sizes) = cardinality(bid_prices)),
            ask_prices bigint[] NOT NULL,
            ask_sizes bigint[] NOT NULL CHECK (cardinality(ask_sizes) = cardinality(ask_prices)),
            producer text,
            epoch bigint CHECK ((epoch IS NULL) = (producer IS NULL)),
            sequence bigint CHECK ((sequence IS NULL) = (producer IS NULL)),
            PRIMARY KEY (instrument_id, minute_unix_nanos)
        );
        COMMENT ON TABLE market.book_snapshot IS
            'Whole books, levels best first, value = units / 10^scale. The last book of a minute wins.';
        """
}
