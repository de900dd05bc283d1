package import AccountStore
package import Alerting
package import Instruments
import MarketStore
package import Store

extension Session {
    /// Stores rules of a user, all or none.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - rules: Their ids are canonical UUIDs that no rule has or had, see
    ///     ``UniqueID/init(version7At:using:)``.
    ///   - user: Whose.
    ///   - isEnabled: Whether they are to be evaluated from now on.
    ///   - isReturning: Whether a rule whose id is that of one that the user has deleted comes back under a
    ///     new id: the old one's history stays what it is.
    ///   - limits: What the user may have.
    ///   - now: The time of the change.
    /// - Returns: The rules as they are stored.
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError``.
    package func addRules(
        _ rules: [AlertRule], of user: UserID, isEnabled: Bool = true, isReturning: Bool = false,
        limits: RuleLimits, at now: Timestamp
    ) throws(StoreError) -> [StoredRule] {
        let now = now.inMicroseconds
        try lock(user)
        let rules = isReturning ? try renewed(rules, of: user, at: now) : rules
        let admission = try RuleAdmission(rules, of: user, at: now, in: self)
        let ids = try freshKeys(rules)
        for (index, rule) in rules.enumerated() {
            try check(rule, against: limits, index)
            try admission.check(rule, index: index)
        }
        if isEnabled { try checkLimit(limits, of: user, asked: rules.count, index: nil, now) }
        guard !rules.isEmpty else { return [] }
        try checkDeleted(limits, of: user)
        try checkRest(limits, of: user, adding: isEnabled ? 0 : rules.count)
        let change = try nextChange()
        var batch = StatementBatch()
        var stored: [StoredRule] = []
        for (id, rule) in zip(ids, rules) {
            let row = StoredRule(
                id: id, user: user, rule: rule, shard: .init(of: rule), isEnabled: isEnabled, version: 1,
                change: change, epoch: 0, created: now, updated: now)
            batch.insert(row)
            if isEnabled, let request = row.subscription { batch.append(.addSubscription(request, at: now)) }
            stored.append(row)
        }
        try send(batch)
        return stored
    }

    /// Changes what rules of a user say, all or none.
    ///
    /// Inside a transaction only.
    /// A rule keeps its state when nothing changed that decides; else it begins anew, as if it had just been
    /// made. How often it fired is kept in any case.
    ///
    /// - Parameters:
    ///   - ids: Which.
    ///   - user: Whose.
    ///   - expected: The version that must be in force; `nil` for any.
    ///   - limits: What the user may have.
    ///   - now: The time of the change.
    ///   - edit: Makes the new rule of the old one, and keeps its id.
    /// - Returns: The rules as they are now, by key.
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError``.
    package func editRules(
        _ ids: [UniqueID], of user: UserID, expecting expected: Int64? = nil, limits: RuleLimits,
        at now: Timestamp, by edit: (AlertRule) throws(FieldFault) -> AlertRule
    ) throws(StoreError) -> [StoredRule] {
        let rules = try lock(ids, of: user)
        var edited: [StoredRule] = []
        for (index, rule) in rules.enumerated() {
            if let expected, expected != rule.version {
                throw .body(RuleRefused(index: index, .changedMeanwhile(rule.id, version: rule.version)))
            }
            var next = rule
            do throws(FieldFault) {
                next.rule = try edit(rule.rule)
            } catch {
                throw .body(RuleRefused(index: index, .fault(error)))
            }
            next.rule.id = rule.rule.id
            try check(next.rule, insteadOf: rule.rule, against: limits, index)
            next.shard = .init(of: next.rule)
            if !next.rule.decides(like: rule.rule) { next.beginAnew() }
            edited.append(next)
        }
        let admission = try RuleAdmission(edited.map(\.rule), of: user, at: now, in: self)
        for (index, rule) in edited.enumerated() { try admission.check(rule.rule, index: index) }
        return try write(edited, insteadOf: rules, .edited, limits, now)
    }

