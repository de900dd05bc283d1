import Store

/// What is traded where, as the venues say it.
enum M0001_Instruments: Migration {
    static let version = 1
    static let name = "instruments"
    static let sql = """
        CREATE TABLE market.instrument (
            venue text NOT NULL CHECK (venue <> ''),
            symbol text NOT NULL CHECK (symbol <> ''),
            -- Short key for the tables with many rows. Instruments are never deleted.
            instrument_id integer NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
            base text NOT NULL,
            quote text NOT NULL,
            kind text NOT NULL CHECK (kind IN ('spot', 'perpetual', 'future', 'option')),
            price_scale smallint NOT NULL CHECK (price_scale BETWEEN 0 AND 18),
            size_scale smallint NOT NULL CHECK (size_scale BETWEEN 0 AND 18),
            tick_size numeric CHECK (tick_size > 0),
            lot_size numeric CHECK (lot_size > 0),
            contract_multiplier numeric,
            is_inverse boolean NOT NULL,
            updated_at timestamptz NOT NULL,
            PRIMARY KEY (venue, symbol)
        );
        COMMENT ON TABLE market.instrument IS
            'What is traded where. Written by feed-ingestor from the venues'' own metadata.';
        """
}
