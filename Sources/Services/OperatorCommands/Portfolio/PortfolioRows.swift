import JSON

/// Rows of what is reckoned here, as a table for people and as lines of JSON.
enum PortfolioRows {
    static func print<Row>(
        _ rows: [Row], _ json: Bool, _ columns: [(String, TextTable.Alignment)],
        cells: (Row) -> [String], write: (Row, inout JSONWriter) -> Void
    ) throws {
        if json {
            let output = StandardOutput()
            for row in rows {
                var line = JSONWriter()
                line.beginObject()
                write(row, &line)
                line.endObject()
                line.endLine()
                try output.write(line.bytes)
            }
            return try output.flush()
        }
        var table = TextTable(columns)
        for row in rows { table.append(cells(row).map { TextTable.Cell($0) }) }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }
}
