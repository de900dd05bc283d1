import Channels
import Instruments
package import MarketStore
package import Store

/// What the evaluator remembers of a rule between two firings.
package struct RuleState: Hashable, Sendable {
    package var rule: UniqueID
    /// The version that was evaluated.
    package var version: Int64
    /// How often it has fired.
    package var epoch: Int64
    /// Which lease allows it.
    package var shard: Shard
    /// What is remembered, at most 64 KiB.
    package var state: [UInt8]
    /// The rule expired.
    package var isDone: Bool

    /// Takes what is known of a stored rule now.
    package init(of rule: StoredRule, state: [UInt8], isDone: Bool = false) {
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
    package func fire(_ row: FiringRow, under claims: LeaseClaims) async throws(StoreError) -> FireResult {
        do throws(StoreError) {
            return try await fenced(claims) { session in
                try session.check([row.shard], of: claims)
                if try session.fire(row) { return .fired }
                let hasFired = try session.exists(
                    "SELECT FROM alerts.firing WHERE rule_id = \(row.rule) AND epoch = \(row.epoch)")
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
    package func save(_ states: [RuleState], under claims: LeaseClaims) async throws(StoreError) -> Int {
        guard !states.isEmpty else { return 0 }
        // In one order, so that two of these never wait for each other.
        let sorted = states.sorted { $0.rule < $1.rule }
        return try await fenced(claims) { session in
            try session.check(Set(sorted.map(\.shard)), of: claims)
            var batch = StatementBatch()
            for state in sorted { batch.append(.saveState(state)) }
            return try session.send(batch).reduce(0, +)
        }
    }
}

extension Session {
    /// The compare-and-set of a rule's state and epoch, and what follows from it, in one statement; false
    /// when the rule is not as it was evaluated.
    ///
    /// Two writers of one epoch meet at the rule's row: the second waits for the first, looks again and finds
    /// another epoch. Without names of channels a rule is told by all of its owner's; by devices only while
    /// its owner wants alerts there.
    func fire(_ row: FiringRow) throws(StoreError) -> Bool {
        try first(
            """
            WITH moved AS (
                UPDATE alerts.rule SET
                    epoch = \(row.epoch), state = \(row.state),
                    done_at = CASE WHEN \(row.isDone) THEN clock_timestamp() ELSE done_at END
                WHERE rule_id = \(row.rule) AND version = \(row.version) AND epoch = \(row.epoch) - 1
                    AND shard = \(Int16(row.shard.rawValue))
                    AND (enabled AND NOT rested AND done_at IS NULL OR \(row.kind.rawValue) = 'tested')
                RETURNING rule_id, epoch, user_id, version, channels
            ), fired AS (
                INSERT INTO alerts.firing (
                    rule_id, epoch, user_id, rule_version, venue, symbol, reason, price, previous, level,
                    trade_id, venue_time, received_time, sequence, late_by, kind)
                SELECT rule_id, epoch, user_id, version, \(row.instrument?.venue.rawValue),
                    \(row.instrument?.symbol), \(row.reason), \(row.price.map(Numeric.init)),
                    \(row.previous.map(Numeric.init)), \(row.level.map(Numeric.init)), \(row.tradeID),
                    \(row.venueTime.nanoseconds), \(row.receivedTime.nanoseconds),
                    \(Int64(clamping: row.sequence)), \(row.lateBy), \(row.kind.rawValue)
                FROM moved
                RETURNING rule_id, epoch
            ), told AS (
                INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
                SELECT fired.rule_id, fired.epoch, channel.channel_id
                FROM fired, moved JOIN alerts.channel AS channel
                    ON channel.user_id = moved.user_id
                    AND (moved.channels = '{}' OR channel.name = ANY (moved.channels))
                    AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
                LEFT JOIN accounts.setting AS setting ON setting.user_id = moved.user_id
                WHERE \(row.kind.isTold)
                    AND (NOT \(ChannelKind.deviceRows) OR coalesce(setting.alerts, true))
            )
            SELECT count(*) FROM fired
            """
        ) { try $0.int64() == 1 } == true
    }
}

extension Query {
    /// The state of a rule that did not fire, with the same compare-and-set.
    static func saveState(_ state: RuleState) -> Query {
        """
        UPDATE alerts.rule SET
            state = \(state.state), done_at = CASE WHEN \(state.isDone) THEN clock_timestamp() END
        WHERE rule_id = \(state.rule) AND version = \(state.version) AND epoch = \(state.epoch)
            AND shard = \(Int16(state.shard.rawValue)) AND enabled AND NOT rested AND done_at IS NULL
        """
    }
}

extension Numeric {
    fileprivate init(_ number: DecimalNumber) {
        self.init(units: number.units, scale: number.scale.places)
    }
}