    /// Switches rules of a user on or off, all or none.
    ///
    /// Inside a transaction only.
    /// A rule that is switched on begins anew, as if it had just been made; one that is as wanted stays as it
    /// is.
    ///
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError``.
    package func setRules(
        _ ids: [UniqueID], enabled isEnabled: Bool, of user: UserID, limits: RuleLimits, at now: Timestamp
    ) throws(StoreError) -> [StoredRule] {
        let rules = try lock(ids, of: user)
        var changed = rules
        let admission = try RuleAdmission(rules.map(\.rule), of: user, at: now, in: self)
        for (index, rule) in rules.enumerated() where isEnabled ? !rule.isWanted : rule.isEnabled {
            changed[index].isEnabled = isEnabled
            guard isEnabled else { continue }
            changed[index].beginAnew()
            try admission.check(rule.rule, index: index)
        }
        return try write(changed, insteadOf: rules, isEnabled ? .enabled : .disabled, limits, now)
    }

    /// Deletes rules of a user, all or none; their history stays.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``RuleRefused`` as its ``StoreError/bodyError``.
    package func deleteRules(
        _ ids: [UniqueID], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> [StoredRule] {
        let rules = try lock(ids, of: user)
        var deleted = rules
        for index in deleted.indices {
            deleted[index].isEnabled = false
            deleted[index].deleted = now.inMicroseconds
        }
        return try write(deleted, insteadOf: rules, .deleted, RuleLimits(), now)
    }

    /// Removes a channel of a user, with all that waits for it or was told by it.
    ///
    /// Inside a transaction only.
    /// A rule that names it goes on with its other channels, and one that names no other with all of its
    /// owner's: it is not to fire in silence.
    ///
    /// - Throws: ``StoreError``.
    package func removeChannel(_ name: String, of user: UserID, at now: Timestamp) throws(StoreError) {
        try lock(user)
        let naming = try rows(
            """
            SELECT rule_id FROM alerts.rule
            WHERE \(name) = ANY (channels) AND \(owner: "user_id", is: user) AND deleted_at IS NULL
            """
        ) { try $0.uniqueID() }
        let rules = try lock(naming, of: user)
        var told = rules
        for index in told.indices { told[index].rule.channels.removeAll { $0 == name } }
        _ = try write(told, insteadOf: rules, .edited, RuleLimits(), now)
        try deleteChannel(name, of: user)
    }
}

extension Session {
    /// Two writers of one user wait for each other here, so that both see the number that they may not
    /// exceed.
    private func lock(_ user: UserID) throws(StoreError) {
        guard try lockUser(user) else { throw .body(RuleRefused(index: 0, .noSuchUser)) }
    }

    /// The rules in the order of their keys, locked.
    private func lock(_ ids: [UniqueID], of user: UserID) throws(StoreError) -> [StoredRule] {
        try lock(user)
        let rules = try lockRules(ids, of: user)
        let found = Set(rules.map(\.id))
        if let index = ids.firstIndex(where: { !found.contains($0) }) {
            throw .body(RuleRefused(index: index, .noSuchRule(ids[index].description)))
        }
        return rules
    }

    private func check(
        _ rule: AlertRule, insteadOf old: AlertRule? = nil, against limits: RuleLimits, _ index: Int
    ) throws(StoreError) {
        if let reason = limits.refusal(of: rule, insteadOf: old) {
            throw .body(RuleRefused(index: index, reason))
        }
    }

    private func write(
        _ changed: [StoredRule], insteadOf rules: [StoredRule], _ kind: RuleEvent.Kind, _ limits: RuleLimits,
        _ now: Timestamp
    ) throws(StoreError) -> [StoredRule] {
        let asked = changed.count(where: \.isWanted) - rules.count(where: \.isWanted)
        guard let user = rules.first?.user, changed != rules else { return rules }
        let now = now.inMicroseconds
        if asked > 0 { try checkLimit(limits, of: user, asked: asked, index: 0, now) }
        let change = try nextChange()
        var written = changed
        var batch = StatementBatch()
        for index in written.indices where changed[index] != rules[index] {
            written[index].version += 1
            written[index].change = change
            written[index].updated = now
            batch.update(written[index], kind)
            let (before, after) = (rules[index].request, written[index].request)
            guard before != after else { continue }
            if let before { batch.append(.removeSubscription(before.instrument, wantedBy: before.wantedBy)) }
            if let after { batch.append(.addSubscription(after, at: now)) }
        }
        try send(batch)
        return written
    }

