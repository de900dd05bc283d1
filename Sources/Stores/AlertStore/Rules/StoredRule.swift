public import AccountStore
public import Alerting
public import Instruments
public import MarketStore
public import Store

/// A rule as it is kept; its key is a UUID of version 7, the rule's own `id`.
public struct StoredRule: Hashable, Sendable {
    /// The key.
    public var id: UniqueID
    /// Whose.
    public var user: UserID
    /// What it says.
    public var rule: AlertRule
    /// Which part of the instruments it is evaluated with.
    public var shard: Shard
    /// Whether its owner wants it evaluated.
    public var isEnabled: Bool
    /// Rises with each change by its owner, from 1.
    public var version: Int64
    /// The number of that change among all changes of all rules.
    public var change: Int64
    /// How often it fired or told something else, such as that it is blind; never falls.
    public var epoch: Int64
    /// How often it fired, tests and notices left out; 0 where nobody counts, as for who evaluates.
    public var firings: Int64 = 0
    /// What the evaluator remembers of this version; `nil` for nothing.
    public var state: [UInt8]?
    /// When it fired its only time, or expired.
    public var done: Timestamp?
    /// When it was made.
    public var created: Timestamp
    /// When its owner changed it last.
    public var updated: Timestamp
    /// When its owner deleted it.
    public var deleted: Timestamp?

    /// Whether it rests, since its owner's account is disabled.
    public var isRested = false

    /// Whether it is to be evaluated as far as its owner is concerned.
    public var isWanted: Bool { isEnabled && done == nil && deleted == nil }

    /// Whether it is to be evaluated.
    public var isActive: Bool { isWanted && !isRested }

    /// Whether its time is over, also before its evaluator has said so.
    public func isExpired(at now: Timestamp) -> Bool { rule.expires.map { $0 <= now } ?? false }

    /// `deleted`, `done`, `disabled` or `armed`.
    public func stateName(at now: Timestamp) -> String {
        if deleted != nil { return "deleted" }
        if done != nil || isExpired(at: now) { return "done" }
        return isEnabled ? "armed" : "disabled"
    }
}

extension StoredRule {
    static let columns: SQL = """
        rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change, \
        rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
        """

    /// With ``firings``, which takes a look at each one.
    static let countedColumns: SQL = """
        \(columns), (SELECT count(*) FROM alerts.firing AS told \
        WHERE told.rule_id = rule.rule_id AND told.kind = 'fired')
        """

    /// Reads ``countedColumns``.
    init(counted row: inout RowReader) throws(StoreError) {
        try self.init(&row)
        firings = try row.int64()
    }

    /// Reads ``columns``.
    init(_ row: inout RowReader) throws(StoreError) {
        let id = try row.uniqueID()
        let user = try row.user()
        guard let rule = try? AlertRule(json: try row.text()) else { throw row.refusal() }
        let shard = try row.shard()
        self.init(
            id: id, user: user, rule: rule, shard: shard, isEnabled: try row.bool(),
            version: try row.int64(), change: try row.int64(), epoch: try row.int64(),
            state: try row.bytesOrNil(), done: try row.timeOrNil(), created: try row.time(),
            updated: try row.time(), deleted: try row.timeOrNil(), isRested: try row.bool())
    }
}

extension Shard {
    /// The part that a rule is evaluated with: that of its instrument, or of the portfolio or venue that it
    /// is about.
    public init(of rule: AlertRule) {
        switch (rule.condition.input, rule.subject) {
        // All figures of a portfolio together.
        case (.figure(let id, _), _): self.init(of: .portfolio(id, .value))
        case (_, let subject?): self.init(of: subject)
        // Every other condition needs an instrument, see ``AlertCondition/needsInstrument``.
        default: self.init(rawValue: 0)
        }
    }
}
