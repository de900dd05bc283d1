import AlertStore
import Alerting
import Instruments
import Store

/// Why a rule fired or did not, from what its evaluator last stored.
struct RuleExplanation {
    let row: StoredRule
    /// When the evaluator stored it; `nil` when none has taken the rule in yet.
    let known: Timestamp?
    let explanation: Explanation?
    /// One sentence.
    let verdict: String

    /// Takes the stored rule, and what the evaluator of its shard knew.
    init(_ row: StoredRule, _ evaluation: StoredEvaluation?) {
        self.row = row
        guard let evaluation, evaluation.ruleChange >= row.change,
            let state = try? EngineState(bytes: evaluation.state)
        else {
            known = nil
            explanation = nil
            verdict =
                row.isActive
                ? "no alert-evaluator has taken it in yet; is one running?"
                : "it is \(row.stateName(at: .now))"
            return
        }
        known = evaluation.updated
        explanation = RuleExplanation.explain(row.rule, state)
        verdict = RuleExplanation.verdict(row, explanation)
    }

    /// Asks an engine that goes on from the state.
    private static func explain(_ rule: AlertRule, _ state: EngineState) -> Explanation? {
        var engine = AlertEngine(limits: AlertLimits(journal: max(1, state.journal.count)))
        if let zone = rule.active?.timeZone, let offsets = ZoneDirectory.system.offsets(of: zone) {
            engine.resolve(offsets)
        }
        var ignored: [AlertOutput] = []
        do throws(AlertEngineError) { try engine.add(rule, into: &ignored) } catch { return nil }
        engine.restore(state)
        return engine.explain(rule.id)
    }

    private static func verdict(_ row: StoredRule, _ explanation: Explanation?) -> String {
        guard row.isActive else { return "it is \(row.stateName(at: .now))" }
        if let expires = row.rule.expires, row.isExpired(at: .now) {
            return "its time was over at \(expires.plain)"
        }
        guard let explanation else { return "the evaluator cannot evaluate it" }
        if !explanation.isProven {
            let reason = explanation.blindReason.isEmpty ? "it is being proven" : explanation.blindReason
            let since = explanation.blindSince.map { " since \($0.plain)" } ?? ""
            return "it waits: the data that it needs cannot be believed\(since), \(reason)"
        }
        if let until = explanation.heldUntil {
            return "its condition holds, and fires it if that is still so at \(until.plain)"
        }
        if let back = explanation.rearmsAt {
            return "it fired, and may fire again after the value was at \(back)"
        }
        if let last = explanation.evaluations.last { return "at the last evaluation \(words(last.outcome))" }
        guard let value = explanation.value else { return "it has seen no value yet" }
        return "nothing has passed its level since it was made; the last value is \(value)"
    }

    static func words(_ outcome: EvaluationOutcome) -> String {
        switch outcome {
        case .fired: "it fired"
        case .cooling(let until): "it did not fire: its cooldown lasted until \(until.plain)"
        case .disarmed: "it did not fire: the value had not moved back far enough"
        case .rearmed: "the value moved back far enough: it may fire again"
        case .inactive: "it did not fire: it was outside its active hours"
        case .holding(let until):
            "its condition began to hold; it fires if that is still so at \(until.plain)"
        case .released: "its condition no longer held before its time had passed"
        case .wasOutside: "it did not fire: the value came from outside the band"
        case .expired: "its time was over"
        }
    }

    // MARK: - Printing

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
        if let last = explanation?.lastFired { fields.append(("last fired", last.plain)) }
        if let until = explanation?.coolsUntil { fields.append(("cooldown until", until.plain)) }
        var table = TextTable([("field", .left), ("value", .left)])
        for (name, value) in fields { table.append([TextTable.Cell(name, .faint), TextTable.Cell(value)]) }
        var lines = Array(table.lines(columns: 4_096).dropFirst())
        guard let evaluations = explanation?.evaluations, !evaluations.isEmpty else { return lines }
        var list = TextTable([
            ("venue time", .left), ("received", .left), ("message", .right), ("before", .right),
            ("value", .right), ("", .left),
        ])
        for evaluation in evaluations {
            let cells = [
                evaluation.venueTime.plain, evaluation.receivedTime.plain, "\(evaluation.sequence)",
                evaluation.previous?.description ?? "", evaluation.price?.description ?? "",
                RuleExplanation.words(evaluation.outcome),
            ]
            list.append(cells.map { TextTable.Cell($0) })
        }
        lines += list.lines(columns: 4_096)
        return lines
    }

    /// One JSON object.
    var json: [UInt8] {
        var line = JSONLine()
        line.beginObject()
        line.pair("rule", row.id.description)
        line.pair("state", row.stateName(at: .now))
        line.pair("why", verdict)
        line.pair("instrument", row.rule.instrument?.description)
        line.pair("as_of", known?.plain)
        line.pair("value", explanation?.value?.description)
        line.pair("value_time", explanation?.valueTime?.plain)
        line.pair("last_fired", explanation?.lastFired?.plain)
        line.pair("cooldown_until", explanation?.coolsUntil?.plain)
        line.pair("rearms_at", explanation?.rearmsAt?.description)
        line.pair("held_until", explanation?.heldUntil?.plain)
        line.key("proven")
        if let explanation { line.bool(explanation.isProven) } else { line.null() }
        line.pair("blind_since", explanation?.blindSince?.plain)
        line.pair("blind_reason", explanation.flatMap { $0.isProven ? nil : $0.blindReason })
        line.key("evaluations")
        line.beginArray()
        for evaluation in explanation?.evaluations ?? [] {
            line.beginObject()
            line.pair("venue_time", evaluation.venueTime.plain)
            line.pair("received_time", evaluation.receivedTime.plain)
            line.key("sequence")
            line.integer(evaluation.sequence)
            line.pair("previous", evaluation.previous?.description)
            line.pair("price", evaluation.price?.description)
            line.pair("outcome", RuleExplanation.words(evaluation.outcome))
            line.endObject()
        }
        line.endArray()
        line.endObject()
        line.endLine()
        return line.bytes
    }
}

extension JSONLine {
    fileprivate mutating func pair(_ name: String, _ value: String?) {
        key(name)
        string(value)
    }
}
