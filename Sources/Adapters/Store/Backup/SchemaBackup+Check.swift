import Logging

extension SchemaBackup {
    /// Restores a file into an empty database and compares what arrived, table by table.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - session: The empty database.
    ///   - migrators: Make there the schemas that the file is restored into.
    /// - Returns: What was found.
    /// - Throws: ``BackupProblem`` or ``StoreError``.
    func check(
        _ path: String, in session: borrowing Session, made migrators: [Migrator]
    ) throws -> BackupProof {
        // What is applied there is nobody's news.
        let logger = Logger(label: "migration") { _ in SwiftLogNoOpLogHandler() }
        for migrator in migrators { _ = try migrator.migrate(session, logger) }
        var proof = BackupProof()
        proof.report = try restoreOnce(from: path, session, false)
        proof.schemas = try Self.schemas(of: path)
        let expected = try BackupContents.read(path)
        for table in try session.backupTables(schemas.map(\.name), []) {
            let wanted = expected[table.name] ?? BackupContents()
            var found = BackupContents(columns: table.columns.map(\.name).joined(separator: ","))
            try session.lines(table.reading) { line in found.add(line) }
            guard found.rows == wanted.rows else {
                throw BackupProblem.differs(
                    path: path, table: table.name, rows: wanted.rows, restored: found.rows)
            }
            // Of a file with other columns, an older one, only the number can be compared.
            guard found.columns == wanted.columns else { continue }
            guard found == wanted else { throw BackupProblem.changed(path: path, table: table.name) }
            proof.tables += 1
        }
        proof.references = try checkReferences(path, session)
        return proof
    }

    /// The schemas that a file names.
    private static func schemas(of path: String) throws(BackupProblem) -> [Schema] {
        let lines = try BackupLines(path: path)
        var schemas: [Schema] = []
        while let line = try lines.next(), !line.hasPrefix("table ") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "schema", let version = Int(words[2]) else { continue }
            schemas.append(Schema(String(words[1]), version: version))
        }
        return schemas
    }

    /// Looks each reference of each row up, whatever the server thinks of its constraints.
    ///
    /// - Returns: How many kinds of references there are.
    private func checkReferences(_ path: String, _ session: borrowing Session) throws -> Int {
        var questions: [(constraint: String, sql: String)] = []
        try session.rows(sql: Self.references) { (row) throws(StoreError) in
            questions.append((try row.text(), try row.text()))
        }
        for (constraint, sql) in questions {
            var orphans = 0
            try session.rows(sql: sql) { (row) throws(StoreError) in orphans = Int(try row.int64()) }
            guard orphans == 0 else {
                throw BackupProblem.orphans(path: path, constraint: constraint, rows: orphans)
            }
        }
        return questions.count
    }

    /// Of each foreign key its name, and a query for the rows that refer to none.
    ///
    /// A row with a NULL in the key refers to nothing (MATCH SIMPLE).
    private static let references = """
        SELECT conrelid::regclass::text || '.' || conname::text, format(
            'SELECT count(*) FROM %s AS child WHERE %s AND NOT EXISTS (SELECT FROM %s AS parent WHERE %s)',
            conrelid::regclass,
            string_agg(format('child.%I IS NOT NULL', source.attname), ' AND '),
            confrelid::regclass,
            string_agg(format('parent.%I = child.%I', target.attname, source.attname), ' AND '))
        FROM pg_catalog.pg_constraint
        CROSS JOIN LATERAL unnest(conkey, confkey) AS pair (child, parent)
        JOIN pg_catalog.pg_attribute AS source ON source.attrelid = conrelid AND source.attnum = pair.child
        JOIN pg_catalog.pg_attribute AS target ON target.attrelid = confrelid AND target.attnum = pair.parent
        WHERE contype = 'f'
        GROUP BY conname, conrelid, confrelid
        ORDER BY 1
        """
}
