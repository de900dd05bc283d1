public import Instruments
public import Store

/// The right of one instance to do a task, until it is over or given back.
public struct TaskClaim: Hashable, Sendable {
    /// What is done.
    public let name: String
    /// Who does it.
    public let instance: String
    /// Which taking this is.
    public let epoch: Int64
    /// How often in a row it failed before.
    public let failures: Int
}

/// What is stored of a task.
public struct TaskRow: Hashable, Sendable {
    /// What is done.
    public var name: String
    /// Who does it now; `nil` when nobody does.
    public var owner: String?
    /// When it is to be done next.
    public var due: Timestamp
    /// When it last succeeded; `nil` before the first time.
    public var done: Timestamp?
    /// How often in a row it failed.
    public var failures: Int
    /// What came of the last turn, for people.
    public var detail: String
}

extension Database {
    /// Takes a task that is due and that nobody does, or whose instance is gone.
    ///
    /// - Parameters:
    ///   - name: Not empty.
    ///   - instance: Not empty; a name that no other process ever has.
    ///   - source: Where the task's data come from. With another one than last time it is due at once, and
    ///     what the old one said counts as old.
    ///   - duration: How long the claim holds unless it is prolonged.
    /// - Returns: `nil` when it is not due or somebody else does it.
    /// - Throws: `StoreError`.
    public func takeTask(
        _ name: String, as instance: String, source: String, for duration: Duration
    ) async throws(StoreError) -> TaskClaim? {
        try await transaction { session in
            try session.execute(SeedTask(name: name))
            guard let known = try session.first(LockTask(name: name)), known.isFree else { return nil }
            let isOther = known.source != source
            guard known.isDue || isOther else { return nil }
            if isOther { try session.execute(DistrustAssets()) }
            try session.execute(
                TakeTask(name: name, instance: instance, source: source, duration: duration))
            return TaskClaim(
                name: name, instance: instance, epoch: known.epoch + 1, failures: known.failures)
        }
    }

    /// Writes under a claim, which holds for another duration afterwards.
    ///
    /// - Throws: `StoreError`; ``MarketStoreError/taskLost(_:)`` as its body when somebody else does the task
    ///   now: nothing is written then.
    public func write(
        under claim: TaskClaim, for duration: Duration,
        _ body: @escaping @Sendable (borrowing Session) throws -> Void
    ) async throws(StoreError) {
        try await transaction { session in
            guard try session.execute(ProlongTask(claim: claim, duration: duration)) == 1 else {
                throw StoreError.body(MarketStoreError.taskLost(claim.name))
            }
            try body(session)
        }
    }

    /// Gives a task back.
    ///
    /// - Parameters:
    ///   - claim: One that is over already changes nothing.
    ///   - wait: When it is due again.
    ///   - isDone: Whether it succeeded.
    ///   - detail: What came of it, for people.
    /// - Throws: `StoreError`.
    public func end(
        _ claim: TaskClaim, dueIn wait: Duration, isDone: Bool, _ detail: String
    ) async throws(StoreError) {
        _ = try await execute(EndTask(claim: claim, wait: wait, isDone: isDone, detail: detail))
    }
}
