/// Writes what some schemas have into a file, and puts it back.
///
/// The file is text. Its first lines are `bitpal-backup 1` and `schema NAME VERSION` for each schema; then
/// for each table `table NAME COLUMN,COLUMN…` and a line of JSON for each row; its last line is `end ROWS`.
/// It may hold secrets, so only its owner can read it.
package struct SchemaBackup: Sendable {
    /// A schema as the program knows it.
    package struct Schema: Sendable, Hashable {
        package var name: String
        /// The version that the program brings it to.
        package var version: Int

        package init(_ name: String, version: Int) {
            self.name = name
            self.version = version
        }
    }

    let schemas: [Schema]
    let alongside: [String]
    let standing: [String]

    /// - Parameters:
    ///   - schemas: All of their tables belong to a backup.
    ///   - alongside: Tables, with their schema, that those refer to: rows that are there stay.
    ///   - standing: Tables of the schemas, with their schema, that a new installation fills by itself: their
    ///     rows are nobody's, and replaced without asking.
    package init(_ schemas: [Schema], alongside: [String] = [], standing: [String] = []) {
        self.schemas = schemas
        self.alongside = alongside
        self.standing = standing
    }

    /// Writes a file; what is in it is of one moment.
    ///
    /// - Returns: What was written.
    /// - Throws: ``BackupProblem`` or ``StoreError``.
    package func write(to path: String, from configuration: StoreConfiguration) async throws -> BackupReport {
        try await DirectWork.run("backup", configuration) { session, _ in try write(to: path, session) }
    }

    /// The same within a session that is in no transaction.
    func write(to path: String, _ session: borrowing Session) throws -> BackupReport {
        let writer = try BackupWriter(path: path)
        do {
            try session.script("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            let report = try write(session, writer)
            try session.script("COMMIT")
            try writer.finish()
            return report
        } catch {
            writer.discard()
            throw error
        }
    }

    private func write(_ session: borrowing Session, _ writer: BackupWriter) throws -> BackupReport {
        try writer.line("bitpal-backup 1")
        for schema in try versions(session) { try writer.line("schema \(schema.name) \(schema.version)") }
        var report = BackupReport()
        for table in try session.backupTables(schemas.map(\.name), alongside) {
            try writer.line("table \(table.name) \(table.columns.map(\.name).joined(separator: ","))")
            let before = report.rows
            try session.lines(table.reading) { line in
                try writer.line(line)
                report.rows += 1
            }
            if report.rows > before { report.tables += 1 }
        }
        try writer.line("end \(report.rows)")
        return report
    }

    /// The recorded versions of those schemas that there are.
    private func versions(_ session: borrowing Session) throws(StoreError) -> [Schema] {
        var found: [Schema] = []
        for schema in schemas {
            var isThere = false
            try session.rows(sql: "SELECT to_regclass('\(schema.name).schema_migration') IS NOT NULL") {
                (row) throws(StoreError) in isThere = try row.bool()
            }
            guard isThere else { continue }
            try session.rows(sql: "SELECT coalesce(max(version), 0) FROM \(schema.name).schema_migration") {
                (row) throws(StoreError) in
                found.append(Schema(schema.name, version: Int(try row.int32())))
            }
        }
        return found
    }

    /// Puts a file's rows into a database whose schemas are at the program's versions: all or nothing.
    ///
    /// Programs that use the database may go on: the connections on which they listen for changes are closed
    /// then, so that each of them connects again and reads what is there now. A restoration that they stand
    /// in the way of is repeated.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: The database.
    ///   - isReplacing: Whether what is there goes; else there must be nothing.
    /// - Returns: What was put back.
    /// - Throws: ``BackupProblem`` or ``StoreError``.
    package func restore(
        from path: String, into configuration: StoreConfiguration, replacing isReplacing: Bool = false
    ) async throws -> BackupReport {
        try await restore(from: path, into: configuration, replacing: isReplacing) { _ in
        } then: { _, _, report in
            report
        }
    }

    /// The same with what has to be done in the same transaction.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: The database.
    ///   - isReplacing: Whether what is there goes; else there must be nothing.
    ///   - look: What is to be known of what is there before it goes.
    ///   - act: What follows from that once the file's rows are there.
    /// - Returns: What `act` returns.
    /// - Throws: ``BackupProblem``, ``StoreError``, or what both throw.
    package func restore<Known: Sendable, Value: Sendable>(
        from path: String, into configuration: StoreConfiguration, replacing isReplacing: Bool,
        after look: @escaping @Sendable (borrowing Session) throws -> Known,
        then act: @escaping @Sendable (borrowing Session, Known, BackupReport) throws -> Value
    ) async throws -> Value {
        try await DirectWork.run("backup", configuration) { session, _ in
            let once: (borrowing Session) throws -> Value = { session in
                var known: Known?
                var value: Value?
                _ = try restoreOnce(from: path, session, isReplacing) { session in
                    known = try look(session)
                } then: { session, report in
                    if let known { value = try act(session, known, report) }
                }
                guard let value else { throw BackupProblem.truncated(path: path) }
                return value
            }
            for _ in 1..<Self.attempts {
                do {
                    return try once(session)
                } catch let error as StoreError where error.sqlState == Self.deadlock {
                    try session.script("ROLLBACK")
                }
            }
            return try once(session)
        }
    }

    /// Two transactions that wait for each other: the server ended ours.
    private static let deadlock = "40P01"
    private static let attempts = 10

    /// One attempt, within a session.
    func restoreOnce(
        from path: String, _ session: borrowing Session, _ isReplacing: Bool,
        after look: (borrowing Session) throws -> Void = { _ in },
        then act: (borrowing Session, BackupReport) throws -> Void = { _, _ in }
    ) throws -> BackupReport {
        let restoration = try Restoration(self, path: path, session)
        try session.script("BEGIN")
        try look(session)
        try restoration.clear(session, replacing: isReplacing)
        let report = try restoration.run(session)
        try act(session, report)
        try session.script("COMMIT")
        // What was stored stays, whatever becomes of this.
        try? session.endListening()
        return report
    }
}
