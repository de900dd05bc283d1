package import AccountStore
package import Instruments
import MarketStore
package import Store

/// A delivery as its owner looks at it.
package struct DeliveryRow: Hashable, Sendable {
    /// The key, which receivers know it by.
    package var id: UniqueID
    /// The channel's name.
    package var channel: String
    /// The channel's kind.
    package var kind: String
    /// `waiting`, `delivered`, `gathered` or `dead`.
    package var state: String
    /// Which rule fired; `nil` for a notice.
    package var rule: UniqueID?
    /// Which firing of it.
    package var epoch: Int64?
    /// A notice's kind, or `fired`.
    package var subject: String
    /// Why it fired, or what a notice says.
    package var reason: String
    /// How often it was claimed.
    package var claims: Int32
    /// Attempts that failed.
    package var failures: Int32
    /// What came of the last one that failed, or why it is held back.
    package var error: String?
    /// When it was put into the outbox.
    package var created: Timestamp
    /// When it is due; while it is claimed, when the claim is over.
    package var next: Timestamp
    /// When it was delivered, gathered or given up.
    package var ended: Timestamp?
    /// The digest that tells it.
    package var digest: UniqueID?
    /// Whether it waits for the end of quiet hours or of a limit.
    package var isHeld: Bool
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
    package func deliveries(
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
    package func delivery(_ id: UniqueID, of user: UserID) throws(StoreError) -> DeliveryRow? {
        try first(
            """
            \(DeliveryRow.selection)
            WHERE \(owner: "channel.user_id", is: user) AND outbox.delivery_id = \(id)
            """, DeliveryRow.init)
    }

    /// What became of a firing, channel by channel.
    package func deliveries(
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
    package func retryDeliveries(
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
