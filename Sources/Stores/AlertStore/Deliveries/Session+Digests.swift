package import Instruments
import MarketStore
package import Store

/// A firing that a digest tells, the last one of its rule.
package struct GatheredFiring: Hashable, Sendable {
    /// The last one of its rule.
    package var firing: DeliveredFiring
    /// How many there are of its rule.
    package var ofRule: Int64
    /// How many there are in all, also of rules beyond the limit.
    package var total: Int64
}

extension Session {
    /// Puts what waits for a channel together, so that one notice tells all of it: those firings that the
    /// caller has claimed, and those that are due or were held back and that nobody has; 1,000 at once.
    ///
    /// A digest that nobody tried to tell yet takes them, else a new one does. One statement, so that each
    /// firing is either waiting on its own or part of exactly one digest.
    ///
    /// - Parameters:
    ///   - channel: Whose firings.
    ///   - claimant: Who claimed those that are named.
    ///   - claimed: Deliveries of firings that the caller has claimed and does not tell on their own.
    ///   - digest: The key of a new digest, if one is needed.
    ///   - time: When a new digest is to be told.
    /// - Returns: How many were gathered.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func gatherFirings(
        for channel: UniqueID, claimedBy claimant: String, _ claimed: [UniqueID], into digest: UniqueID,
        at time: Timestamp
    ) throws(StoreError) -> Int {
        try execute(
            """
            WITH parts AS (
                SELECT delivery_id FROM alerts.outbox
                WHERE channel_id = \(channel) AND state = 'waiting' AND epoch IS NOT NULL
                    AND (claimed_by = \(claimant) AND delivery_id = ANY (\(claimed))
                        OR failures = 0 AND (claimed_by IS NULL OR next_attempt <= clock_timestamp())
                            AND (held OR next_attempt <= clock_timestamp()))
                ORDER BY created_at
                LIMIT 1000
                FOR UPDATE SKIP LOCKED
            ), open AS (
                SELECT delivery_id FROM alerts.outbox
                WHERE channel_id = \(channel) AND state = 'waiting' AND attempts = 0
                    AND notice ->> 'kind' = 'digest'
                ORDER BY created_at
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            ), made AS (
                INSERT INTO alerts.outbox (delivery_id, channel_id, notice, next_attempt)
                SELECT \(digest), \(channel), '{"kind":"digest"}', \(time)
                WHERE EXISTS (SELECT FROM parts) AND NOT EXISTS (SELECT FROM open)
                RETURNING delivery_id
            )
            UPDATE alerts.outbox AS outbox SET
                state = 'gathered', digest_id = COALESCE((SELECT delivery_id FROM open), \(digest)),
                claimed_by = NULL, ended_at = clock_timestamp()
            FROM parts
            WHERE outbox.delivery_id = parts.delivery_id
            """)
    }

    /// What a digest tells: of each rule the last firing, in the order of the firings, of so many rules at
    /// most.
    package func gatheredFirings(
        in digest: UniqueID, limit: Int = 50
    ) throws(StoreError) -> [GatheredFiring] {
        try rows(
            """
            SELECT \(DeliveredFiring.columns), gathered.of_rule, gathered.total
            FROM (
                SELECT rule_id, max(epoch) AS epoch, count(*) AS of_rule,
                    sum(count(*)) OVER () :: bigint AS total
                FROM alerts.outbox WHERE digest_id = \(digest) GROUP BY rule_id
            ) AS gathered
            JOIN alerts.firing AS firing USING (rule_id, epoch)
            JOIN alerts.rule AS rule ON rule.rule_id = gathered.rule_id
            ORDER BY firing.fired_at, firing.rule_id
            LIMIT \(Int32(clamping: limit))
            """
        ) { row in
            guard let firing = try DeliveredFiring(&row) else { throw row.refusal() }
            return GatheredFiring(firing: firing, ofRule: try row.int64(), total: try row.int64())
        }
    }
}
