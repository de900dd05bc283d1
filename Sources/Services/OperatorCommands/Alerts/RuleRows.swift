import Alerting
import Instruments
import JSON

/// Rules as a table for people and as lines of JSON.
enum RuleRows {
    static func print(_ rules: [JSONValue], json: Bool) throws {
        if json { return try ItemRows.lines(rules) }
        let table = TextTable(
            try rules.map(ListedRule.init),
            [
                Column("id") { $0.json.text("id") }, Column("state") { $0.json.text("state") },
                Column("instrument") { $0.json.text("instrument") },
                Column("condition", text: \.rule.condition.summary),
                Column("repeat") { ConditionText.repetition($0.rule.repetition) },
                Column("fired", .right) { $0.json.text("fired") }, Column("note") { $0.json.text("note") },
            ])
        let terminal = Terminal()
        try terminal.print(table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// One rule, a field a line.
    static func page(_ told: ListedRule) -> [StyledLine] {
        let (rule, json) = (told.rule, told.json)
        var fields = [("id", json.text("id")), ("state", json.text("state"))]
        if let instrument = rule.instrument { fields.append(("instrument", instrument.description)) }
        fields.append(("condition", rule.condition.summary))
        fields.append(("repeat", ConditionText.repetition(rule.repetition)))
        if let expires = rule.expires { fields.append(("expires", expires.plain)) }
        if !rule.note.isEmpty { fields.append(("note", rule.note)) }
        if !rule.tags.isEmpty { fields.append(("tags", rule.tags.joined(separator: ", "))) }
        fields.append(
            ("channels", rule.channels.isEmpty ? "all" : rule.channels.joined(separator: ", ")))
        fields.append(("fired", "\(json.text("fired")) times"))
        if let done = json["done"]?.text { fields.append(("done", done)) }
        fields += ["version", "created", "updated"].map { ($0, json.text($0)) }
        fields.append(("rule", rule.json))
        return TextTable.fields(fields)
    }
}
