public import MarketStore
public import Store

/// What the evaluator remembers of a rule between two firings.
public struct RuleState: Hashable, Sendable {
    /// Which rule.
    public var rule: UniqueID
    /// The version that was evaluated.
    public var version: Int64
    /// How often it has fired.
    public var epoch: Int64
    /// Which lease allows it.
    public var shard: Shard
    /// What is remembered, at most 64 KiB.
    public var state: [UInt8]
    /// The rule expired.
    public var isDone: Bool

    /// Takes what is known of a stored rule now.
    public init(of rule: StoredRule, state: [UInt8], isDone: Bool = false) {
        self.rule = rule.id
        version = rule.version
        epoch = rule.epoch
        shard = rule.shard
        self.state = state
        self.isDone = isDone
    }
}

extension Database {
    /// Stores a firing and what is to be delivered, once, in one transaction.
    ///
    /// May be repeated after an error whose ``StoreError/isOutcomeUnknown`` is true: if the first attempt was
    /// committed after all, the answer is ``FireResult/alreadyFired``.
    ///
    /// - Parameters:
    ///   - row: The firing.
    ///   - claims: The leases that the writer believes to hold.
    /// - Returns: What became of it.
    /// - Throws: ``StoreError``; nothing was stored then, unless the outcome is unknown.
    public func fire(_ row: FiringRow, under claims: LeaseClaims) async throws(StoreError) -> FireResult {
        do throws(StoreError) {
            return try await fenced(claims) { session in
                try session.check([row.shard], of: claims)
                if try session.first(Fire(row: row)) == true { return .fired }
                let hasFired = try session.first(HasFired(rule: row.rule, epoch: row.epoch)) == true
                return hasFired ? .alreadyFired : .ruleChanged
            }
        } catch {
            if case .leaseLost? = error.bodyError as? MarketStoreError { return .leaseLost }
            throw error
        }
    }

    /// Keeps states of rules; one that was changed or fired meanwhile is left as it is.
    ///
    /// - Returns: How many were kept.
    /// - Throws: ``StoreError``; ``MarketStoreError/leaseLost(_:)`` as its ``StoreError/bodyError`` when any
    ///   of the shards is not held: nothing was kept then.
    @discardableResult
    public func save(_ states: [RuleState], under claims: LeaseClaims) async throws(StoreError) -> Int {
        guard !states.isEmpty else { return 0 }
        // In one order, so that two of these never wait for each other.
        let sorted = states.sorted { $0.rule < $1.rule }
        return try await fenced(claims) { session in
            try session.check(Set(sorted.map(\.shard)), of: claims)
            var batch = StatementBatch()
            for state in sorted { batch.append(SaveState(state: state)) }
            return try session.send(batch).reduce(0, +)
        }
    }
}
