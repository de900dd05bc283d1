import Alerting
import Instruments

/// Rules that were made lately and may wait for data that can be believed.
///
/// An engine knows of those alone that it evaluates, and tells of a doubt once; a rule that came later, or
/// waits for a tape that no feed brings, has an owner, too.
struct Newcomers: Sendable {
    private struct Subject: Hashable {
        var instrument: InstrumentID
        var source: AlertSource
    }

    /// Those that wait for one source of an instrument, the first that came first.
    private var waiting: [Subject: [(id: RuleID, since: Timestamp)]] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ rule: AlertRule, at now: Timestamp) {
        guard let instrument = rule.subject, let source = rule.condition.source else { return }
        waiting[Subject(instrument: instrument, source: source), default: []].append((rule.id, now))
    }

    mutating func remove(_ rule: AlertRule) {
        guard let instrument = rule.subject, let source = rule.condition.source else { return }
        let subject = Subject(instrument: instrument, source: source)
        waiting[subject]?.removeAll { $0.id == rule.id }
        if waiting[subject]?.isEmpty == true { waiting[subject] = nil }
    }

    func wait(for source: AlertSource, of instrument: InstrumentID) -> Bool {
        waiting[Subject(instrument: instrument, source: source)] != nil
    }

    /// Those that came until a time, who wait no more.
    mutating func take(
        _ source: AlertSource, of instrument: InstrumentID, upTo time: Timestamp
    ) -> [RuleID] {
        let subject = Subject(instrument: instrument, source: source)
        guard let rules = waiting[subject] else { return [] }
        let count = rules.prefix { $0.since <= time }.count
        waiting[subject] = count == rules.count ? nil : Array(rules.dropFirst(count))
        return rules.prefix(count).map(\.id)
    }
}
