public import AccountStore
public import Instruments
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

/// The deliveries of a user, newest first.
public struct ListDeliveries: Statement {
    /// The statement's text.
    public static let sql = """
        \(DeliveryRow.selection)
        WHERE \(OwnerPredicate.sql("channel.user_id = $1"))
            AND ($2::text IS NULL OR $2 = CASE
                WHEN outbox.held AND outbox.state = 'waiting' THEN 'held' ELSE outbox.state END)
            AND ($3::text IS NULL OR channel.name = $3) AND ($4::uuid IS NULL OR outbox.delivery_id = $4)
            AND ($6::timestamptz IS NULL OR (outbox.created_at, outbox.delivery_id) < ($6, $7))
        ORDER BY outbox.created_at DESC, outbox.delivery_id DESC
        LIMIT $5
        """

    private let user: UserID
    private let state: String?
    private let channel: String?
    private let id: UniqueID?
    private let limit: Int32
    private let before: (time: Timestamp, id: UniqueID)?

    /// Takes what is wanted, or `nil` for any; the state as ``DeliveryRow/stateName`` says it.
    ///
    /// With the time and key of the last one that is known it goes on after that.
    public init(
        of user: UserID, state: String? = nil, channel: String? = nil, id: UniqueID? = nil, limit: Int = 100,
        before: (time: Timestamp, id: UniqueID)? = nil
    ) {
        self.before = before
        self.user = user
        self.state = state
        self.channel = channel
        self.id = id
        self.limit = Int32(clamping: limit)
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(state)
        parameters.append(channel)
        parameters.append(id)
        parameters.append(limit)
        parameters.append(timestamp: before?.time.nanoseconds)
        parameters.append(before?.id)
    }

    /// Reads a delivery.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> DeliveryRow {
        try DeliveryRow(&row)
    }
}

/// What became of a firing, channel by channel.
public struct DeliveriesOfFiring: Statement {
    /// The statement's text.
    public static let sql = """
        \(DeliveryRow.selection)
        WHERE outbox.rule_id = $1 AND outbox.epoch = $2 AND \(OwnerPredicate.sql("channel.user_id = $3"))
        ORDER BY channel.name
        """

    private let rule: UniqueID
    private let epoch: Int64
    private let user: UserID

    /// Names the firing, and whose rule it is.
    public init(_ epoch: Int64, of rule: UniqueID, by user: UserID) {
        self.rule = rule
        self.epoch = epoch
        self.user = user
    }

    /// Appends all three.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(rule)
        parameters.append(epoch)
        parameters.append(user.rawValue)
    }

    /// Reads a delivery.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> DeliveryRow {
        try DeliveryRow(&row)
    }
}

extension DeliveryRow {
    fileprivate static let selection = """
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

/// Tries dead letters of a user again from the first attempt on; `execute` returns how many.
public struct RetryDeliveries: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        UPDATE alerts.outbox AS outbox SET
            state = 'waiting', ended_at = NULL, failures = 0, next_attempt = clock_timestamp()
        FROM alerts.channel AS channel
        WHERE channel.channel_id = outbox.channel_id AND \(OwnerPredicate.sql("channel.user_id = $1"))
            AND outbox.state = 'dead'
            AND ($2::uuid IS NULL OR outbox.delivery_id = $2)
            AND ($3::text IS NULL OR channel.name = $3)
        """

    private let user: UserID
    private let id: UniqueID?
    private let channel: String?

    /// Names one, those of a channel, or all.
    public init(of user: UserID, id: UniqueID? = nil, channel: String? = nil) {
        self.user = user
        self.id = id
        self.channel = channel
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(id)
        parameters.append(channel)
    }
}
