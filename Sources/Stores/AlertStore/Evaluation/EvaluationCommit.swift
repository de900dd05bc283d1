import Alerting
package import MarketStore
import PortfolioStore
package import Store

/// What an evaluator of one shard found, and what it knows from then on; stored wholly or not at all.
package struct EvaluationCommit: Hashable, Sendable {
    /// Something that became of a rule.
    package struct Step: Hashable, Sendable {
        /// The rule as it was evaluated.
        package var rule: StoredRule
        /// What is to be told; `nil` when the rule's time is over.
        package var firing: FiringRow?

        package init(_ rule: StoredRule, _ firing: FiringRow?) {
            self.rule = rule
            self.firing = firing
        }
    }

    package var shard: Shard
    /// One more than that of the last commit; 1 for the first.
    package var number: Int64
    /// The last change of rules that the state takes into account.
    package var ruleChange: Int64
    /// What the evaluator knows after all steps.
    package var state: [UInt8]
    /// In the order in which they happened.
    package var steps: [Step]

    package init(shard: Shard, number: Int64, ruleChange: Int64, state: [UInt8], steps: [Step] = []) {
        self.shard = shard
        self.number = number
        self.ruleChange = ruleChange
        self.state = state
        self.steps = steps
    }
}

/// What became of a commit.
package enum CommitResult: Hashable, Sendable {
    /// It is stored, with so many firings; the others were of rules that their owner changed meanwhile.
    case committed(told: Int)
    /// It was stored by an attempt whose outcome was not known.
    case alreadyCommitted
    /// Another state is stored than the one that this one follows: read it again.
    case conflict
    /// The writer no longer holds the shard: forget it.
    case leaseLost
}

extension Database {
    /// Stores what evaluators found, all in one transaction.
    ///
    /// May be repeated after an error whose ``StoreError/isOutcomeUnknown`` is true.
    ///
    /// - Parameters:
    ///   - commits: At most one a shard.
    ///   - claims: The leases under which the shards were evaluated.
    /// - Returns: What became of each, by shard; where one lease is lost nothing was stored of the others,
    ///   and they are left out.
    /// - Throws: ``StoreError``; nothing was stored then, unless the outcome is unknown.
    package func commit(
        _ commits: [EvaluationCommit], under claims: LeaseClaims
    ) async throws(StoreError) -> [Shard: CommitResult] {
        let sorted = commits.sorted { $0.shard < $1.shard }
        do throws(StoreError) {
            return try await fenced(claims) { session in
                try session.check(Set(sorted.map(\.shard)), of: claims)
                var results: [Shard: CommitResult] = [:]
                for commit in sorted { results[commit.shard] = try session.commit(commit) }
                return results
            }
        } catch {
            guard case .leaseLost(let lost)? = error.bodyError as? MarketStoreError else { throw error }
            return Dictionary(lost.map { ($0, .leaseLost) }) { first, _ in first }
        }
    }
}

extension Session {
    fileprivate func commit(_ commit: EvaluationCommit) throws(StoreError) -> CommitResult {
        guard try store(commit) else {
            let stored = try evaluation(of: commit.shard)
            return stored?.isOf(commit) == true ? .alreadyCommitted : .conflict
        }
        guard !commit.steps.isEmpty else { return .committed(told: 0) }
        // In one order, so that two of these never wait for each other.
        let ids = Set(commit.steps.map(\.rule.id)).sorted()
        var rules: [UniqueID: StoredRule] = [:]
        let locked = try rows(
            """
            SELECT \(StoredRule.columns) FROM alerts.rule AS rule
            WHERE rule_id = ANY (\(ids))
            ORDER BY rule_id
            FOR NO KEY UPDATE OF rule
            """, StoredRule.init(_:))
        for rule in locked { rules[rule.id] = rule }
        var told = 0
        for step in commit.steps {
            guard var rule = rules[step.rule.id], rule.isActive, rule.goesOn(from: step.rule),
                try isAllowed(rule)
            else { continue }
            if let firing = step.firing {
                guard try fire(firing, of: rule) else { continue }
                rule.epoch += 1
                told += 1
                if firing.isDone { rule.done = rule.updated }
            } else {
                try execute(.saveState(RuleState(of: rule, state: rule.state ?? [], isDone: true)))
                rule.done = rule.updated
            }
            rules[rule.id] = rule
            if rule.done != nil, let request = rule.subscription {
                try execute(.removeSubscription(request.instrument, wantedBy: request.wantedBy))
            }
        }
        return .committed(told: told)
    }

    /// The compare-and-set of a shard's state; false when another state is stored than the one before.
    private func store(_ commit: EvaluationCommit) throws(StoreError) -> Bool {
        try execute(
            """
            INSERT INTO alerts.evaluation AS old (shard, number, rule_change, state, updated_at)
            VALUES (\(Int16(commit.shard.rawValue)), \(commit.number), \(commit.ruleChange),
                \(commit.state), clock_timestamp())
            ON CONFLICT (shard) DO UPDATE SET
                number = excluded.number, rule_change = excluded.rule_change, state = excluded.state,
                updated_at = excluded.updated_at
            WHERE old.number = excluded.number - 1
            """) == 1
    }

    /// Whether the owner of a rule is the one of the portfolio that it tells of.
    private func isAllowed(_ rule: StoredRule) throws(StoreError) -> Bool {
        guard case .figure(let id, _) = rule.rule.condition.input else { return true }
        guard let key = UniqueID(id) else { return false }
        return try findPortfolio(PortfolioID(rawValue: key), of: rule.user) != nil
    }

    /// Stores a firing of a rule that is locked, under the rule's next number.
    func fire(_ firing: FiringRow, of rule: StoredRule) throws(StoreError) -> Bool {
        var row = firing
        (row.version, row.epoch, row.state) = (rule.version, rule.epoch + 1, rule.state ?? [])
        return try fire(row)
    }
}

extension StoredEvaluation {
    /// Whether it is what a commit stored.
    ///
    /// The number alone does not say so: a shard that was given up may have been read again just before a
    /// commit of the time before was stored, under the number that came next.
    fileprivate func isOf(_ commit: EvaluationCommit) -> Bool {
        number == commit.number && ruleChange == commit.ruleChange && state == commit.state
    }
}

extension StoredRule {
    /// Whether what was found of an earlier version still holds: its owner changed nothing that decides.
    fileprivate func goesOn(from evaluated: StoredRule) -> Bool {
        version == evaluated.version || shard == evaluated.shard && rule.decides(like: evaluated.rule)
    }
}
