public import AccountStore
public import MarketStore
public import Store

/// The rules of a user in the order in which they were made, without those that were deleted.
public struct ListRules: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RuleColumns.counted) FROM alerts.rule AS rule
        WHERE \(OwnerPredicate.sql("user_id = $1")) AND deleted_at IS NULL
        ORDER BY created_at, rule_id
        """

    private let user: UserID

    /// Names the user.
    public init(of user: UserID) { self.user = user }

    /// Appends the key.
    public func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }

    /// Reads a rule.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.readCounted(&row)
    }
}

/// One rule of a user, also a deleted one.
public struct FindRule: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RuleColumns.counted) FROM alerts.rule AS rule
        WHERE rule_id = $1 AND \(OwnerPredicate.sql("user_id = $2"))
        """

    private let id: UniqueID
    private let user: UserID

    /// Names both.
    public init(_ id: UniqueID, of user: UserID) {
        self.id = id
        self.user = user
    }

    /// Appends both keys.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(user.rawValue)
    }

    /// Reads the rule.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.readCounted(&row)
    }
}

/// The number of the last committed change of any rule.
///
/// An evaluator reads it first, then ``ActiveRules``, and from then on ``RulesChangedSince`` it.
public struct LastRuleChange: Statement {
    /// The statement's text.
    public static let sql = "SELECT change FROM alerts.rule_clock"

    /// One statement.
    public init() {}

    /// Reads the number.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

/// The rules of some shards that are to be evaluated.
public struct ActiveRules: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RuleColumns.list) FROM alerts.rule AS rule
        WHERE shard = ANY ($1) AND enabled AND NOT rested AND done_at IS NULL
        """

    private let shards: [Shard]

    /// Names the shards.
    public init(of shards: some Sequence<Shard>) { self.shards = shards.sorted() }

    /// Appends the numbers.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(shards.map { Int16($0.rawValue) })
    }

    /// Reads a rule.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.read(&row)
    }
}

/// The rules that their owners changed after a change, in the order of the changes; those that are no longer
/// to be evaluated too, and those of every shard, since a rule may have left one.
public struct RulesChangedSince: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT \(RuleColumns.list) FROM alerts.rule AS rule
        WHERE (change, rule_id) > ($1, $2)
        ORDER BY change, rule_id
        LIMIT $3
        """

    private let change: Int64
    private let id: UniqueID
    private let limit: Int32

    /// All after a change that is known in full.
    ///
    /// - Parameters:
    ///   - change: The last one that is known; 0 for none.
    ///   - limit: Rows; with as many, ask again with ``init(after:limit:)``.
    public init(_ change: Int64, limit: Int = 1_000) {
        self.change = change
        // Above every key of that change.
        id = UniqueID(high: .max, low: .max)
        self.limit = Int32(clamping: limit)
    }

    /// All after the last row of an answer, which may be in the middle of a change.
    public init(after rule: StoredRule, limit: Int = 1_000) {
        change = rule.change
        id = rule.id
        self.limit = Int32(clamping: limit)
    }

    /// Appends the place and the limit.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(change)
        parameters.append(id)
        parameters.append(limit)
    }

    /// Reads a rule.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.read(&row)
    }
}
