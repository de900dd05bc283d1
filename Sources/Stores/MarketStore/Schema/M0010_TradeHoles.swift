import Store

/// What is missing of a tape for good, as far as feed-ingestor can tell.
enum M0010_TradeHoles: Migration {
    static let version = 10
    static let name = "holes of tapes"
    static let sql = """
        CREATE TABLE market.trade_hole (
            instrument_id integer NOT NULL REFERENCES market.instrument (instrument_id),
            after_unix_nanos bigint NOT NULL,
            until_unix_nanos bigint CHECK (until_unix_nanos >= after_unix_nanos),
            recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (instrument_id, after_unix_nanos)
        );
        COMMENT ON TABLE market.trade_hole IS
            'Spans of venue time whose trades were missed and that no route of the venue gives.';
        COMMENT ON COLUMN market.trade_hole.after_unix_nanos IS 'The last trade before the hole.';
        COMMENT ON COLUMN market.trade_hole.until_unix_nanos IS
            'The first trade after it; NULL where none had come: then it is the next one stored.';
        """
}
