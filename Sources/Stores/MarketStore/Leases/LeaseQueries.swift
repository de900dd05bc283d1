import Instruments
package import Store

extension Session {
    /// The instances of a service, sorted by name.
    package func members(of service: String) throws(StoreError) -> [Member] {
        try rows(
            """
            SELECT instance, expires_at, coalesce(venues, '{}') FROM market.member
            WHERE service = \(service) ORDER BY instance
            """, Member.init)
    }

    /// The instances of a service that live by the database's clock, sorted by name.
    package func livingMembers(of service: String) throws(StoreError) -> [Member] {
        try rows(
            """
            SELECT instance, expires_at, coalesce(venues, '{}') FROM market.member
            WHERE service = \(service) AND expires_at > clock_timestamp() ORDER BY instance
            """, Member.init)
    }

    /// The leases of a service, sorted by shard; none before an instance ran.
    package func leases(of service: String) throws(StoreError) -> [Lease] {
        try rows(
            """
            SELECT shard, owner, epoch, greatest(expires_at, timestamptz 'epoch')
            FROM market.lease WHERE service = \(service) ORDER BY shard
            """
        ) { row in
            Lease(
                shard: try row.shard(), owner: try row.textOrNil(), epoch: try row.int64(),
                expires: try row.time())
        }
    }

    /// The clock that judges leases.
    func clock() throws(StoreError) -> Timestamp {
        guard let now = try first("SELECT clock_timestamp()", { try $0.time() }) else {
            throw .unexpectedAnswer(statement: #function, status: "no row")
        }
        return now
    }

    /// Says that an instance lives, or no longer does, and forgets those that were last alive a day ago, so
    /// that the table stays as small as the service.
    func beat(_ term: LeaseTerm) throws(StoreError) {
        let microseconds = term.isLeaving ? 0 : term.microseconds
        try execute(
            """
            INSERT INTO market.member (service, instance, expires_at, venues)
            VALUES (\(term.service), \(term.instance),
                clock_timestamp() + \(microseconds) * interval '1 microsecond',
                nullif(\(term.venues.map(\.rawValue))::text[], '{}'))
            ON CONFLICT (service, instance) DO UPDATE
                SET expires_at = excluded.expires_at, venues = excluded.venues
            """)
        try execute(
            """
            DELETE FROM market.member
            WHERE service = \(term.service) AND expires_at < clock_timestamp() - interval '1 day'
            """)
    }

    /// Takes free leases; those that another one took meanwhile, or under which a write is going on, are
    /// left.
    func acquire(_ shards: [Shard], _ term: LeaseTerm) throws(StoreError) -> [(shard: Shard, epoch: Int64)] {
        try rows(
            """
            WITH free AS (
                SELECT shard FROM market.lease
                WHERE service = \(term.service) AND shard = ANY (\(shards.map { Int16($0.rawValue) }))
                    AND (owner IS NULL OR expires_at <= clock_timestamp())
                ORDER BY shard
                -- Stronger than what a write holds on its lease, so a lease never changes hands under a
                -- write.
                FOR UPDATE SKIP LOCKED
            )
            UPDATE market.lease AS lease SET
                owner = \(term.instance), epoch = lease.epoch + 1,
                expires_at = clock_timestamp() + \(term.microseconds) * interval '1 microsecond'
            FROM free WHERE lease.service = \(term.service) AND lease.shard = free.shard
            RETURNING lease.shard, lease.epoch
            """
        ) { row in (shard: try row.shard(), epoch: try row.int64()) }
    }

    /// Prolongs leases that are held and not over, or ends them now.
    ///
    /// Of venues also those that are over and that nobody has taken: who takes one changes its owner and its
    /// epoch.
    func prolong(
        _ epochs: [Shard: Int64], _ term: LeaseTerm, isRelease: Bool
    ) throws(StoreError) -> [(shard: Shard, epoch: Int64)] {
        let shards = epochs.keys.sorted()
        let numbers = shards.map { Int16($0.rawValue) }
        let claimed = shards.map { epochs[$0] ?? 0 }
        let microseconds = isRelease ? 0 : term.microseconds
        let revives: Int64 = isRelease || term.venues.isEmpty ? 0 : 1
        return try rows(
            """
            WITH held AS (
                SELECT lease.shard
                FROM market.lease AS lease
                JOIN unnest(\(numbers)::smallint[], \(claimed)::bigint[]) AS held (shard, epoch) USING (shard)
                WHERE lease.service = \(term.service) AND lease.owner = \(term.instance)
                    AND lease.epoch = held.epoch
                    AND (\(revives) > 0 OR lease.expires_at > clock_timestamp())
                -- In the order in which everybody locks them.
                ORDER BY lease.shard FOR NO KEY UPDATE OF lease
            )
            UPDATE market.lease AS lease SET
                owner = CASE WHEN \(microseconds) > 0 THEN lease.owner END,
                expires_at = clock_timestamp() + \(microseconds) * interval '1 microsecond'
            FROM held WHERE lease.service = \(term.service) AND lease.shard = held.shard
            RETURNING lease.shard, lease.epoch
            """
        ) { row in (shard: try row.shard(), epoch: try row.int64()) }
    }

    /// Locks the leases of a write until its transaction ends, and says which of them hold.
    ///
    /// `FOR KEY SHARE` stops a taking, which locks the row `FOR UPDATE`, and lets a renewal through.
    func hold(_ shards: [Shard], of claims: LeaseClaims) throws(StoreError) -> [Shard] {
        let numbers = shards.map { Int16($0.rawValue) }
        let epochs = shards.map { claims.epochs[$0] ?? 0 }
        return try rows(
            """
            SELECT lease.shard
            FROM market.lease AS lease
            JOIN unnest(\(numbers)::smallint[], \(epochs)::bigint[]) AS held (shard, epoch) USING (shard)
            WHERE lease.service = \(claims.service) AND lease.owner = \(claims.instance)
                AND lease.epoch = held.epoch AND lease.expires_at > clock_timestamp()
            ORDER BY lease.shard
            FOR KEY SHARE OF lease
            """
        ) { try $0.shard() }
    }

    /// Counts a write that was refused.
    func countRefusal(of shards: [Shard], service: String) throws(StoreError) {
        try execute(
            """
            WITH counted AS (
                SELECT shard FROM market.lease
                WHERE service = \(service) AND shard = ANY (\(shards.map { Int16($0.rawValue) }))
                ORDER BY shard FOR NO KEY UPDATE
            )
            UPDATE market.lease AS lease SET refused = refused + 1
            FROM counted WHERE lease.service = \(service) AND lease.shard = counted.shard
            """)
    }
}

extension Member {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        self.init(instance: try row.text(), expires: try row.time(), venues: try row.textArray())
    }
}
