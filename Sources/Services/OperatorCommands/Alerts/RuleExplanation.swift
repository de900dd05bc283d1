import AlertStore
import Alerting
import Instruments
import Store

extension RuleExplanation {
    /// A field a line, then the evaluations.
    var page: [StyledLine] {
        var fields = [
            ("rule", row.id.description), ("state", row.stateName(at: .now)), ("why", verdict),
            ("condition", RuleWords.condition(row.rule.condition)), ("fired", "\(row.firings) times"),
        ]
        if let instrument = row.rule.instrument { fields.append(("instrument", instrument.description)) }
        if let known { fields.append(("as of", known.plain)) }
        if let value = explanation?.value {
            let time = explanation?.valueTime.map { " at \($0.plain)" } ?? ""
            fields.append(("last value", "\(value)\(time)"))
        }
        if let last {
            fields += [("last fired", last.venueTime.plain), ("because", last.reason)]
            if let before = last.previous { fields.append(("came from", before)) }
        }
        for delivery in told {
            let error = delivery.error.map { ": \($0)" } ?? ""
            fields.append(("told by \(delivery.channel)", delivery.stateName + error))
        }
        if let until = explanation?.coolsUntil { fields.append(("cooldown until", until.plain)) }
        var table = TextTable([("field", .left), ("value", .left)])
        for (name, value) in fields { table.append([TextTable.Cell(name, .faint), TextTable.Cell(value)]) }
        var lines = Array(table.lines(columns: 4_096).dropFirst())
        guard let evaluations = explanation?.evaluations, !evaluations.isEmpty else { return lines }
        var list = TextTable([
            ("venue time", .left), ("received", .left), ("message", .right), ("trade", .right),
            ("before", .right), ("value", .right), ("", .left),
        ])
        for evaluation in evaluations {
            let cells = [
                evaluation.venueTime.plain, evaluation.receivedTime.plain,
                // What was read from the stored tape has no message.
                evaluation.sequence > 0 ? "\(evaluation.sequence)" : "", evaluation.tradeID ?? "",
                evaluation.previous?.description ?? "", evaluation.price?.description ?? "",
                RuleExplanation.words(evaluation.outcome)
                    + (evaluation.lateBy > 0 ? "; found late" : ""),
            ]
            list.append(cells.map { TextTable.Cell($0) })
        }
        lines += list.lines(columns: 4_096)
        return lines
    }
}
