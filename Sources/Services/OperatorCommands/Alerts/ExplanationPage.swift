import Alerting
import JSON

/// Why a rule fired or did not, for people.
enum ExplanationPage {
    /// A field a line, then the evaluations.
    static func lines(_ told: JSONValue, of rule: ListedRule) -> [StyledLine] {
        var fields = [
            ("rule", told.text("rule")), ("state", told.text("state")), ("why", told.text("why")),
            ("condition", rule.rule.condition.summary),
            ("fired", "\(rule.json.text("fired")) times"),
        ]
        if let instrument = told["instrument"]?.text { fields.append(("instrument", instrument)) }
        if let known = told["as_of"]?.text { fields.append(("as of", known)) }
        if let value = told["value"]?.text {
            let time = told["value_time"]?.text.map { " at \($0)" } ?? ""
            fields.append(("last value", "\(value)\(time)"))
        }
        if let last = told["last_firing"] {
            fields += [("last fired", last.text("venue_time")), ("because", last.text("reason"))]
            if let before = last["previous"]?.text { fields.append(("came from", before)) }
        }
        for delivery in told["deliveries"]?.elements ?? [] {
            let error = delivery["error"]?.text.map { ": \($0)" } ?? ""
            fields.append(("told by \(delivery.text("channel"))", delivery.text("state") + error))
        }
        if let until = told["cooldown_until"]?.text { fields.append(("cooldown until", until)) }
        if let until = told["quiet_until"]?.text {
            fields.append(("quieted until", "\(until), \(told.text("left_out")) firings left out"))
        }
        let evaluations = told["evaluations"]?.elements ?? []
        return TextTable.fields(fields) + (evaluations.isEmpty ? [] : table(evaluations))
    }

    private static func table(_ evaluations: [JSONValue]) -> [StyledLine] {
        let columns: [Column<JSONValue>] = [
            .member("venue_time", as: "venue time"), .member("received_time", as: "received"),
            .member("sequence", .right, as: "message"), .member("trade_id", .right, as: "trade"),
            .member("previous", .right, as: "before"), .member("price", .right, as: "value"),
            Column("") { evaluation in
                let isLate = evaluation["late_by_nanos"]?.integer ?? 0 > 0
                return evaluation.text("outcome") + (isLate ? "; found late" : "")
            },
        ]
        return TextTable(evaluations, columns).lines(columns: 4_096)
    }
}
