public import AccountStore
public import Instruments
public import Store

/// A part of the rules of a user in the order in which they were made, without those that were deleted.
public struct RulePage: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RuleColumns.counted) FROM alerts.rule AS rule
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL
            AND ($2::timestamptz IS NULL OR (created_at, rule_id) > ($2, $3))
            AND ($4::text IS NULL OR (rule.rule -> 'tags')::jsonb ? $4)
            AND ($5::text IS NULL OR $5 = CASE
                WHEN done_at IS NOT NULL OR (rule.rule ->> 'expires')::timestamptz <= $6 THEN 'done'
                WHEN enabled THEN 'armed' ELSE 'disabled' END)
        ORDER BY created_at, rule_id
        LIMIT $7
        """

    private let user: UserID
    private let tag: String?
    private let state: String?
    private let now: Timestamp
    private let last: (time: Timestamp, id: UniqueID)?
    private let limit: Int32

    /// Takes what is wanted; `nil` for any.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - tag: One of a rule's.
    ///   - state: As ``StoredRule/stateName(at:)`` says it now.
    ///   - now: The time.
    ///   - last: When the last one that is known was made, and its key, to go on after it.
    ///   - limit: At most so many.
    public init(
        of user: UserID, tag: String?, state: String?, at now: Timestamp,
        after last: (time: Timestamp, id: UniqueID)?, limit: Int
    ) {
        self.user = user
        self.tag = tag
        self.state = state
        self.now = now
        self.last = last
        self.limit = Int32(clamping: limit)
    }

    /// Appends all of it.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(timestamp: last?.time.nanoseconds)
        parameters.append(last?.id)
        parameters.append(tag)
        parameters.append(state)
        parameters.append(timestamp: now.nanoseconds)
        parameters.append(limit)
    }

    /// Reads a rule.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.readCounted(&row)
    }
}
