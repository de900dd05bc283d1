public import Instruments
public import Store

/// Puts what waits for a channel together, so that one notice tells all of it: those firings that the caller
/// has claimed, and those that are due or were held back and that nobody has.
///
/// A digest that nobody tried to tell yet takes them, else a new one does. One statement, so that each firing
/// is either waiting on its own or part of exactly one digest. `execute` returns how many were gathered.
public struct GatherFirings: Statement {
    /// No rows.
    public typealias Row = Void

    /// How many are taken at once.
    public static let limit = 1_000

    /// The statement's text.
    public static let sql = """
        WITH parts AS (
            SELECT delivery_id FROM alerts.outbox
            WHERE channel_id = $1 AND state = 'waiting' AND epoch IS NOT NULL
                AND (claimed_by = $2 AND delivery_id = ANY ($3)
                    OR failures = 0 AND (claimed_by IS NULL OR next_attempt <= clock_timestamp())
                        AND (held OR next_attempt <= clock_timestamp()))
            ORDER BY created_at
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
        ), open AS (
            SELECT delivery_id FROM alerts.outbox
            WHERE channel_id = $1 AND state = 'waiting' AND attempts = 0 AND notice ->> 'kind' = 'digest'
            ORDER BY created_at
            LIMIT 1
            FOR UPDATE SKIP LOCKED
        ), made AS (
            INSERT INTO alerts.outbox (delivery_id, channel_id, notice, next_attempt)
            SELECT $4, $1, '{"kind":"digest"}', $5
            WHERE EXISTS (SELECT FROM parts) AND NOT EXISTS (SELECT FROM open)
            RETURNING delivery_id
        )
        UPDATE alerts.outbox AS outbox SET
            state = 'gathered', digest_id = COALESCE((SELECT delivery_id FROM open), $4), claimed_by = NULL,
            ended_at = clock_timestamp()
        FROM parts
        WHERE outbox.delivery_id = parts.delivery_id
        """

    private let channel: UniqueID
    private let claimant: String
    private let claimed: [UniqueID]
    private let digest: UniqueID
    private let time: Timestamp

    /// Names the channel.
    ///
    /// - Parameters:
    ///   - channel: Whose firings.
    ///   - claimant: Who claimed those that are named.
    ///   - claimed: Deliveries of firings that the caller has claimed and does not tell on their own.
    ///   - digest: The key of a new digest, if one is needed.
    ///   - time: When a new digest is to be told.
    public init(
        for channel: UniqueID, claimedBy claimant: String, _ claimed: [UniqueID], into digest: UniqueID,
        at time: Timestamp
    ) {
        self.channel = channel
        self.claimant = claimant
        self.claimed = claimed
        self.digest = digest
        self.time = time
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(channel)
        parameters.append(claimant)
        parameters.append(claimed)
        parameters.append(digest)
        parameters.append(timestamp: time.nanoseconds)
    }
}

/// What a digest tells: of each rule the last firing, in the order of the firings.
public struct GatheredFirings: Statement {
    /// A firing, and how many there are.
    public struct Row: Hashable, Sendable {
        /// The last one of its rule.
        public var firing: ToldFiring
        /// How many there are of its rule.
        public var ofRule: Int64
        /// How many there are in all, also of rules beyond the limit.
        public var total: Int64
    }

    /// The statement's text.
    public static let sql = """
        SELECT \(FiringColumns.list), gathered.of_rule, gathered.total
        FROM (
            SELECT rule_id, max(epoch) AS epoch, count(*) AS of_rule, sum(count(*)) OVER () :: bigint AS total
            FROM alerts.outbox WHERE digest_id = $1 GROUP BY rule_id
        ) AS gathered
        JOIN alerts.firing AS firing USING (rule_id, epoch)
        JOIN alerts.rule AS rule ON rule.rule_id = gathered.rule_id
        ORDER BY firing.fired_at, firing.rule_id
        LIMIT $2
        """

    private let digest: UniqueID
    private let limit: Int32

    /// Names the digest and how many rules at most.
    public init(in digest: UniqueID, limit: Int = 50) {
        self.digest = digest
        self.limit = Int32(clamping: limit)
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(digest)
        parameters.append(limit)
    }

    /// Reads a firing.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Row {
        guard let firing = try FiringColumns.read(&row) else { throw row.refusal() }
        return Row(firing: firing, ofRule: try row.int64(), total: try row.int64())
    }
}
