import Store

/// Who may write which part of the instruments.
enum M0007_Leases: Migration {
    static let version = 7
    static let name = "leases"
    static let sql = """
        CREATE TABLE market.member (
            service text NOT NULL CHECK (service <> ''),
            instance text NOT NULL CHECK (instance <> ''),
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (service, instance)
        );
        COMMENT ON TABLE market.member IS 'Instances that are alive until expires_at, by this clock.';

        CREATE TABLE market.lease (
            service text NOT NULL CHECK (service <> ''),
            shard smallint NOT NULL CHECK (shard BETWEEN 0 AND 255),
            owner text CHECK (owner <> ''),
            -- Rises with every change of owner and never falls. A writer names it, and an old one is refused.
            epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
            expires_at timestamptz NOT NULL DEFAULT '-infinity',
            refused bigint NOT NULL DEFAULT 0 CHECK (refused >= 0),
            PRIMARY KEY (service, shard)
            -- Renewed every few seconds: room in the page lets a renewal replace its row without an index
            -- entry.
        ) WITH (fillfactor = 40);
        COMMENT ON TABLE market.lease IS 'The right to write a shard of the instruments, until expires_at.';
        COMMENT ON COLUMN market.lease.refused IS 'Writes that named an epoch or owner that is not this one.';
        """
}
