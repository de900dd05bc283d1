import Store

/// What instances share by venue, and which venues each of them can take.
enum M0013_SharedVenues: Migration {
    static let version = 13
    static let name = "shared venues"
    static let sql = """
        CREATE TABLE market.shared_venue (
            venue text PRIMARY KEY CHECK (venue <> ''),
            shard smallint NOT NULL UNIQUE CHECK (shard BETWEEN 0 AND 255)
        );
        COMMENT ON TABLE market.shared_venue IS
            'Under which number of market.lease a venue is shared; given once and for ever.';

        ALTER TABLE market.member ADD COLUMN venues text[];
        COMMENT ON COLUMN market.member.venues IS
            'What the instance can take where venues are shared; NULL where instruments are.';
        """
}
