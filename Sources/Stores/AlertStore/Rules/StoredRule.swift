package import AccountStore
package import Alerting
package import Instruments
package import MarketStore
package import Store

/// A rule as it is kept; its key is a UUID of version 7, the rule's own `id`.
package struct StoredRule: Hashable, Sendable {
    package var id: UniqueID
    package var user: UserID
    /// What it says.
    package var rule: AlertRule
    /// Which part of the instruments it is evaluated with.
    package var shard: Shard
    /// Whether its owner wants it evaluated.
    package var isEnabled: Bool
    /// Rises with each change by its owner, from 1.
    package var version: Int64
    /// The number of that change among all changes of all rules.
    package var change: Int64
    /// How often it fired or told something else, such as that it is blind; never falls.
    package var epoch: Int64
    /// How often it fired, tests and notices left out; 0 where nobody counts, as for who evaluates.
    package var firings: Int64 = 0
    /// What the evaluator remembers of this version; `nil` for nothing.
    package var state: [UInt8]?
    /// When it fired its only time, or expired.
    package var done: Timestamp?
    package var created: Timestamp
    /// When its owner changed it last.
    package var updated: Timestamp
    /// When its owner deleted it.
    package var deleted: Timestamp?

    /// Whether it rests, since its owner's account is disabled.
    package var isRested = false

    /// Whether it is to be evaluated as far as its owner is concerned.
    package var isWanted: Bool { isEnabled && done == nil && deleted == nil }

    /// Whether it is to be evaluated.
    package var isActive: Bool { isWanted && !isRested }

    /// Whether its time is over, also before its evaluator has said so.
    package func isExpired(at now: Timestamp) -> Bool { rule.expires.map { $0 <= now } ?? false }

    /// `deleted`, `done`, `disabled` or `armed`.
    package func stateName(at now: Timestamp) -> String {
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

    /// What a rule says, for who looks into it in SQL: with U+FFFD in place of U+0000.
    ///
    /// Rules of before that was refused may have it. PostgreSQL keeps it in `json`, but no operator reads
    /// such a document (22P05), and one rule would fail a whole list. A backslash before it that is itself
    /// escaped belongs to another character.
    static let readable: SQL = """
        (CASE WHEN strpos(rule.rule::text, '\\u0000') = 0 THEN rule.rule ELSE regexp_replace( \
        rule.rule::text, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1\\\\ufffd', 'g')::json END)
        """

    /// With ``firings``, which takes a look at each one that is kept.
    static let countedColumns: SQL = """
        \(columns), rule.firings_removed + (SELECT count(*) FROM alerts.firing AS told \
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
    package init(of rule: AlertRule) {
        switch (rule.condition.input, rule.subject) {
        // All figures of a portfolio together.
        case (.figure(let id, _), _): self.init(of: .portfolio(id, .value))
        case (_, let subject?): self.init(of: subject)
        // Every other condition needs an instrument, see ``AlertCondition/needsInstrument``.
        default: self.init(rawValue: 0)
        }
    }
}
