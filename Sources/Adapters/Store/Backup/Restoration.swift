/// A backup on its way back.
struct Restoration {
    private let path: String
    private let tables: [String: BackupTable]
    private let order: [BackupTable]
    private let kept: Set<String>
    private let standing: Set<String>
    private let lines: BackupLines

    /// Rows that go with one statement, and bytes of them.
    private static let batchLimit = (rows: 1_000, bytes: 4 << 20)

    /// Reads the head of a file and compares it with the program.
    init(_ backup: SchemaBackup, path: String, _ session: borrowing Session) throws {
        self.path = path
        lines = try BackupLines(path: path)
        guard try lines.next() == "bitpal-backup 1" else {
            throw BackupProblem.malformed(path: path, line: 1, expected: "\"bitpal-backup 1\"")
        }
        order = try session.backupTables(backup.schemas.map(\.name), backup.alongside)
        tables = Dictionary(order.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        kept = Set(backup.alongside)
        standing = Set(backup.standing)
        versions = Dictionary(
            backup.schemas.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    }

    private let versions: [String: Int]

    /// Makes room.
    func clear(_ session: borrowing Session, replacing isReplacing: Bool) throws {
        let own = order.filter { !kept.contains($0.name) }
        for table in own where !isReplacing && !standing.contains(table.name) {
            var isEmpty = true
            // What every new database has does not count: the operator, and counters with one row.
            try session.rows(sql: "SELECT count(*) <= 1 FROM \(table.name)") { (row) throws(StoreError) in
                isEmpty = try row.bool()
            }
            guard isEmpty else { throw BackupProblem.notEmpty(table: table.name) }
        }
        guard !own.isEmpty else { return }
        // What other schemas keep of those rows, such as answers that were given, would speak of rows that
        // are gone.
        try session.script("TRUNCATE \(own.map(\.name).joined(separator: ", ")) CASCADE")
    }

    /// Stores every row.
    func run(_ session: borrowing Session) throws -> BackupReport {
        var report = BackupReport()
        var table: BackupTable?
        var columns: Set<String> = []
        var batch: [String] = []
        var bytes = 0
        while let line = try lines.next() {
            if line.hasPrefix("{") {
                guard table != nil else { throw malformed("a table before its rows") }
                batch.append(line)
                bytes += line.utf8.count
                report.rows += 1
                if batch.count >= Self.batchLimit.rows || bytes >= Self.batchLimit.bytes {
                    try store(&batch, columns, table, session)
                    bytes = 0
                }
                continue
            }
            if !batch.isEmpty { report.tables += 1 }
            try store(&batch, columns, table, session)
            bytes = 0
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count) {
            case ("schema", 3): try check(words[1], Int(words[2]))
            case ("table", 3):
                table = try named(words[1], words[2])
                columns = Set(words[2].split(separator: ",").map(String.init))
            case ("end", 2):
                guard words[1] == "\(report.rows)", try lines.next() == nil else {
                    throw malformed("the end after \(report.rows) rows")
                }
                try advanceIdentities(session)
                return report
            default: throw malformed("a schema, a table, a row or the end")
            }
        }
        throw BackupProblem.truncated(path: path)
    }

    private func malformed(_ expected: String) -> BackupProblem {
        .malformed(path: path, line: lines.number, expected: expected)
    }

    private func check(_ schema: String, _ version: Int?) throws {
        guard let version, let program = versions[schema] else {
            throw malformed("one of the schemas \(versions.keys.sorted().joined(separator: ", "))")
        }
        guard version <= program else {
            throw BackupProblem.newer(schema: schema, file: version, program: program)
        }
    }

    private func named(_ name: String, _ columns: String) throws -> BackupTable {
        guard let table = tables[name] else { throw malformed("a table of this program") }
        let known = Set(table.columns.map(\.name))
        for column in columns.split(separator: ",") where !known.contains(String(column)) {
            throw malformed("columns of this program, and \(column) of \(name) is none")
        }
        return table
    }

    private func store(
        _ batch: inout [String], _ columns: Set<String>, _ table: BackupTable?, _ session: borrowing Session
    ) throws {
        guard let table, !batch.isEmpty else { return }
        let json = "[\(batch.joined(separator: ","))]"
        do throws(StoreError) {
            try session.script(table.writing(columns, json, keepsKnown: kept.contains(table.name)))
        } catch {
            throw BackupProblem.row(path: path, line: lines.number + 1, cause: error)
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// What is made next gets a number that is not taken.
    private func advanceIdentities(_ session: borrowing Session) throws(StoreError) {
        for table in order where !kept.contains(table.name) {
            for column in table.columns where column.isIdentity {
                let sequence = "pg_get_serial_sequence('\(table.name)', '\(column.name)')"
                let next = "(SELECT coalesce(max(\"\(column.name)\"), 0) + 1 FROM \(table.name))"
                try session.rows(sql: "SELECT setval(\(sequence), \(next), false)") { _ in }
            }
        }
    }
}