    /// Rules with new ids in place of those of rules that their user has deleted.
    private func renewed(
        _ rules: [AlertRule], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> [AlertRule] {
        let ids = rules.compactMap { UniqueID($0.id.description) }
        let deleted = Set(
            try self.rows(
                """
                SELECT rule_id FROM alerts.rule
                WHERE rule_id = ANY (\(ids)) AND deleted_at IS NOT NULL AND \(owner: "user_id", is: user)
                """
            ) { try $0.uniqueID().description })
        guard !deleted.isEmpty else { return rules }
        var random = SystemRandomNumberGenerator()
        // In the order of the rules, so that a list has it too.
        var new = rules.map { _ in AlertRule.newID(at: now, using: &random) }.sorted()
        return rules.map { rule in
            let id = new.removeFirst()
            guard deleted.contains(rule.id.description) else { return rule }
            var rule = rule
            rule.id = id
            return rule
        }
    }

    /// The keys of new rules, none of them taken or given twice.
    private func freshKeys(_ rules: [AlertRule]) throws(StoreError) -> [UniqueID] {
        var ids: [UniqueID] = []
        var seen: Set<UniqueID> = []
        func refuse(_ index: Int, _ accepted: String) -> StoreError {
            let fault = FieldFault("id", "\"\(rules[index].id)\"", accepted: accepted)
            return .body(RuleRefused(index: index, .fault(fault)))
        }
        for (index, rule) in rules.enumerated() {
            guard let id = UniqueID(rule.id.description) else { throw refuse(index, "a UUID in lower case") }
            guard seen.insert(id).inserted else { throw refuse(index, "an id used once") }
            ids.append(id)
        }
        // By whomever, deleted rules included.
        let taken = Set(
            try self.rows("SELECT rule_id FROM alerts.rule WHERE rule_id = ANY (\(ids))") {
                try $0.uniqueID()
            })
        if let index = ids.firstIndex(where: { taken.contains($0) }) {
            throw refuse(index, "an id that no rule has or had; an edit changes a rule")
        }
        return ids
    }

    /// The index is of the rule to name; `nil` for the first that is too many.
    private func checkLimit(
        _ limits: RuleLimits, of user: UserID, asked: Int, index: Int?, _ now: Timestamp
    ) throws(StoreError) {
        let all =
            try first(
                """
                SELECT count(*) FROM alerts.rule
                WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL AND enabled AND done_at IS NULL
                """
            ) { Int(try $0.int64()) } ?? 0
        guard all + asked > limits.enabled else { return }
        // Those whose time is over are of no weight, also before an evaluator has said that they are done.
        let enabled = try rows(
            """
            SELECT \(StoredRule.columns) FROM alerts.rule AS rule
            WHERE \(owner: "user_id", is: user) AND deleted_at IS NULL AND enabled AND done_at IS NULL
            """, StoredRule.init(_:)
        ).count { !$0.isExpired(at: now) }
        guard enabled + asked > limits.enabled else { return }
        let reason = RuleRefused.Reason.tooMany(limit: limits.enabled, enabled: enabled, asked: asked)
        throw .body(RuleRefused(index: index ?? max(limits.enabled - enabled, 0), reason))
    }
}

extension StoredRule {
    /// Forgets what the evaluator knew.
    fileprivate mutating func beginAnew() {
        state = nil
        done = nil
    }

    /// What the feed must bring now.
    fileprivate var request: Subscription? { isWanted ? subscription : nil }
}

extension AlertRule {
    /// Whether both fire at the same times.
    package func decides(like other: AlertRule) -> Bool {
        var plain = other
        plain.note = note
        plain.tags = tags
        plain.channels = channels
        plain.priority = priority
        return self == plain
    }
}
