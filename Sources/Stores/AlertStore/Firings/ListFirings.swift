public import AccountStore
public import Instruments
public import Store

/// A place in the list of firings.
public struct FiringPlace: Hashable, Sendable {
    /// When it was stored.
    public var time: Timestamp
    /// Which rule.
    public var rule: UniqueID
    /// Which firing of it.
    public var epoch: Int64

    /// Joins the three.
    public init(time: Timestamp, rule: UniqueID, epoch: Int64) {
        self.time = time
        self.rule = rule
        self.epoch = epoch
    }
}

/// What the rules of a user told, newest first.
public struct ListFirings: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(FiringColumns.list)
        FROM alerts.firing AS firing
        JOIN alerts.rule AS rule USING (rule_id)
        WHERE \(OwnerPredicate.sql("firing.user_id = $1"))
            AND ($2::uuid IS NULL OR firing.rule_id = $2) AND ($3::text IS NULL OR firing.kind = $3)
            AND ($4::timestamptz IS NULL OR (firing.fired_at, firing.rule_id, firing.epoch) < ($4, $5, $6))
        ORDER BY firing.fired_at DESC, firing.rule_id DESC, firing.epoch DESC
        LIMIT $7
        """

    private let user: UserID
    private let rule: UniqueID?
    private let kind: FiringKind?
    private let last: FiringPlace?
    private let limit: Int32

    /// Takes what is wanted; `nil` for any.
    public init(
        of user: UserID, rule: UniqueID? = nil, kind: FiringKind? = nil, before last: FiringPlace? = nil,
        limit: Int
    ) {
        self.user = user
        self.rule = rule
        self.kind = kind
        self.last = last
        self.limit = Int32(clamping: limit)
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(rule)
        parameters.append(kind?.rawValue)
        parameters.append(timestamp: last?.time.nanoseconds)
        parameters.append(last?.rule)
        parameters.append(last?.epoch)
        parameters.append(limit)
    }

    /// Reads a firing.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> ToldFiring {
        guard let firing = try FiringColumns.read(&row) else { throw row.refusal() }
        return firing
    }
}

/// How often rules of a user fired since a moment, tests and notices left out.
public struct CountFirings: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT count(*) FROM alerts.firing
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND kind = 'fired' AND fired_at > $2
        """

    private let user: UserID
    private let time: Timestamp

    /// Names the user and the moment.
    public init(of user: UserID, since time: Timestamp) {
        self.user = user
        self.time = time
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(timestamp: time.nanoseconds)
    }

    /// Reads the number.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
