import MarketStore
package import Store

/// What one sweep removed of a kind.
package struct HistorySweep: Hashable, Sendable {
    package var kind: HistoryKind
    /// Rows.
    package var removed = 0
    /// Whether more is over than one sweep removes.
    package var isUnfinished = false
}

extension Database {
    /// Removes what is kept no more, in batches that hold nobody up.
    ///
    /// Not by dropping partitions of time. A unique key of a partitioned table contains what it is
    /// partitioned by, and two keys here hold over all time: a notice's `delivery_id` is derived from what
    /// it tells and is all that keeps it from being told twice, and `(rule_id, epoch)` of a firing is the
    /// second guard behind the rule's row, to which deliveries refer. Rows outlive their time: deliveries
    /// that wait for a channel or an account that is off, digests with their parts, firings of deliveries
    /// that are kept, the last event of each rule; a partition with one of them could not be dropped, so rows
    /// would have to be removed singly all the same. And there is nothing to gain: who claims and who lists
    /// asks by key, so each partition would be looked into, and bounds per rule, channel and user keep the
    /// tables small.
    ///
    /// Safe with any number of programs: one removes a batch, the others leave it to that one.
    ///
    /// - Parameters:
    ///   - retention: How long each kind is kept.
    ///   - limit: Rows of a batch.
    ///   - batches: Batches of each kind at most; the next sweep does the rest.
    /// - Returns: One entry per kind.
    /// - Throws: ``StoreError``; what was removed before it stays removed.
    package func sweepHistory(
        _ retention: HistoryRetention, limit: Int = 1_000, batches: Int = 100
    ) async throws(StoreError) -> [HistorySweep] {
        var sweeps: [HistorySweep] = []
        for kind in HistoryKind.allCases {
            var sweep = HistorySweep(kind: kind, isUnfinished: true)
            var count = 0
            while sweep.isUnfinished, count < batches {
                let removed = try await transaction { session in
                    try session.remove(kind, olderThan: retention.seconds(kind), limit)
                }
                sweep.removed += removed
                sweep.isUnfinished = removed == limit
                count += 1
            }
            sweeps.append(sweep)
        }
        return sweeps
    }
}

extension Session {
    /// Removes at most so many rows that are over; 0 when there are none or somebody else is at it.
    fileprivate func remove(
        _ kind: HistoryKind, olderThan seconds: Int64, _ limit: Int
    ) throws(StoreError) -> Int {
        // The first number keeps our locks apart from those of other programs, as in the migrator.
        let isOurs = try first("SELECT pg_try_advisory_xact_lock(1651532140, -2)") { try $0.bool() }
        guard isOurs == true else { return 0 }
        let removed =
            switch kind {
            case .delivery: try removeDeliveries(seconds, limit)
            case .firing: try removeFirings(seconds, limit)
            case .ruleEvent: try removeRuleEvents(seconds, limit)
            case .rule: try removeRules(seconds, limit)
            }
        try execute(
            """
            INSERT INTO alerts.retention AS old (kind, keep_seconds, removed, swept_at)
            VALUES (\(kind.rawValue), \(seconds), \(Int64(removed)), clock_timestamp())
            ON CONFLICT (kind) DO UPDATE SET
                keep_seconds = excluded.keep_seconds, removed = old.removed + excluded.removed,
                swept_at = excluded.swept_at
            """)
        return removed
    }

    /// A digest stays until what it tells is gone, and that until the digest has ended as long ago.
    private func removeDeliveries(_ seconds: Int64, _ limit: Int) throws(StoreError) -> Int {
        try execute(
            """
            WITH due AS (
                SELECT clock_timestamp() - \(seconds)::bigint * interval '1 second' AS time
            ), old AS (
                SELECT outbox.delivery_id
                FROM alerts.outbox AS outbox
                LEFT JOIN alerts.outbox AS digest ON digest.delivery_id = outbox.digest_id
                WHERE outbox.state <> 'waiting' AND outbox.created_at < (SELECT time FROM due)
                    AND outbox.ended_at < (SELECT time FROM due)
                    AND (digest.delivery_id IS NULL OR digest.ended_at < (SELECT time FROM due))
                    AND NOT EXISTS (
                        SELECT FROM alerts.outbox AS part WHERE part.digest_id = outbox.delivery_id)
                ORDER BY outbox.created_at
                LIMIT \(Int32(clamping: limit))
                FOR UPDATE OF outbox SKIP LOCKED
            )
            DELETE FROM alerts.outbox AS outbox USING old WHERE outbox.delivery_id = old.delivery_id
            """)
    }

