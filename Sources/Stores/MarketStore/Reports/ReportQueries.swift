import Instruments
import Store

extension Session {
    /// Name, size and clock of the database.
    func describeDatabase() throws(StoreError) -> (name: String, bytes: Int64, now: Timestamp) {
        let found = try first(
            "SELECT current_database(), pg_database_size(current_database()), clock_timestamp()"
        ) { row in (name: try row.text(), bytes: try row.int64(), now: try row.time()) }
        guard let found else { throw .unexpectedAnswer(statement: #function, status: "no row") }
        return found
    }

    /// Each kind of partitioned rows.
    func partitionedTables() throws(StoreError) -> [(kind: PartitionKind, table: DatabaseReport.Table)] {
        try rows(
            """
            SELECT
                part.parent, part.interval_seconds, count(*),
                sum(pg_total_relation_size(part.part_oid))::bigint,
                -- -1 says that nobody has looked yet.
                sum(nullif(c.reltuples, -1))::bigint, min(part.from_unix_nanos), max(part.to_unix_nanos),
                max(kept.keep_nanos), max(kept.swept_at)
            FROM market.partition AS part
            JOIN pg_catalog.pg_class AS c ON c.oid = part.part_oid
            LEFT JOIN market.retention AS kept
                ON kept.parent = part.parent AND kept.interval_seconds = part.interval_seconds
            GROUP BY part.parent, part.interval_seconds
            ORDER BY part.parent DESC, part.interval_seconds
            """
        ) { row in
            let parent = try row.text()
            guard let kind = PartitionKind(parent: parent, seconds: try row.int32()) else {
                throw row.refusal()
            }
            let table = DatabaseReport.Table(
                name: kind.description, partitions: Int(try row.int64()), bytes: try row.int64(),
                rows: try row.int64OrNil(), from: try row.nanoseconds(), to: try row.nanoseconds(),
                keep: try row.int64OrNil(), swept: try row.timeOrNil())
            return (kind: kind, table: table)
        }
    }

    /// The tables without partitions.
    func wholeTables() throws(StoreError) -> [DatabaseReport.Table] {
        try rows(
            """
            SELECT c.relname::text, pg_total_relation_size(c.oid), nullif(c.reltuples, -1)::bigint
            FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS space ON space.oid = c.relnamespace
            WHERE space.nspname = 'market' AND c.relkind = 'r' AND NOT c.relispartition
            ORDER BY c.relname
            """
        ) { row in
            DatabaseReport.Table(
                name: try row.text(), partitions: nil, bytes: try row.int64(), rows: try row.int64OrNil(),
                from: nil, to: nil, keep: nil, swept: nil)
        }
    }

    /// The newest trade and candle of one minute of each venue.
    func feeds() throws(StoreError) -> [DatabaseReport.Feed] {
        try rows(
            """
            SELECT
                i.venue, max(trade.time), (array_agg(trade.received ORDER BY trade.time DESC NULLS LAST))[1],
                max(candle.time), (array_agg(candle.written ORDER BY candle.time DESC NULLS LAST))[1]
            FROM market.instrument AS i
            LEFT JOIN LATERAL (
                SELECT t.venue_time_unix_nanos AS time, t.received_time_unix_nanos AS received
                FROM market.trade AS t WHERE t.instrument_id = i.instrument_id
                ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS trade ON true
            LEFT JOIN LATERAL (
                SELECT c.close_time_unix_nanos AS time, c.written_at AS written
                FROM market.candle AS c WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
                ORDER BY c.start_unix_nanos DESC LIMIT 1) AS candle ON true
            WHERE trade.time IS NOT NULL OR candle.time IS NOT NULL
            GROUP BY i.venue
            ORDER BY i.venue
            """
        ) { row in
            DatabaseReport.Feed(
                venue: Venue(rawValue: try row.text()), trade: try row.nanosecondsOrNil(),
                received: try row.nanosecondsOrNil(), candle: try row.nanosecondsOrNil(),
                written: try row.timeOrNil())
        }
    }

    /// Who shares the instruments.
    func sharing() throws(StoreError) -> [DatabaseReport.Sharing] {
        try rows(
            """
            SELECT
                l.service,
                (SELECT count(*) FROM market.member AS m
                    WHERE m.service = l.service AND m.expires_at > clock_timestamp()),
                count(*) FILTER (WHERE l.owner IS NOT NULL AND l.expires_at > clock_timestamp()),
                sum(l.refused)::bigint
            FROM market.lease AS l GROUP BY l.service ORDER BY l.service
            """
        ) { row in
            DatabaseReport.Sharing(
                service: try row.text(), members: Int(try row.int64()), held: Int(try row.int64()),
                refused: try row.int64())
        }
    }
}
