import Alerting
package import Instruments
package import JSON
package import Shapes

/// A stored rule: the form of import and export, and what is known of the row.
package struct RuleBody: WireValue, Described {
    package static var schema: Schema { .body(RuleBody.self) }
    package static let document = BodyDocument(
        "Rule", "The form of import and export, and what is known of the rule.",
        RuleForm.document.fields + RuleStanding.document.fields)

    private let row: StoredRule
    private let now: Timestamp

    package init(_ row: StoredRule, at now: Timestamp) { (self.row, self.now) = (row, now) }

    package func write(to writer: inout JSONWriter) {
        // Two objects made one.
        let standing = RuleStanding(row: row, now: now).json
        writer.raw(Array(row.rule.json.utf8.dropLast()) + [0x2C] + standing.dropFirst())
    }
}

/// What is known of a rule's row.
private struct RuleStanding: WireBody {
    static let shape = BodyShape<RuleStanding>("RuleStanding") {
        Field(
            "state", { $0.row.stateName(at: $0.now) }, as: .words(["armed", "disabled", "done", "deleted"]))
        Field("version", \.row.version, "Rises with each change by its owner, from 1.", example: 1)
        Field("fired", \.row.firings, "How often, tests and notices left out.")
        Field(
            ifPresent: "done", \.row.done?.plain, "When it fired its only time, or its time was over.",
            as: .time)
        Field("created", \.row.created.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field("updated", \.row.updated.plain, as: .time, example: "2026-11-21T12:00:00Z")
    }

    var row: StoredRule
    var now: Timestamp
}
