/// Why a backup cannot be written or restored; nothing was changed in the database then.
package enum BackupProblem: Error, Sendable, CustomStringConvertible {
    /// The file cannot be written or read.
    case file(path: String, reason: String)
    /// The file is not a backup, or was changed: its line, from 1, and what was expected there.
    case malformed(path: String, line: Int, expected: String)
    /// The file ends before its end.
    case truncated(path: String)
    /// The file is of a later program.
    case newer(schema: String, file: Int, program: Int)
    /// There is something already that a restoration would overwrite.
    case notEmpty(table: String)
    /// A row was refused; its line, from 1.
    case row(path: String, line: Int, cause: StoreError)
    /// There is no place to try a backup in.
    case uncheckable(cause: StoreError)
    /// What a backup gives back is not what is in it.
    case differs(path: String, table: String, rows: Int, restored: Int)
    /// As many rows come back as are in it, but not the same.
    case changed(path: String, table: String)
    /// Rows that came back refer to rows that did not.
    case orphans(path: String, constraint: String, rows: Int)
    /// Something that holds in every database does not in what came back.
    case broken(path: String, rule: String, exceptions: Int)

    /// One line for a person.
    package var description: String {
        switch self {
        case .file(let path, let reason): "\(path): \(reason)"
        case .malformed(let path, let line, let expected):
            "\(path): line \(line) is not that of a backup; expected is \(expected)"
        case .truncated(let path): "\(path): the file ends before its end; it is no whole backup"
        case .newer(let schema, let file, let program):
            "the backup has schema \"\(schema)\" at version \(file), and this program knows \(program); "
                + "restore it with the newer program"
        case .notEmpty(let table):
            "\(table) is not empty; a restoration replaces everything, if it is told to"
        case .row(let path, let line, let cause):
            "\(path): the rows before line \(line) are refused: \(cause)"
        case .uncheckable(let cause):
            "a backup is tried in a database of its own, and none can be made: \(cause); let an administrator "
                + "run ALTER ROLE … CREATEDB; `bitpal migrate --unchecked` does without"
        case .differs(let path, let table, let rows, let restored):
            "\(path): \(rows) rows of \(table) are in the backup, and \(restored) come back"
        case .changed(let path, let table): "\(path): rows of \(table) come back as others than they were"
        case .orphans(let path, let constraint, let rows):
            "\(path): \(rows) rows come back without what they refer to by \(constraint)"
        case .broken(let path, let rule, let exceptions):
            "\(path): what comes back has \(exceptions) exceptions to this: \(rule)"
        }
    }
}

/// What a backup or a restoration did.
package struct BackupReport: Sendable, Hashable {
    /// Tables with rows.
    package var tables = 0
    /// Rows of all tables.
    package var rows = 0

    package init(tables: Int = 0, rows: Int = 0) {
        self.tables = tables
        self.rows = rows
    }
}
