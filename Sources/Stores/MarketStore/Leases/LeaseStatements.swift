import Instruments
public import Store

/// Says that an instance lives, or no longer does.
struct Heartbeat: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO market.member (service, instance, expires_at)
        VALUES ($1, $2, clock_timestamp() + $3 * interval '1 microsecond')
        ON CONFLICT (service, instance) DO UPDATE SET expires_at = excluded.expires_at
        """

    let term: LeaseTerm

    func bind(_ parameters: inout Parameters) {
        parameters.append(term.service)
        parameters.append(term.instance)
        parameters.append(term.isLeaving ? 0 : term.microseconds)
    }
}

/// Forgets instances that were last alive a day ago, so that the table stays as small as the service.
struct ForgetMembers: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM market.member
        WHERE service = $1 AND expires_at < clock_timestamp() - interval '1 day'
        """

    let service: String

    func bind(_ parameters: inout Parameters) { parameters.append(service) }
}

/// Forgets an instance that ended as it should.
struct ForgetMember: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM market.member WHERE service = $1 AND instance = $2"

    let term: LeaseTerm

    func bind(_ parameters: inout Parameters) {
        parameters.append(term.service)
        parameters.append(term.instance)
    }
}

/// Makes the rows of a service that has none.
struct SeedLeases: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO market.lease (service, shard) SELECT $1, generate_series(0, 255)
        ON CONFLICT DO NOTHING
        """

    let service: String

    func bind(_ parameters: inout Parameters) { parameters.append(service) }
}

/// The clock that judges leases.
struct LeaseClock: Statement {
    static let sql = "SELECT clock_timestamp()"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Timestamp {
        Timestamp(nanoseconds: try row.timestamp())
    }
}

/// The instances of a service, sorted by name.
public struct ListMembers: Statement {
    /// The statement's text.
    public static let sql =
        "SELECT instance, expires_at FROM market.member WHERE service = $1 ORDER BY instance"

    private let service: String

    /// Names the service.
    public init(service: String) { self.service = service }

    /// Appends the service.
    public func bind(_ parameters: inout Parameters) { parameters.append(service) }

    /// Reads an instance.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Member {
        Member(instance: try row.text(), expires: Timestamp(nanoseconds: try row.timestamp()))
    }
}

/// The instances of a service that live by the database's clock, sorted by name.
public struct LivingMembers: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT instance, expires_at FROM market.member
        WHERE service = $1 AND expires_at > clock_timestamp() ORDER BY instance
        """

    private let service: String

    /// Names the service.
    public init(service: String) { self.service = service }

    /// Appends the service.
    public func bind(_ parameters: inout Parameters) { parameters.append(service) }

    /// Reads an instance.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Member {
        try ListMembers.decode(&row)
    }
}

