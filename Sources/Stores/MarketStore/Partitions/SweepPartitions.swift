import Instruments
import MarketState
package import Store

/// What one sweep did to the partitions of one kind.
package struct PartitionSweep: Hashable, Sendable {
    package let kind: PartitionKind
    /// How many partitions were made.
    package internal(set) var created = 0
    /// The tables that were dropped, oldest first.
    package internal(set) var dropped: [String] = []
    /// The tables that could not be dropped now, because somebody reads or writes; the next sweep tries
    /// again.
    package internal(set) var busy: [String] = []
}

extension Database {
    /// Makes the partitions that will be needed and drops those that are over, and with them the rows of
    /// tables without partitions.
    ///
    /// Idempotent, and safe with any number of programs: one sweeps, the others find out and leave it to that
    /// one. No reader or writer waits for it longer than 300 ms. A sweep that fails half-way has done whole
    /// kinds or nothing of them; the next one does the rest.
    ///
    /// - Parameter policy: How long each kind is kept.
    /// - Returns: One entry per kind; empty when another program is sweeping.
    /// - Throws: ``StoreError``.
    package func sweepPartitions(_ policy: RetentionPolicy) async throws(StoreError) -> [PartitionSweep] {
        var sweeps: [PartitionSweep] = []
        for kind in PartitionKind.all {
            let prepared = try await transaction { session in try session.prepare(kind, policy) }
            guard var sweep = prepared?.sweep, let over = prepared?.over else { return sweeps }
            if !over.isEmpty {
                let dropped = try await drop(over, kind, policy)
                sweep.dropped = dropped
                sweep.busy = over.map(\.name).filter { !dropped.contains($0) }
            }
            sweeps.append(sweep)
        }
        // Books are kept as long as the trades beside them.
        if let keep = policy.nanoseconds(.trades) { try await forgetBookSnapshots(keep) }
        try await forgetTrending()
        return sweeps
    }

    /// Deletes the book snapshots that are over, of each instrument counted back from its newest.
    ///
    /// Their table has no partitions: a row a minute and instrument is little, and an hourly sweep finds an
    /// hour of them.
    private func forgetBookSnapshots(_ keep: Int64) async throws(StoreError) {
        try await execute(
            """
            WITH newest AS (
                SELECT i.instrument_id, latest.minute
                FROM market.instrument AS i
                CROSS JOIN LATERAL (
                    SELECT b.minute_unix_nanos AS minute FROM market.book_snapshot AS b
                    WHERE b.instrument_id = i.instrument_id
                    ORDER BY b.minute_unix_nanos DESC LIMIT 1) AS latest)
            DELETE FROM market.book_snapshot AS old USING newest
            WHERE old.instrument_id = newest.instrument_id
                AND old.minute_unix_nanos < newest.minute - \(keep)
            """)
    }

    /// Deletes the hourly scores of trending that are over, counted back from the newest hour.
    private func forgetTrending() async throws(StoreError) {
        // Ninety days: what was hot longer ago than a quarter is no trend.
        let keep: Int64 = 90 * 86_400_000_000_000
        try await execute(
            """
            DELETE FROM market.trending
            WHERE hour_unix_nanos < (SELECT max(hour_unix_nanos) FROM market.trending) - \(keep)
            """)
    }

    private func drop(
        _ partitions: [Partition], _ kind: PartitionKind, _ policy: RetentionPolicy
    ) async throws(StoreError) -> [String] {
        var options = TransactionOptions.standard
        options.maximumAttempts = 1
        do throws(StoreError) {
            return try await transaction(options) { session in
                try session.drop(partitions, kind, policy)
            }
        } catch {
            // Somebody holds them: a lock that was not to be had in time, or a deadlock that ended us.
            if ["55P03", "40P01"].contains(error.sqlState) { return [] }
            throw error
        }
    }
}

extension Session {
    /// Makes what is missing and says what is over; `nil` when another program is at it.
    fileprivate func prepare(
        _ kind: PartitionKind, _ policy: RetentionPolicy
    ) throws(StoreError) -> (sweep: PartitionSweep, over: [Partition])? {
        guard try lockPartitions() else { return nil }
        let plan = try plan(kind, policy)
        var sweep = PartitionSweep(kind: kind)
        if !plan.create.isEmpty {
            switch kind {
            case .trades:
                // A trade partition's number is its day.
                let days = plan.create.map { Int32(clamping: $0.number) }
                sweep.created = try ensureTradePartitions(days: days)
            case .candles: sweep.created = try ensureCandlePartitions(plan.create)
            }
        }
        // Noted for people.
        try execute(
            """
            INSERT INTO market.retention (parent, interval_seconds, keep_nanos, swept_at)
            VALUES (\(kind.parent), \(kind.seconds), \(policy.nanoseconds(kind)), clock_timestamp())
            ON CONFLICT (parent, interval_seconds) DO UPDATE SET
                keep_nanos = excluded.keep_nanos, swept_at = excluded.swept_at
            """)
        return (sweep, plan.drop)
    }

