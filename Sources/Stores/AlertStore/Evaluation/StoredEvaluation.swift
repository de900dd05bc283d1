package import Instruments
package import MarketStore
package import Store

/// What the evaluator of a shard knew when it last committed.
package struct StoredEvaluation: Hashable, Sendable {
    package var shard: Shard
    /// The number of that commit.
    package var number: Int64
    /// The last change of rules that the state takes into account.
    package var ruleChange: Int64
    /// The evaluator's own bytes.
    package var state: [UInt8]
    /// When it was.
    package var updated: Timestamp
}

extension Session {
    /// What the evaluator of one shard knew; `nil` before its first commit.
    package func evaluation(of shard: Shard) throws(StoreError) -> StoredEvaluation? {
        try first(Self.evaluations(of: [shard]), StoredEvaluation.init)
    }

    /// Hands over what evaluators of some shards knew, sorted by shard; nothing of those that never
    /// committed.
    package func forEachEvaluation(
        of shards: some Sequence<Shard>, _ body: (StoredEvaluation) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEach(Self.evaluations(of: shards.sorted()), StoredEvaluation.init, body)
    }

    private static func evaluations(of shards: [Shard]) -> Query {
        """
        SELECT shard, number, rule_change, state, updated_at FROM alerts.evaluation
        WHERE shard = ANY (\(shards.map { Int16($0.rawValue) })) ORDER BY shard
        """
    }
}

extension StoredEvaluation {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        guard let shard = UInt8(exactly: try row.int16()) else { throw row.refusal() }
        self.init(
            shard: Shard(rawValue: shard), number: try row.int64(), ruleChange: try row.int64(),
            state: try row.bytesOrNil() ?? [], updated: try row.time())
    }
}