/// The leases of a service, sorted by shard; none before an instance ran.
public struct ListLeases: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT shard, owner, epoch, greatest(expires_at, timestamptz 'epoch')
        FROM market.lease WHERE service = $1 ORDER BY shard
        """

    private let service: String

    /// Names the service.
    public init(service: String) { self.service = service }

    /// Appends the service.
    public func bind(_ parameters: inout Parameters) { parameters.append(service) }

    /// Reads a lease.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Lease {
        Lease(
            shard: try row.shard(), owner: try row.textOrNil(), epoch: try row.int64(),
            expires: Timestamp(nanoseconds: try row.timestamp()))
    }
}

/// Takes free leases; those that another one took meanwhile, or under which a write is going on, are left.
struct AcquireLeases: Statement {
    static let sql = """
        WITH free AS (
            SELECT shard FROM market.lease
            WHERE service = $1 AND shard = ANY ($4) AND (owner IS NULL OR expires_at <= clock_timestamp())
            ORDER BY shard
            -- Stronger than what a write holds on its lease, so a lease never changes hands under a write.
            FOR UPDATE SKIP LOCKED
        )
        UPDATE market.lease AS lease SET
            owner = $2, epoch = lease.epoch + 1,
            expires_at = clock_timestamp() + $3 * interval '1 microsecond'
        FROM free WHERE lease.service = $1 AND lease.shard = free.shard
        RETURNING lease.shard, lease.epoch
        """

    let term: LeaseTerm
    let shards: [Shard]

    func bind(_ parameters: inout Parameters) {
        parameters.append(term.service)
        parameters.append(term.instance)
        parameters.append(term.microseconds)
        parameters.append(shards.map { Int16($0.rawValue) })
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> (shard: Shard, epoch: Int64) {
        (try row.shard(), try row.int64())
    }
}

/// Prolongs leases that are held and not over, or ends them now.
struct ProlongLeases: Statement {
    static let sql = """
        WITH held AS (
            SELECT lease.shard
            FROM market.lease AS lease
            JOIN unnest($4::smallint[], $5::bigint[]) AS held (shard, epoch) USING (shard)
            WHERE lease.service = $1 AND lease.owner = $2 AND lease.epoch = held.epoch
                AND lease.expires_at > clock_timestamp()
            -- In the order in which everybody locks them.
            ORDER BY lease.shard FOR NO KEY UPDATE OF lease
        )
        UPDATE market.lease AS lease SET
            owner = CASE WHEN $3 > 0 THEN lease.owner END,
            expires_at = clock_timestamp() + $3 * interval '1 microsecond'
        FROM held WHERE lease.service = $1 AND lease.shard = held.shard
        RETURNING lease.shard, lease.epoch
        """

    let term: LeaseTerm
    let isRelease: Bool
    let epochs: [Shard: Int64]

    func bind(_ parameters: inout Parameters) {
        let shards = epochs.keys.sorted()
        parameters.append(term.service)
        parameters.append(term.instance)
        parameters.append(isRelease ? 0 : term.microseconds)
        parameters.append(shards.map { Int16($0.rawValue) })
        parameters.append(shards.map { epochs[$0] ?? 0 })
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> (shard: Shard, epoch: Int64) {
        (try row.shard(), try row.int64())
    }
}

/// Locks the leases of a write until its transaction ends, and says which of them hold.
///
/// `FOR KEY SHARE` stops a taking, which locks the row `FOR UPDATE`, and lets a renewal through.
struct HoldLeases: Statement {
    static let sql = """
        SELECT lease.shard
        FROM market.lease AS lease
        JOIN unnest($3::smallint[], $4::bigint[]) AS held (shard, epoch) USING (shard)
        WHERE lease.service = $1 AND lease.owner = $2 AND lease.epoch = held.epoch
            AND lease.expires_at > clock_timestamp()
        ORDER BY lease.shard
        FOR KEY SHARE OF lease
        """

    let claims: LeaseClaims
    let shards: [Shard]

    func bind(_ parameters: inout Parameters) {
        parameters.append(claims.service)
        parameters.append(claims.instance)
        parameters.append(shards.map { Int16($0.rawValue) })
        parameters.append(shards.map { claims.epochs[$0] ?? 0 })
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Shard { try row.shard() }
}

/// Counts writes that were refused.
struct CountRefusals: Statement {
    typealias Row = Void
    static let sql = """
        WITH counted AS (
            SELECT shard FROM market.lease WHERE service = $1 AND shard = ANY ($2)
            ORDER BY shard FOR NO KEY UPDATE
        )
        UPDATE market.lease AS lease SET refused = refused + 1
        FROM counted WHERE lease.service = $1 AND lease.shard = counted.shard
        """

    let service: String
    let shards: [Shard]

    func bind(_ parameters: inout Parameters) {
        parameters.append(service)
        parameters.append(shards.map { Int16($0.rawValue) })
    }
}

extension RowReader {
    /// A `smallint` that is a shard.
    fileprivate mutating func shard() throws(StoreError) -> Shard {
        guard let number = UInt8(exactly: try int16()) else { throw refusal() }
        return Shard(rawValue: number)
    }
}
