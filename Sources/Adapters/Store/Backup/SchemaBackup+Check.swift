import Logging

extension SchemaBackup {
    /// Restores a file into an empty database and counts what arrived, table by table.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - session: The empty database.
    ///   - migrators: Make there what the file's own database has.
    /// - Throws: ``BackupProblem`` or ``StoreError``.
    func check(_ path: String, in session: borrowing Session, made migrators: [Migrator]) throws {
        // What is applied there is nobody's news.
        let logger = Logger(label: "migration") { _ in SwiftLogNoOpLogHandler() }
        for migrator in migrators { _ = try migrator.migrate(session, logger) }
        _ = try restoreOnce(from: path, session, false)
        let expected = try Self.rows(of: path)
        for table in try session.backupTables(schemas.map(\.name), []) {
            var count = 0
            try session.rows(sql: "SELECT count(*) FROM \(table.name)") { (row) throws(StoreError) in
                count = Int(try row.int64())
            }
            let wanted = expected[table.name] ?? 0
            guard count == wanted else {
                throw BackupProblem.differs(path: path, table: table.name, rows: wanted, restored: count)
            }
        }
    }

    /// How many rows a file has of each table.
    private static func rows(of path: String) throws(BackupProblem) -> [String: Int] {
        let lines = try BackupLines(path: path)
        var rows: [String: Int] = [:]
        var table = ""
        while let line = try lines.next() {
            if line.hasPrefix("{") {
                rows[table, default: 0] += 1
            } else if line.hasPrefix("table ") {
                table = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            }
        }
        return rows
    }
}
