package import Alerting
package import Instruments
import Store
import Zones

/// Why a rule fired or did not, from what its evaluator last stored.
package struct RuleExplanation: Sendable {
    package let row: StoredRule
    /// When the evaluator stored it; `nil` when none has taken the rule in yet.
    package let known: Timestamp?
    /// What an engine that goes on from there says; `nil` when it cannot take the rule.
    package let explanation: Explanation?
    /// What it fired on last; `nil` when it never did.
    package let last: LastFiring?
    /// What became of that firing, channel by channel.
    package let told: [DeliveryRow]
    /// One sentence.
    package let verdict: String
    let now: Timestamp

    /// Takes the stored rule, what the evaluator of its shard knew, its last firing with what became of it,
    /// and the time.
    package init(
        _ row: StoredRule, _ evaluation: StoredEvaluation?, last: LastFiring?, told: [DeliveryRow],
        at now: Timestamp
    ) {
        self.row = row
        self.last = last
        self.told = told
        self.now = now
        // A state of another version explains nothing: an evaluator of this one takes the rule in anew.
        guard let evaluation, evaluation.ruleChange >= row.change,
            let state = try? EngineState(bytes: evaluation.state)
        else {
            known = nil
            explanation = nil
            verdict =
                row.isActive
                ? "no alert-evaluator has taken it in yet; is one running?"
                : RuleExplanation.rest(row, now)
            return
        }
        known = evaluation.updated
        explanation = RuleExplanation.explain(row.rule, state)
        verdict = RuleExplanation.verdict(row, explanation, now)
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

    private static func rest(_ row: StoredRule, _ now: Timestamp) -> String {
        row.isWanted && !row.isExpired(at: now)
            ? "it rests: its owner's account is disabled" : "it is \(row.stateName(at: now))"
    }

    private static func verdict(
        _ row: StoredRule, _ explanation: Explanation?, _ now: Timestamp
    ) -> String {
        guard row.isActive else { return rest(row, now) }
        if let expires = row.rule.expires, row.isExpired(at: now) {
            return "its time was over at \(expires.plain)"
        }
        guard let explanation else { return "the evaluator cannot evaluate it" }
        if !explanation.isProven {
            let reason = explanation.blindReason.isEmpty ? "it is being proven" : explanation.blindReason
            let since = explanation.blindSince.map { " since \($0.plain)" } ?? ""
            return "it waits: the data that it needs cannot be believed\(since), \(reason)"
        }
        if let quiet = explanation.quiet { return words(quiet) }
        if let until = explanation.heldUntil {
            return "its condition holds, and fires it if that is still so at \(until.plain)"
        }
        if let back = explanation.rearmsAt {
            return "it fired, and may fire again after the value was at \(back)"
        }
        if let last = explanation.evaluations.last { return "at the last evaluation \(words(last.outcome))" }
        guard let value = explanation.value else {
            // A rule without a level looks at more than a value.
            if let standing = explanation.standing { return "its condition does not hold: \(standing)" }
            return row.rule.condition.hasLevel
                ? "it has seen no value yet" : "its condition has not held since it was made"
        }
        return "nothing has passed its level since it was made; the last value is \(value)"
    }

    private static func words(_ quiet: QuietPeriod) -> String {
        let leftOut = quiet.leftOut == 1 ? "1 firing is" : "\(quiet.leftOut) firings are"
        return "it is quiet until \(quiet.until.plain): it fired \(quiet.limit) times within an hour, and "
            + "\(leftOut) left out since \(quiet.since.plain)"
    }

    /// What came of an evaluation, in words.
    package static func words(_ outcome: EvaluationOutcome) -> String {
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
        case .quieted(let until): "it was left out: it fired too often, and is quiet until \(until.plain)"
        }
    }
}
