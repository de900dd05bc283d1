import Alerting
import AlertStore
import Instruments

extension FiringRow {
    /// Says that firings of a rule are left out, or no longer.
    init(_ period: QuietPeriod, _ kind: FiringKind, of rule: StoredRule, at now: Timestamp) {
        let isOver = kind == .quietEnded
        self.init(
            kind, of: rule, reason: isOver ? period.endWords : period.words,
            at: isOver ? period.until : period.since, saidAt: now)
        lateBy = max(0, period.until.nanoseconds(since: period.since))
    }
}

extension QuietPeriod {
    fileprivate var words: String {
        let times = limit == 1 ? "time" : "times"
        return "quieted until \(until.iso8601): it fired \(limit) \(times) within an hour, the most that a "
            + "rule may; what it would fire until then is counted and left out"
    }

    fileprivate var endWords: String {
        "no longer quieted: \(leftOut) \(leftOut == 1 ? "firing was" : "firings were") left out since "
            + since.iso8601
    }
}
