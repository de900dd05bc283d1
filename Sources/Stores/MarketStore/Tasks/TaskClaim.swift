package import Instruments
package import Store

/// The right of one instance to do a task, until it is over or given back.
package struct TaskClaim: Hashable, Sendable {
    /// What is done.
    package let name: String
    /// Who does it.
    package let instance: String
    /// Which taking this is.
    package let epoch: Int64
    /// How often in a row it failed before.
    package let failures: Int
}

/// What is stored of a task.
package struct TaskRow: Hashable, Sendable {
    /// What is done.
    package var name: String
    /// Who does it now; `nil` when nobody does.
    package var owner: String?
    /// When it is to be done next.
    package var due: Timestamp
    /// When it last succeeded; `nil` before the first time.
    package var done: Timestamp?
    /// How often in a row it failed.
    package var failures: Int
    /// What came of the last turn, for people.
    package var detail: String
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
    package func takeTask(
        _ name: String, as instance: String, source: String, for duration: Duration
    ) async throws(StoreError) -> TaskClaim? {
        try await transaction { session in
            try session.execute("INSERT INTO market.task (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
            let known = try session.first(
                """
                SELECT epoch, failures, source, due_at <= clock_timestamp(),
                    owner IS NULL OR expires_at <= clock_timestamp()
                FROM market.task WHERE name = \(name) FOR UPDATE
                """
            ) { row in
                (
                    epoch: try row.int64(), failures: Int(try row.int32()), source: try row.text(),
                    isDue: try row.bool(), isFree: try row.bool()
                )
            }
            guard let known, known.isFree else { return nil }
            let isOther = known.source != source
            guard known.isDue || isOther else { return nil }
            // A task that is taken for the first time has said nothing yet.
            if isOther, !known.source.isEmpty { try session.distrustAssets() }
            try session.execute(
                """
                UPDATE market.task SET owner = \(instance), source = \(source), epoch = epoch + 1,
                    expires_at = clock_timestamp() + \(duration.wholeMicroseconds) * interval '1 microsecond'
                WHERE name = \(name)
                """)
            return TaskClaim(
                name: name, instance: instance, epoch: known.epoch + 1, failures: known.failures)
        }
    }

    /// Writes under a claim, which holds for another duration afterwards.
    ///
    /// - Throws: `StoreError`; ``MarketStoreError/taskLost(_:)`` as its body when somebody else does the task
    ///   now: nothing is written then.
    package func write(
        under claim: TaskClaim, for duration: Duration,
        _ body: @escaping @Sendable (borrowing Session) throws -> Void
    ) async throws(StoreError) {
        try await transaction { session in
            // Also one that is over, as long as nobody else took it.
            let prolonged = try session.execute(
                """
                UPDATE market.task SET
                    expires_at = clock_timestamp() + \(duration.wholeMicroseconds) * interval '1 microsecond'
                WHERE name = \(claim.name) AND owner = \(claim.instance) AND epoch = \(claim.epoch)
                """)
            guard prolonged == 1 else {
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
    package func end(
        _ claim: TaskClaim, dueIn wait: Duration, isDone: Bool, _ detail: String
    ) async throws(StoreError) {
        try await execute(
            """
            UPDATE market.task SET
                owner = NULL,
                due_at = clock_timestamp() + \(wait.wholeMicroseconds) * interval '1 microsecond',
                detail = \(detail),
                done_at = CASE WHEN \(isDone) THEN clock_timestamp() ELSE done_at END,
                failures = CASE WHEN \(isDone) THEN 0 ELSE failures + 1 END
            WHERE name = \(claim.name) AND owner = \(claim.instance) AND epoch = \(claim.epoch)
            """)
    }

    /// All tasks, by name.
    package func tasks() async throws(StoreError) -> [TaskRow] {
        try await rows(
            """
            SELECT name, owner, greatest(due_at, timestamptz 'epoch'), done_at, failures, detail
            FROM market.task ORDER BY name
            """
        ) { row in
            TaskRow(
                name: try row.text(), owner: try row.textOrNil(), due: try row.time(),
                done: try row.timeOrNil(), failures: Int(try row.int32()), detail: try row.text())
        }
    }
}

extension Duration {
    /// Cut towards zero, at most a year.
    fileprivate var wholeMicroseconds: Int64 {
        let bounded = min(max(self, .zero), .seconds(366 * 86_400))
        return bounded.components.seconds * 1_000_000 + bounded.components.attoseconds / 1_000_000_000_000
    }
}
