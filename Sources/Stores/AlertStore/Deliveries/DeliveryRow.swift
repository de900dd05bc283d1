public import AccountStore
public import Instruments
import MarketStore
public import Store

/// A delivery as its owner looks at it.
public struct DeliveryRow: Hashable, Sendable {
    /// The key, which receivers know it by.
    public var id: UniqueID
    /// The channel's name.
    public var channel: String
    /// The channel's kind.
    public var kind: String
    /// `waiting`, `delivered`, `gathered` or `dead`.
    public var state: String
    /// Which rule fired; `nil` for a notice.
    public var rule: UniqueID?
    /// Which firing of it.
    public var epoch: Int64?
    /// A notice's kind, or `fired`.
    public var subject: String
    /// Why it fired, or what a notice says.
    public var reason: String
    /// How often it was claimed.
    public var claims: Int32
    /// Attempts that failed.
    public var failures: Int32
    /// What came of the last one that failed, or why it is held back.
    public var error: String?
    /// When it was put into the outbox.
    public var created: Timestamp
    /// When it is due; while it is claimed, when the claim is over.
    public var next: Timestamp
    /// When it was delivered, gathered or given up.
    public var ended: Timestamp?
    /// The digest that tells it.
    public var digest: UniqueID?
    /// Whether it waits for the end of quiet hours or of a limit.
    public var isHeld: Bool
}

extension Session {
    /// The deliveries of a user, newest first.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - state: As ``DeliveryRow/stateName`` says it; `nil` for any.
    ///   - channel: The channel's name; `nil` for any.
    ///   - limit: At most so many.
    ///   - before: The time and key of the last one that is known, to go on after it.
    /// - Returns: The deliveries.
    /// - Throws: ``StoreError``.
    public func deliveries(
        of user: UserID, state: String? = nil, channel: String? = nil, limit: Int = 100,
        before: (time: Timestamp, id: UniqueID)? = nil
    ) throws(StoreError) -> [DeliveryRow] {
        try rows(
            """
            \(DeliveryRow.selection)
            WHERE \(owner: "channel.user_id", is: user)
                AND (\(state)::text IS NULL OR \(state) = CASE
                    WHEN outbox.held AND outbox.state = 'waiting' THEN 'held' ELSE outbox.state END)
                AND (\(channel)::text IS NULL OR channel.name = \(channel))
                AND (\(before?.time)::timestamptz IS NULL
                    OR (outbox.created_at, outbox.delivery_id) < (\(before?.time), \(before?.id)))
            ORDER BY outbox.created_at DESC, outbox.delivery_id DESC
            LIMIT \(Int32(clamping: limit))
            """, DeliveryRow.init)
    }

    /// One delivery of a user.
    public func delivery(_ id: UniqueID, of user: UserID) throws(StoreError) -> DeliveryRow? {
        try first(
            """
            \(DeliveryRow.selection)
            WHERE \(owner: "channel.user_id", is: user) AND outbox.delivery_id = \(id)
            """, DeliveryRow.init)
    }

    /// What became of a firing, channel by channel.
    public func deliveries(
        ofFiring epoch: Int64, of rule: UniqueID, by user: UserID
    ) throws(StoreError) -> [DeliveryRow] {
        try rows(
            """
            \(DeliveryRow.selection)
            WHERE outbox.rule_id = \(rule) AND outbox.epoch = \(epoch)
                AND \(owner: "channel.user_id", is: user)
            ORDER BY channel.name
            """, DeliveryRow.init)
    }

    /// Tries dead letters of a user again from the first attempt on: one, those of a channel, or all; returns
    /// how many.
    public func retryDeliveries(
        of user: UserID, id: UniqueID? = nil, channel: String? = nil
    ) throws(StoreError) -> Int {
        try execute(
            """
            UPDATE alerts.outbox AS outbox SET
                state = 'waiting', ended_at = NULL, failures = 0, next_attempt = clock_timestamp()
            FROM alerts.channel AS channel
            WHERE channel.channel_id = outbox.channel_id AND \(owner: "channel.user_id", is: user)
                AND outbox.state = 'dead'
                AND (\(id)::uuid IS NULL OR outbox.delivery_id = \(id))
                AND (\(channel)::text IS NULL OR channel.name = \(channel))
            """)
    }
}

extension DeliveryRow {
    fileprivate static let selection: SQL = """
        SELECT outbox.delivery_id, channel.name, channel.kind, outbox.state, outbox.rule_id, outbox.epoch,
            COALESCE(outbox.notice ->> 'kind', 'fired'),
            COALESCE(firing.reason, outbox.notice ->> 'reason', ''), outbox.attempts, outbox.failures,
            outbox.last_error, outbox.created_at, outbox.next_attempt, outbox.ended_at, outbox.digest_id,
            outbox.held
        FROM alerts.outbox AS outbox
        JOIN alerts.channel AS channel USING (channel_id)
        LEFT JOIN alerts.firing AS firing USING (rule_id, epoch)
        """

    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        self.init(
            id: try row.uniqueID(), channel: try row.text(), kind: try row.text(), state: try row.text(),
            rule: try row.uniqueIDOrNil(), epoch: try row.int64OrNil(), subject: try row.text(),
            reason: try row.text(), claims: try row.int32(), failures: try row.int32(),
            error: try row.textOrNil(), created: try row.time(), next: try row.time(),
            ended: try row.timeOrNil(), digest: try row.uniqueIDOrNil(), isHeld: try row.bool())
    }
}
