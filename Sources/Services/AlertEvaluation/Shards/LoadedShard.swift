import Alerting
import AlertStore
import Instruments
import MarketStore
import Store

/// What PostgreSQL has of one shard at one instant.
struct LoadedShard: Sendable {
    var shard: Shard
    /// The lease under which it was read.
    var leaseEpoch: Int64
    /// What its last evaluator knew; `nil` when it had none.
    var state: EngineState?
    /// The last change of rules that the state takes into account; 0 without one.
    var stateChange: Int64 = 0
    /// The number of the last commit; 0 for none.
    var number: Int64 = 0
    /// Its rules that are to be evaluated.
    var rules: [StoredRule] = []
    /// The last change of rules when it was read.
    var ruleChange: Int64 = 0
    /// Whether there was a state that could not be read.
    var isStateLost = false
}

/// Reads shards that were won, all at one instant.
struct LoadShards: Sendable {
    /// By shard.
    let epochs: [Shard: Int64]

    func callAsFunction(_ database: Database) async throws(StoreError) -> [LoadedShard] {
        var options = TransactionOptions.standard
        options.isolation = .repeatableRead
        options.isReadOnly = true
        options.statementTimeout = .seconds(120)
        return try await database.transaction(options) { session in try read(session) }
    }

    private func read(_ session: borrowing Session) throws(StoreError) -> [LoadedShard] {
        let change = try session.lastRuleChange()
        var shards: [Shard: LoadedShard] = [:]
        // tidy: unordered-iteration They are sorted when all is read.
        for (shard, epoch) in epochs {
            shards[shard] = LoadedShard(shard: shard, leaseEpoch: epoch, ruleChange: change)
        }
        try session.forEachEvaluation(of: epochs.keys) { row in
            shards[row.shard]?.number = row.number
            do throws(EngineStateFault) {
                shards[row.shard]?.state = try EngineState(bytes: row.state)
                shards[row.shard]?.stateChange = row.ruleChange
            } catch {
                shards[row.shard]?.isStateLost = true
            }
        }
        try session.forEachActiveRule(of: epochs.keys) { rule in
            shards[rule.shard]?.rules.append(rule)
        }
        return shards.values.sorted { $0.shard < $1.shard }
    }
}
