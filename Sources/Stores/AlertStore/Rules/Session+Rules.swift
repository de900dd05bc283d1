package import AccountStore
package import Instruments
package import MarketStore
package import Store

extension Session {
    /// The rules of a user in the order in which they were made, without those that were deleted.
    package func rules(of user: UserID) throws(StoreError) -> [StoredRule] {
        try rows(
            """
            SELECT \(StoredRule.countedColumns) FROM alerts.rule AS rule
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL
            ORDER BY created_at, rule_id
            """, StoredRule.init(counted:))
    }

    /// A part of the rules of a user in the order in which they were made, without those that were deleted.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - tag: One of a rule's; `nil` for any.
    ///   - state: As ``StoredRule/stateName(at:)`` says it now; `nil` for any.
    ///   - now: The time.
    ///   - last: When the last one that is known was made, and its key, to go on after it.
    ///   - limit: At most so many.
    /// - Returns: The rules.
    /// - Throws: ``StoreError``.
    package func rules(
        of user: UserID, tag: String?, state: String?, at now: Timestamp,
        after last: (time: Timestamp, id: UniqueID)?, limit: Int
    ) throws(StoreError) -> [StoredRule] {
        try rows(
            """
            SELECT \(StoredRule.countedColumns) FROM alerts.rule AS rule
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL
                AND (\(last?.time)::timestamptz IS NULL
                    OR (created_at, rule_id) > (\(last?.time), \(last?.id)))
                AND (\(tag)::text IS NULL OR (\(StoredRule.readable) -> 'tags')::jsonb ? \(tag))
                AND (\(state)::text IS NULL OR \(state) = CASE
                    WHEN done_at IS NOT NULL
                        OR (\(StoredRule.readable) ->> 'expires')::timestamptz <= \(now) THEN 'done'
                    WHEN enabled THEN 'armed' ELSE 'disabled' END)
            ORDER BY created_at, rule_id
            LIMIT \(Int32(clamping: limit))
            """, StoredRule.init(counted:))
    }

    /// One rule of a user, also a deleted one.
    package func rule(_ id: UniqueID, of user: UserID) throws(StoreError) -> StoredRule? {
        try first(
            """
            SELECT \(StoredRule.countedColumns) FROM alerts.rule AS rule
            WHERE rule_id = \(id) AND \(owner: "user_id", is: user)
            """, StoredRule.init(counted:))
    }

    /// Some rules of a user in the order of their keys, locked for a change by their owner; deleted ones are
    /// not found.
    func lockRules(_ ids: [UniqueID], of user: UserID) throws(StoreError) -> [StoredRule] {
        try rows(
            """
            SELECT \(StoredRule.countedColumns) FROM alerts.rule AS rule
            WHERE rule_id = ANY (\(ids)) AND \(owner: "user_id", is: user) AND deleted_at IS NULL
            ORDER BY rule_id
            FOR NO KEY UPDATE OF rule
            """, StoredRule.init(counted:))
    }

    /// The number of a change.
    ///
    /// Everybody else's changes wait until this transaction has ended, so that numbers become visible in
    /// their order.
    func nextChange() throws(StoreError) -> Int64 {
        let change = try first(
            "UPDATE alerts.rule_clock SET change = change + 1 RETURNING change"
        ) { try $0.int64() }
        guard let change else {
            throw .unexpectedAnswer(statement: "nextChange()", status: "no row")
        }
        return change
    }
}

// MARK: For evaluators

extension Session {
    /// The number of the last committed change of any rule.
    ///
    /// An evaluator reads it first, then ``forEachActiveRule(of:_:)``, and from then on
    /// ``rules(changedAfter:limit:)`` it.
    package func lastRuleChange() throws(StoreError) -> Int64 {
        try first("SELECT change FROM alerts.rule_clock") { try $0.int64() } ?? 0
    }

    /// Hands over the rules of some shards that are to be evaluated, one by one.
    package func forEachActiveRule(
        of shards: some Sequence<Shard>, _ body: (StoredRule) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEach(
            """
            SELECT \(StoredRule.columns) FROM alerts.rule AS rule
            WHERE shard = ANY (\(shards.sorted().map { Int16($0.rawValue) }))
                AND enabled AND NOT rested AND done_at IS NULL
            """, StoredRule.init(_:), body)
    }

    /// The rules that their owners changed after a change that is known in full, in the order of the changes;
    /// those that are no longer to be evaluated too, and those of every shard, since a rule may have left
    /// one.
    ///
    /// - Parameters:
    ///   - change: The last one that is known; 0 for none.
    ///   - limit: Rows; with as many, ask again for those after the last one.
    /// - Returns: The rules.
    /// - Throws: ``StoreError``.
    package func rules(changedAfter change: Int64, limit: Int = 1_000) throws(StoreError) -> [StoredRule] {
        // Above every key of that change.
        try rules(after: change, UniqueID(high: .max, low: .max), limit)
    }

    /// All after the last row of an answer, which may be in the middle of a change.
    package func rules(
        changedAfter rule: StoredRule, limit: Int = 1_000
    ) throws(StoreError) -> [StoredRule] {
        try rules(after: rule.change, rule.id, limit)
    }

    private func rules(
        after change: Int64, _ id: UniqueID, _ limit: Int
    ) throws(StoreError) -> [StoredRule] {
        try rows(
            """
            SELECT \(StoredRule.columns) FROM alerts.rule AS rule
            WHERE (change, rule_id) > (\(change), \(id))
            ORDER BY change, rule_id
            LIMIT \(Int32(clamping: limit))
            """, StoredRule.init(_:))
    }
}
