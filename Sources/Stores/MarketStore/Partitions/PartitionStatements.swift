import Instruments
import Store

/// All partitions, by kind and time.
struct ListPartitions: Statement {
    static let sql = """
        SELECT name, parent, interval_seconds, from_unix_nanos, to_unix_nanos FROM market.partition
        ORDER BY parent DESC, interval_seconds, from_unix_nanos
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> Partition {
        let name = try row.text()
        let parent = try row.text()
        guard let kind = PartitionKind(parent: parent, seconds: try row.int32()) else { throw row.refusal() }
        return Partition(name: name, kind: kind, from: try row.nanoseconds(), to: try row.nanoseconds())
    }
}

/// The time of each venue's newest trade.
///
/// What is later than an hour from now is a mistake of the venue's and not its newest data: else one such row
/// would end all others.
struct NewestTrades: Statement {
    static let sql = """
        SELECT max(newest.time)
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT t.venue_time_unix_nanos AS time FROM market.trade AS t
            WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
                (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
            ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS newest
        GROUP BY i.venue
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> Timestamp { try row.nanoseconds() }
}

/// The start of each venue's newest candle of a length, as ``NewestTrades`` has it.
struct NewestCandleStarts: Statement {
    static let sql = """
        SELECT max(newest.time)
        FROM market.instrument AS i
        CROSS JOIN LATERAL (
            SELECT c.start_unix_nanos AS time FROM market.candle AS c
            WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $1 AND c.start_unix_nanos <=
                (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
            ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
        GROUP BY i.venue
        """

    let kind: CandleKind

    func bind(_ parameters: inout Parameters) { parameters.append(kind.rawValue) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Timestamp { try row.nanoseconds() }
}

/// Lets one program at a time look after the partitions; ends with the transaction.
struct LockPartitions: Statement {
    /// The first number keeps our locks apart from those of other programs, as in the migrator.
    static let sql = "SELECT pg_try_advisory_xact_lock(1651532140, -1)"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}

/// Notes what a sweep was told to keep, for people.
struct NoteRetention: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO market.retention (parent, interval_seconds, keep_nanos, swept_at)
        VALUES ($1, $2, $3, clock_timestamp())
        ON CONFLICT (parent, interval_seconds) DO UPDATE SET
            keep_nanos = excluded.keep_nanos, swept_at = excluded.swept_at
        """

    let kind: PartitionKind
    let keep: Int64?

    func bind(_ parameters: inout Parameters) {
        parameters.append(kind.parent)
        parameters.append(kind.seconds)
        parameters.append(keep)
    }
}

extension EnsureTradePartitions {
    /// A trade partition's number is its day.
    init(places: [PartitionPlace]) {
        self.init(days: places.map { Int32(clamping: $0.number) })
    }
}
