/// What was found to be true of a backup when it was restored.
package struct BackupProof: Sendable, Hashable {
    /// Tables with rows, and rows of all tables: as many as are in the file.
    package var report = BackupReport()
    /// Tables whose rows came back as they were, column by column.
    package var tables = 0
    /// References between tables, each of which leads somewhere.
    package var references = 0
    /// The schemas as the file has them.
    package var schemas: [SchemaBackup.Schema] = []
    /// Rules that hold in what came back.
    package var rules: [String] = []

    package init() {}

    /// What was looked at, a line each.
    package var lines: [String] {
        var lines = ["\(report.rows) rows of \(report.tables) tables are back, as many as are in the file"]
        lines.append("\(tables) tables hold the same as in the file, row by row")
        lines.append("\(references) references between tables, and each leads to a row")
        lines.append(
            "schemas: " + schemas.map { "\($0.name) at version \($0.version)" }.joined(separator: ", "))
        return lines + rules
    }
}

/// Something that holds in every database of an installation.
package struct BackupRule: Sendable {
    /// As a sentence.
    let text: String
    /// How many exceptions to it there are.
    let exceptions: @Sendable (borrowing Session) throws(StoreError) -> Int

    package init(
        _ text: String, exceptions: @escaping @Sendable (borrowing Session) throws(StoreError) -> Int
    ) {
        self.text = text
        self.exceptions = exceptions
    }
}