    /// Their numbers are not given again: the rule has its own, and how many of them were firings.
    private func removeFirings(_ seconds: Int64, _ limit: Int) throws(StoreError) -> Int {
        let old = try rows(
            """
            SELECT firing.rule_id, firing.epoch FROM alerts.firing AS firing
            WHERE firing.fired_at < (SELECT clock_timestamp() - \(seconds)::bigint * interval '1 second')
                AND NOT EXISTS (
                    SELECT FROM alerts.outbox AS told
                    WHERE told.rule_id = firing.rule_id AND told.epoch = firing.epoch)
            ORDER BY firing.fired_at
            LIMIT \(Int32(clamping: limit))
            """
        ) { row in (rule: try row.uniqueID(), epoch: try row.int64()) }
        guard !old.isEmpty else { return 0 }
        let rules = old.map(\.rule)
        // In the order of who evaluates.
        try execute(
            """
            SELECT rule_id FROM alerts.rule WHERE rule_id = ANY (\(rules))
            ORDER BY rule_id FOR NO KEY UPDATE
            """)
        let removed = try first(
            """
            WITH gone AS (
                DELETE FROM alerts.firing AS firing
                USING unnest(\(rules)::uuid[], \(old.map(\.epoch))::bigint[]) AS old (rule_id, epoch)
                WHERE firing.rule_id = old.rule_id AND firing.epoch = old.epoch
                RETURNING firing.rule_id, firing.kind
            ), counted AS (
                UPDATE alerts.rule AS rule SET firings_removed = rule.firings_removed + told.firings
                FROM (
                    SELECT rule_id, count(*) AS firings FROM gone WHERE kind = 'fired' GROUP BY rule_id
                ) AS told
                WHERE rule.rule_id = told.rule_id
            )
            SELECT count(*) FROM gone
            """
        ) { try $0.int64() }
        return Int(removed ?? 0)
    }

    /// The last one of a rule says what it is: it stays.
    private func removeRuleEvents(_ seconds: Int64, _ limit: Int) throws(StoreError) -> Int {
        try execute(
            """
            WITH old AS (
                SELECT event.event_id FROM alerts.rule_event AS event
                WHERE event.at < (SELECT clock_timestamp() - \(seconds)::bigint * interval '1 second')
                    AND EXISTS (
                        SELECT FROM alerts.rule_event AS later
                        WHERE later.rule_id = event.rule_id AND later.version > event.version)
                ORDER BY event.at
                LIMIT \(Int32(clamping: limit))
                FOR UPDATE OF event SKIP LOCKED
            )
            DELETE FROM alerts.rule_event AS event USING old WHERE event.event_id = old.event_id
            """)
    }

    /// Whoever evaluates has learned long ago that they are no more.
    private func removeRules(_ seconds: Int64, _ limit: Int) throws(StoreError) -> Int {
        let removed = try first(
            """
            WITH old AS (
                SELECT rule.rule_id FROM alerts.rule AS rule
                WHERE rule.deleted_at < (SELECT clock_timestamp() - \(seconds)::bigint * interval '1 second')
                    AND NOT EXISTS (
                        SELECT FROM alerts.firing AS firing WHERE firing.rule_id = rule.rule_id)
                ORDER BY rule.deleted_at
                LIMIT \(Int32(clamping: limit))
                FOR UPDATE OF rule SKIP LOCKED
            ), events AS (
                DELETE FROM alerts.rule_event AS event USING old WHERE event.rule_id = old.rule_id
            ), gone AS (
                DELETE FROM alerts.rule AS rule USING old WHERE rule.rule_id = old.rule_id
                RETURNING 1
            )
            SELECT count(*) FROM gone
            """
        ) { try $0.int64() }
        return Int(removed ?? 0)
    }
}
