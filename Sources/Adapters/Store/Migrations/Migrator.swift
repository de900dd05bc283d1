package import Logging
import Threads

/// Brings one schema to the program's version, whoever else tries at the same time.
///
/// The record is `<schema>.schema_migration`, with a checksum per step. One advisory lock per schema, on a
/// direct session, lets one program migrate while the others wait and then find the work done.
package struct Migrator: Sendable {
    private let schema: String
    private let migrations: [any Migration.Type]

    /// How long another program's run is waited for.
    private static let lockWait: Duration = .seconds(60)
    private static let lockPause: Duration = .milliseconds(50)
    /// A step may rewrite a table.
    private static let stepLimit: Duration = .seconds(600)

    /// - Parameters:
    ///   - schema: Lower-case letters and underscores; made when it is missing.
    ///   - migrations: In order of their versions, which begin at 1 and rise.
    /// - Precondition: Both as said.
    package init(schema: String, migrations: [any Migration.Type]) {
        precondition(
            !schema.isEmpty && schema.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || $0 == 95 },
            "a schema's name has lower-case letters and underscores only")
        precondition(
            (migrations.first?.version ?? 1) == 1
                && zip(migrations, migrations.dropFirst()).allSatisfy { $0.version < $1.version },
            "versions of migrations begin at 1 and rise")
        self.schema = schema
        self.migrations = migrations
    }

    /// The version that it brings the schema to.
    package var version: Int { migrations.last?.version ?? 0 }

    /// Applies what is missing, each step once, in order.
    ///
    /// - Throws: ``StoreError/migration(_:)`` for a drifted checksum, a newer database, a failed step or a
    ///   lock that was not released in time; connection errors as they are.
    @discardableResult
    package func migrate(
        _ configuration: StoreConfiguration, logger: Logger
    ) async throws(StoreError) -> MigrationReport {
        let signal = try WakeSignal()
        let result: Result<MigrationReport, StoreError> = await withTaskCancellationHandler {
            await NamedThread.run(name: "migrate-\(schema)") {
                do throws(StoreError) {
                    let connection = try Connection(direct(configuration), signal: signal)
                    return .success(try migrate(Session(connection: connection), logger))
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

    private func migrate(_ session: borrowing Session, _ logger: Logger) throws(StoreError) -> MigrationReport
    {
        try lock(session)
        try session.script(
            """
            CREATE SCHEMA IF NOT EXISTS \(schema);
            CREATE TABLE IF NOT EXISTS \(schema).schema_migration (
                version integer PRIMARY KEY CHECK (version > 0),
                name text NOT NULL,
                sha256 text NOT NULL CHECK (length(sha256) = 64),
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """)
        let recorded = try record(session)
        try check(recorded)
        var applied: [Int] = []
        for migration in migrations.dropFirst(recorded.count) {
            try apply(migration, session)
            applied.append(migration.version)
            logger.info(
                "Migration applied",
                metadata: [
                    "schema": "\(schema)", "version": "\(migration.version)", "name": "\(migration.name)",
                ])
        }
        // The lock ends with the session, which ends with the connection, right after this.
        return MigrationReport(applied: applied, version: version)
    }

    /// Tries again and again instead of waiting in the server: a session that waits there holds a snapshot,
    /// which CREATE INDEX CONCURRENTLY of the running program would wait for in turn.
    private func lock(_ session: borrowing Session) throws(StoreError) {
        // The first number keeps our locks apart from those of other programs: "bpal" in ASCII.
        let number = Int32(truncatingIfNeeded: schema.utf8.reduce(Int64(5381)) { $0 &* 33 &+ Int64($1) })
        let sql = "SELECT pg_try_advisory_lock(\(0x6270_616C), \(number))"
        let deadline = Deadline(after: Self.lockWait)
        while true {
            var isLocked = false
            try session.rows(sql: sql) { (row) throws(StoreError) in isLocked = try row.bool() }
            if isLocked { return }
            if deadline.isOver { throw .migration(.busy(schema: schema)) }
            let pause = Deadline(after: Self.lockPause)
            _ = waitForSocket(-1, events: 0, signal: session.connection.signal, until: pause)
        }
    }

    /// The recorded steps, by version.
    private func record(_ session: borrowing Session) throws(StoreError) -> [RecordedMigration] {
        var recorded: [RecordedMigration] = []
        let sql = "SELECT version, name, sha256 FROM \(schema).schema_migration ORDER BY version"
        try session.rows(sql: sql) { (row) throws(StoreError) in
            recorded.append(
                RecordedMigration(version: Int(try row.int32()), name: try row.text(), sha256: try row.text())
            )
        }
        return recorded
    }

    private func check(_ recorded: [RecordedMigration]) throws(StoreError) {
        let newest = recorded.last?.version ?? 0
        for (index, step) in recorded.enumerated() {
            guard index < migrations.count, step.version >= migrations[index].version else {
                throw .migration(.databaseNewer(schema: schema, database: newest, program: version))
            }
            guard step.version == migrations[index].version else {
                throw .migration(
                    .missing(schema: schema, version: migrations[index].version, database: newest))
            }
            guard step.sha256 == Checksum.of(migrations[index].sql) else {
                throw .migration(.checksumDrift(schema: schema, version: step.version, name: step.name))
            }
        }
    }

    private func apply(_ migration: any Migration.Type, _ session: borrowing Session) throws(StoreError) {
        let name = migration.name.replacing("'", with: "''")
        let record = """
            INSERT INTO \(schema).schema_migration (version, name, sha256)
            VALUES (\(migration.version), '\(name)', '\(Checksum.of(migration.sql))')
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

private struct RecordedMigration {
    let version: Int
    let name: String
    let sha256: String
}
