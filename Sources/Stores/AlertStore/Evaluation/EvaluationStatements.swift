public import Instruments
public import MarketStore
public import Store

/// What the evaluator of a shard knew when it last committed.
public struct StoredEvaluation: Hashable, Sendable {
    /// Which shard.
    public var shard: Shard
    /// The number of that commit.
    public var number: Int64
    /// The last change of rules that the state takes into account.
    public var ruleChange: Int64
    /// The evaluator's own bytes.
    public var state: [UInt8]
    /// When it was.
    public var updated: Timestamp
}

/// What evaluators of some shards knew, sorted by shard; nothing of those that never committed.
public struct ListEvaluations: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT shard, number, rule_change, state, updated_at FROM alerts.evaluation
        WHERE shard = ANY ($1) ORDER BY shard
        """

    private let shards: [Shard]

    /// Names the shards.
    public init(of shards: some Sequence<Shard>) { self.shards = shards.sorted() }

    /// Appends the numbers.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(shards.map { Int16($0.rawValue) })
    }

    /// Reads a row.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredEvaluation {
        guard let shard = UInt8(exactly: try row.int16()) else { throw row.refusal() }
        return StoredEvaluation(
            shard: Shard(rawValue: shard), number: try row.int64(), ruleChange: try row.int64(),
            state: try row.bytesOrNil() ?? [], updated: try row.time())
    }
}

/// What the evaluator of one shard knew; none before its first commit.
public struct FindEvaluation: Statement {
    /// The statement's text.
    public static let sql = ListEvaluations.sql

    private let shard: Shard

    /// Names the shard.
    public init(_ shard: Shard) { self.shard = shard }

    /// Appends the number.
    public func bind(_ parameters: inout Parameters) { parameters.append([Int16(shard.rawValue)]) }

    /// Reads the row.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> StoredEvaluation {
        try ListEvaluations.decode(&row)
    }
}

/// The compare-and-set of a shard's state.
struct StoreEvaluation: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO alerts.evaluation AS old (shard, number, rule_change, state, updated_at)
        VALUES ($1, $2, $3, $4, clock_timestamp())
        ON CONFLICT (shard) DO UPDATE SET
            number = excluded.number, rule_change = excluded.rule_change, state = excluded.state,
            updated_at = excluded.updated_at
        WHERE old.number = excluded.number - 1
        """

    let commit: EvaluationCommit

    func bind(_ parameters: inout Parameters) {
        parameters.append(Int16(commit.shard.rawValue))
        parameters.append(commit.number)
        parameters.append(commit.ruleChange)
        parameters.append(bytes: commit.state)
    }
}

/// Some rules of whomever, locked for a commit.
struct LockEvaluated: Statement {
    static let sql = """
        SELECT \(RuleColumns.list) FROM alerts.rule AS rule
        WHERE rule_id = ANY ($1)
        ORDER BY rule_id
        FOR NO KEY UPDATE OF rule
        """

    let ids: [UniqueID]

    func bind(_ parameters: inout Parameters) { parameters.append(ids) }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredRule {
        try RuleColumns.read(&row)
    }
}
