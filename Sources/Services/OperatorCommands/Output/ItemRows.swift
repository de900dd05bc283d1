import JSON

/// Things of a gateway's answers, as a table for people or as lines of JSON as the gateway wrote them.
enum ItemRows {
    /// A row each, of as many cells as there are columns; a line of JSON each where that is wanted.
    static func print(
        _ items: [JSONValue], json isJSON: Bool, _ columns: [(String, TextTable.Alignment)],
        cells: (JSONValue) throws -> [TextTable.Cell]
    ) throws {
        if isJSON { return try lines(items) }
        var table = TextTable(columns)
        for item in items { table.append(try cells(item)) }
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// A line of JSON each.
    static func lines(_ items: [JSONValue]) throws {
        let output = StandardOutput()
        for item in items { try output.write(item.bytes + [0x0A]) }
        try output.flush()
    }
}

extension JSONValue {
    /// A member's text as a cell; nothing for `null`, and for what is missing.
    func cell(_ key: String) -> TextTable.Cell { TextTable.Cell(text(key)) }

    /// A member's text; empty for `null`, and for what is missing.
    func text(_ key: String) -> String {
        switch self[key] {
        case .bool(let flag): flag ? "true" : "false"
        case let value: value?.text ?? ""
        }
    }

    /// A list of texts, joined.
    func texts(_ key: String, joinedBy separator: String = ", ") -> String {
        (self[key]?.elements ?? []).compactMap(\.text).joined(separator: separator)
    }
}
