package import Logging

/// Brings every schema of an installation to the program's versions, and backs up first what is there.
///
/// The one place that changes schemas with rows in them: services only make what is missing. It keeps one
/// lock from its first look to its end, so that a second job waits, and then finds nothing to do.
package struct MigrationJob: Sendable {
    /// What is done before anything is changed.
    package enum Precaution: Sendable {
        /// A backup into the file that the function names, tried in a database of its own.
        case checkedBackup(@Sendable () throws -> String)
        /// A backup that nobody tried.
        case backup(@Sendable () throws -> String)
        case none
    }

    private let migrators: [Migrator]
    private let backup: SchemaBackup

    /// - Parameters:
    ///   - migrators: Each after those that its schema refers to.
    ///   - backup: What people own in them.
    package init(_ migrators: [Migrator], backup: SchemaBackup) {
        self.migrators = migrators
        self.backup = backup
    }

    /// Looks, and changes nothing.
    ///
    /// - Returns: How each schema stands, in their order.
    /// - Throws: As ``run(_:first:logger:tell:)``.
    package func states(_ configuration: StoreConfiguration) async throws -> [SchemaState] {
        try await onThread(configuration) { session, _ in try states(session) }
    }

    /// Does what is to be done.
    ///
    /// - Parameters:
    ///   - configuration: The database.
    ///   - precaution: What comes first where a schema is there that changes; without one there is nothing
    ///     to lose.
    ///   - logger: Is told of each step.
    ///   - tell: Gets what a person wants to know, as it happens.
    /// - Throws: ``StoreError`` or ``BackupProblem``; before the precaution has succeeded nothing is changed.
    package func run(
        _ configuration: StoreConfiguration, first precaution: Precaution, logger: Logger,
        tell: @escaping @Sendable (MigrationNews) -> Void
    ) async throws {
        try await onThread(configuration) { session, open in
            try MigrationLock.take("installation", session)
            let states = try states(session)
            for state in states { tell(.found(state)) }
            guard states.contains(where: { !$0.standing.isUsable }) else { return tell(.nothingToDo) }
            if states.contains(where: { $0.database > 0 }) {
                try take(precaution, of: states, session, open, tell)
            }
            for migrator in migrators {
                let report = try migrator.migrate(session, logger)
                if !report.applied.isEmpty { tell(.migrated(schema: migrator.schema, report)) }
            }
        }
    }

    private func states(_ session: borrowing Session) throws -> [SchemaState] {
        var states: [SchemaState] = []
        for migrator in migrators { states.append(try migrator.state(session)) }
        return states
    }

    private func take(
        _ precaution: Precaution, of states: [SchemaState], _ session: borrowing Session,
        _ open: DirectWork.Opening,
        _ tell: (MigrationNews) -> Void
    ) throws {
        let place: @Sendable () throws -> String
        switch precaution {
        case .none: return tell(.unprotected)
        case .backup(let file), .checkedBackup(let file): place = file
        }
        let path = try place()
        tell(.backedUp(path: path, try backup.write(to: path, session)))
        guard case .checkedBackup = precaution else { return }
        let older = zip(migrators, states).map { $0.limited(to: $1.database) }
        try ScratchDatabase(for: session).use(open) { scratch in
            _ = try backup.check(path, in: scratch, made: older)
        }
        tell(.checked(path: path))
    }

    private func onThread<Value: Sendable>(
        _ configuration: StoreConfiguration,
        _ body: @escaping @Sendable (borrowing Session, DirectWork.Opening) throws -> Value
    ) async throws -> Value {
        var direct = configuration
        direct.lockTimeout = .seconds(600)
        return try await DirectWork.run("migration", direct, body)
    }
}
