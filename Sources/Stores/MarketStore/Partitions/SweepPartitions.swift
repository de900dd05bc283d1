import Instruments
public import Store

/// What one sweep did to the partitions of one kind.
public struct PartitionSweep: Hashable, Sendable {
    /// Of which kind.
    public let kind: PartitionKind
    /// How many partitions were made.
    public internal(set) var created = 0
    /// The tables that were dropped, oldest first.
    public internal(set) var dropped: [String] = []
    /// The tables that could not be dropped now, because somebody reads or writes; the next sweep tries
    /// again.
    public internal(set) var busy: [String] = []
}

extension Database {
    /// Makes the partitions that will be needed and drops those that are over, and with them the rows of
    /// tables without partitions.
    ///
    /// Idempotent, and safe with any number of programs: one sweeps, the others find out and leave it to that
    /// one. No reader or writer waits for it longer than 300 ms. A sweep that fails half-way has done whole
    /// kinds or nothing of them; the next one does the rest.
    ///
    /// - Parameter policy: How long each kind is kept.
    /// - Returns: One entry per kind; empty when another program is sweeping.
    /// - Throws: ``StoreError``.
    public func sweepPartitions(_ policy: RetentionPolicy) async throws(StoreError) -> [PartitionSweep] {
        var sweeps: [PartitionSweep] = []
        for kind in PartitionKind.all {
            let prepared = try await transaction { session in try session.prepare(kind, policy) }
            guard var sweep = prepared?.sweep, let over = prepared?.over else { return sweeps }
            if !over.isEmpty {
                let dropped = try await drop(over, kind, policy)
                sweep.dropped = dropped
                sweep.busy = over.map(\.name).filter { !dropped.contains($0) }
            }
            sweeps.append(sweep)
        }
        // Books are kept as long as the trades beside them.
        if let keep = policy.nanoseconds(.trades) { try await execute(ForgetBookSnapshots(keep: keep)) }
        try await execute(ForgetTrending())
        return sweeps
    }

    private func drop(
        _ partitions: [Partition], _ kind: PartitionKind, _ policy: RetentionPolicy
    ) async throws(StoreError) -> [String] {
        var options = TransactionOptions.standard
        options.maximumAttempts = 1
        do throws(StoreError) {
            return try await transaction(options) { session in
                try session.drop(partitions, kind, policy)
            }
        } catch {
            // Somebody holds them: a lock that was not to be had in time, or a deadlock that ended us.
            if ["55P03", "40P01"].contains(error.sqlState) { return [] }
            throw error
        }
    }
}

extension Session {
    /// Makes what is missing and says what is over; `nil` when another program is at it.
    fileprivate func prepare(
        _ kind: PartitionKind, _ policy: RetentionPolicy
    ) throws(StoreError) -> (sweep: PartitionSweep, over: [Partition])? {
        guard try first(LockPartitions()) == true else { return nil }
        let plan = try plan(kind, policy)
        var sweep = PartitionSweep(kind: kind)
        if !plan.create.isEmpty {
            switch kind {
            case .trades: sweep.created = try first(EnsureTradePartitions(places: plan.create)) ?? 0
            case .candles: sweep.created = try first(EnsureCandlePartitions(places: plan.create)) ?? 0
            }
        }
        try execute(NoteRetention(kind: kind, keep: policy.nanoseconds(kind)))
        return (sweep, plan.drop)
    }

    private func plan(_ kind: PartitionKind, _ policy: RetentionPolicy) throws(StoreError) -> RetentionPlan {
        let partitions = try rows(ListPartitions()).filter { $0.kind == kind }
        let newest: [Timestamp]
        switch kind {
        case .trades: newest = try rows(NewestTrades())
        case .candles(let length): newest = try rows(NewestCandleStarts(kind: length))
        }
        return RetentionPlan(
            kind, partitions: partitions, newest: newest, keep: policy.nanoseconds(kind))
    }

    /// Stops writes into the partitions, looks again whether they are over, and drops those that are.
    ///
    /// Without the second look a replay that began meanwhile could lose what it had just written. A writer
    /// that has the table and waits for the partition is waited for in turn: then our wait ends first.
    func drop(
        _ partitions: [Partition], _ kind: PartitionKind, _ policy: RetentionPolicy
    ) throws(StoreError) -> [String] {
        guard try first(LockPartitions()) == true else { return [] }
        try script("SET LOCAL lock_timeout = 300")
        let existing = Set(try rows(ListPartitions()).map(\.name))
        let wanted = partitions.map(\.name).filter(existing.contains)
        guard !wanted.isEmpty else { return [] }
        try script("LOCK TABLE \(Self.list(wanted)) IN SHARE MODE")
        let over = Set(try plan(kind, policy).drop.map(\.name))
        let dropped = wanted.filter(over.contains)
        if !dropped.isEmpty { try script("DROP TABLE \(Self.list(dropped))") }
        return dropped
    }

    /// Names from the catalogue, as SQL wants them.
    private static func list(_ names: [String]) -> String {
        names.map { "market.\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
    }
}
