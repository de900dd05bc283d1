import JSON

/// Things of a gateway's answers, as a table for people or as lines of JSON as the gateway wrote them.
enum ItemRows {
    /// A row each, or a line of JSON each where that is wanted.
    static func print(_ items: [JSONValue], json isJSON: Bool, _ columns: [Column<JSONValue>]) throws {
        try StandardOutput.say(items, json: isJSON, columns)
    }

    /// A line of JSON each.
    static func lines(_ items: [JSONValue]) throws { try StandardOutput.say(lines: items) }
}

extension Column<JSONValue> {
    /// A member as it is, headed by its name or by other words.
    static func member(
        _ name: String, _ alignment: TextTable.Alignment = .left, as heading: String? = nil
    ) -> Column<JSONValue> {
        Column(heading ?? name, alignment) { $0.cell(name) }
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
