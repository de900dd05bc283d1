package import Logging
import Threads

/// Brings one schema to the program's version, whoever else tries at the same time.
///
/// The record is `<schema>.schema_migration`, with a checksum per step and the oldest version whose programs
/// can work on what it leaves. One advisory lock per schema, on a direct session, lets one program migrate
/// while the others wait and then find the work done.
package struct Migrator: Sendable {
    /// Its name.
    package let schema: String
    let migrations: [any Migration.Type]

    /// A step may rewrite a table.
    private static let stepLimit: Duration = .seconds(600)

    /// - Parameters:
    ///   - schema: Lower-case letters and underscores; made when it is missing.
    ///   - migrations: In order of their versions, which begin at 1 and rise.
    /// - Precondition: Both as said, and no step is readable only from a version after it.
    package init(schema: String, migrations: [any Migration.Type]) {
        precondition(
            !schema.isEmpty && schema.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || $0 == 95 },
            "a schema's name has lower-case letters and underscores only")
        precondition(
            (migrations.first?.version ?? 1) == 1
                && zip(migrations, migrations.dropFirst()).allSatisfy { $0.version < $1.version },
            "versions of migrations begin at 1 and rise")
        precondition(
            migrations.allSatisfy { (1...$0.version).contains($0.readableFrom ?? 1) },
            "the oldest version that can work on a step's result is 1 to its own")
        self.schema = schema
        self.migrations = migrations
    }

    /// The version that it brings the schema to.
    package var version: Int { migrations.last?.version ?? 0 }

    /// The same as a program of an earlier version had it.
    package func limited(to version: Int) -> Migrator {
        Migrator(schema: schema, migrations: migrations.filter { $0.version <= version })
    }

    /// Applies what is missing, each step once, in order.
    ///
    /// A newer database that this program can work on is left as it is.
    ///
    /// - Throws: ``StoreError/migration(_:)`` for a drifted checksum, a database that only newer programs can
    ///   work on, a failed step or a lock that was not released in time; connection errors as they are.
    @discardableResult
    package func migrate(
        _ configuration: StoreConfiguration, logger: Logger
    ) async throws(StoreError) -> MigrationReport {
        try await onThread(configuration) { (session) throws(StoreError) in
            try migrate(session, logger)
        }
    }

    /// Makes the schema where there is none, because nothing can be lost there, and changes none that is.
    ///
    /// - Throws: As ``migrate(_:logger:)``, and ``MigrationProblem/databaseOlder(schema:database:program:)``
    ///   for one that ``MigrationJob`` has to bring to this program's version first.
    package func prepare(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError) {
        try await onThread(configuration) { (session) throws(StoreError) in
            if try state(session).standing.isUsable { return }
            // New, old, or just being made: whoever is at it is waited for.
            try MigrationLock.take(schema, session)
            let state = try self.state(session)
            switch state.standing {
            case .current, .newer: return
            case .absent: _ = try migrate(session, logger)
            case .older:
                throw .migration(
                    .databaseOlder(schema: schema, database: state.database, program: version))
            }
        }
    }

    private func onThread<Value: Sendable>(
        _ configuration: StoreConfiguration,
        _ body: @escaping @Sendable (borrowing Session) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let (signal, settings) = (try WakeSignal(), direct(configuration))
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await NamedThread.run(name: "migrate-\(schema)") {
                do throws(StoreError) {
                    let connection = try Connection(settings, signal: signal)
                    return .success(try body(Session(connection: connection)))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            signal.interrupt()
        }
        return try result.get()
    }

    private func direct(_ configuration: StoreConfiguration) -> StoreConfiguration {
        var direct = configuration
        direct.statementTimeout = Self.stepLimit
        direct.lockTimeout = Self.stepLimit
        direct.applicationName += " migration"
        return direct
    }

    /// The same within a session, whose end ends the lock.
    func migrate(_ session: borrowing Session, _ logger: Logger) throws(StoreError) -> MigrationReport {
        try MigrationLock.take(schema, session)
        let state = try self.state(session)
        var applied: [Int] = []
        var readableFrom = state.readableFrom
        let pending = migrations.filter { $0.version > state.database }
        if !pending.isEmpty { try session.script(recordTable) }
        for migration in pending {
            readableFrom = max(readableFrom, migration.readableFrom ?? 1)
            try apply(migration, readableFrom, session)
            applied.append(migration.version)
            logger.info(
                "Migration applied",
                metadata: [
                    "schema": "\(schema)", "version": "\(migration.version)", "name": "\(migration.name)",
                ])
        }
        return MigrationReport(applied: applied, version: max(state.database, version))
    }

    /// Records of programs that did not know `readable_from` have none.
    private var recordTable: String {
        """
        CREATE SCHEMA IF NOT EXISTS \(schema);
        CREATE TABLE IF NOT EXISTS \(schema).schema_migration (
            version integer PRIMARY KEY CHECK (version > 0),
            name text NOT NULL,
            sha256 text NOT NULL CHECK (length(sha256) = 64),
            applied_at timestamptz NOT NULL DEFAULT now()
        );
        ALTER TABLE \(schema).schema_migration
            ADD COLUMN IF NOT EXISTS readable_from integer CHECK (readable_from BETWEEN 1 AND version)
        """
    }

    private func apply(
        _ migration: any Migration.Type, _ readableFrom: Int, _ session: borrowing Session
    ) throws(StoreError) {
        let name = migration.name.replacing("'", with: "''")
        let sum = Checksum.of(migration.sql)
        let record = """
            INSERT INTO \(schema).schema_migration (version, name, sha256, readable_from)
            VALUES (\(migration.version), '\(name)', '\(sum)', \(readableFrom))
            """
        do throws(StoreError) {
            if migration.isTransactional {
                try session.script("BEGIN;\n\(migration.sql);\n\(record);\nCOMMIT")
            } else {
                try session.script(migration.sql)
                try session.script(record)
            }
        } catch {
            throw .migration(.failed(schema: schema, version: migration.version, cause: error))
        }
    }
}