    private func plan(_ kind: PartitionKind, _ policy: RetentionPolicy) throws(StoreError) -> RetentionPlan {
        let partitions = try partitions().filter { $0.kind == kind }
        return RetentionPlan(
            kind, partitions: partitions, newest: try newest(kind), keep: policy.nanoseconds(kind))
    }

    /// The time of each venue's newest trade, or the start of its newest candle of a length.
    ///
    /// What is later than an hour from now is a mistake of the venue's and not its newest data: else one such
    /// row would end all others.
    private func newest(_ kind: PartitionKind) throws(StoreError) -> [Timestamp] {
        switch kind {
        case .trades:
            try rows(
                """
                SELECT max(newest.time)
                FROM market.instrument AS i
                CROSS JOIN LATERAL (
                    SELECT t.venue_time_unix_nanos AS time FROM market.trade AS t
                    WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
                        (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
                    ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS newest
                GROUP BY i.venue
                """
            ) { try $0.nanoseconds() }
        case .candles(let length):
            try rows(
                """
                SELECT max(newest.time)
                FROM market.instrument AS i
                CROSS JOIN LATERAL (
                    SELECT c.start_unix_nanos AS time FROM market.candle AS c
                    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = \(length)
                        AND c.start_unix_nanos <=
                        (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
                    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
                GROUP BY i.venue
                """
            ) { try $0.nanoseconds() }
        }
    }

    /// All partitions, by kind and time.
    func partitions() throws(StoreError) -> [Partition] {
        try rows(
            """
            SELECT name, parent, interval_seconds, from_unix_nanos, to_unix_nanos FROM market.partition
            ORDER BY parent DESC, interval_seconds, from_unix_nanos
            """
        ) { row in
            let name = try row.text()
            let parent = try row.text()
            guard let kind = PartitionKind(parent: parent, seconds: try row.int32()) else {
                throw row.refusal()
            }
            return Partition(name: name, kind: kind, from: try row.nanoseconds(), to: try row.nanoseconds())
        }
    }

    /// Lets one program at a time look after the partitions; ends with the transaction.
    private func lockPartitions() throws(StoreError) -> Bool {
        // The first number keeps our locks apart from those of other programs, as in the migrator.
        try first("SELECT pg_try_advisory_xact_lock(1651532140, -1)") { try $0.bool() } ?? false
    }

    /// Stops writes into the partitions, looks again whether they are over, and drops those that are.
    ///
    /// Without the second look a replay that began meanwhile could lose what it had just written. A writer
    /// that has the table and waits for the partition is waited for in turn: then our wait ends first.
    func drop(
        _ partitions: [Partition], _ kind: PartitionKind, _ policy: RetentionPolicy
    ) throws(StoreError) -> [String] {
        guard try lockPartitions() else { return [] }
        try script("SET LOCAL lock_timeout = 300")
        let existing = Set(try self.partitions().map(\.name))
        let wanted = partitions.map(\.name).filter(existing.contains)
        guard !wanted.isEmpty else { return [] }
        try script(Self.owning("lock_partitions", wanted, "LOCK TABLE \(Self.list(wanted)) IN SHARE MODE"))
        let over = Set(try plan(kind, policy).drop.map(\.name))
        let dropped = wanted.filter(over.contains)
        if !dropped.isEmpty {
            try script(Self.owning("drop_partitions", dropped, "DROP TABLE \(Self.list(dropped))"))
        }
        return dropped
    }

    /// A statement for owners of partitions, and their function instead where services have roles.
    private static func owning(_ function: String, _ names: [String], _ statement: String) -> String {
        let array = names.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        return """
            DO $owning$
            BEGIN
                IF to_regprocedure('market.\(function)(text[])') IS NULL THEN
                    \(statement);
                ELSE
                    PERFORM market.\(function)(ARRAY[\(array)]::text[]);
                END IF;
            END
            $owning$
            """
    }

    /// Names from the catalogue, as SQL wants them.
    private static func list(_ names: [String]) -> String {
        names.map { "market.\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
    }
}
