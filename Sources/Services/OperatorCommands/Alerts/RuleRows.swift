import Alerting
import Instruments
import JSON

/// Rules as a table for people and as lines of JSON.
enum RuleRows {
    static func print(_ rules: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            rules, json: json,
            [
                ("id", .left), ("state", .left), ("instrument", .left), ("condition", .left),
                ("repeat", .left), ("fired", .right), ("note", .left),
            ]
        ) { item in
            let rule = try ListedRule(item).rule
            return [
                item.cell("id"), item.cell("state"), item.cell("instrument"),
                TextTable.Cell(rule.condition.summary),
                TextTable.Cell(ConditionText.repetition(rule.repetition)), item.cell("fired"),
                item.cell("note"),
            ]
        }
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
