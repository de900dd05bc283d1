import Instruments

/// Rules that end by themselves, in the order of their times; costs one comparison while none is due.
///
/// A rule that is gone or done stays in until its time, or until there are many of those.
struct ExpiryQueue: Sendable {
    /// What happened before a rule's time was over may be told so much later, nanoseconds; a closed candle
    /// is what takes longest.
    static let grace: Int64 = 60_000_000_000

    /// The latest first, as far as it is sorted.
    private var entries: [(time: Timestamp, rule: RuleID)] = []
    private var isSorted = true
    private var next = Timestamp(nanoseconds: .max)

    /// When a rule is taken out that expires at a time.
    static func end(_ expires: Timestamp) -> Timestamp {
        let (end, overflow) = expires.nanoseconds.addingReportingOverflow(grace)
        return Timestamp(nanoseconds: overflow ? .max : end)
    }

    mutating func add(_ rule: RuleID, expires: Timestamp) {
        let time = ExpiryQueue.end(expires)
        entries.append((time, rule))
        isSorted = false
        next = min(next, time)
    }

    /// Takes out what is due, the earliest first.
    mutating func takeDue(at time: Timestamp) -> [RuleID] {
        guard time >= next else { return [] }
        sort()
        var due: [RuleID] = []
        while let last = entries.last, last.time <= time {
            due.append(last.rule)
            entries.removeLast()
        }
        next = entries.last?.time ?? Timestamp(nanoseconds: .max)
        return due
    }

    /// Leaves out rules that were replaced or removed when there are many of them.
    mutating func trim(_ table: RuleTable) {
        guard entries.count > 64, entries.count > 2 * table.count else { return }
        sort()
        var last: (time: Timestamp, rule: RuleID)?
        entries.removeAll { entry in
            defer { last = entry }
            guard let slot = table.slot(of: entry.rule), let expires = table.options(of: slot).expires else {
                return true
            }
            return ExpiryQueue.end(expires) != entry.time || last.map { $0 == entry } ?? false
        }
    }

    private mutating func sort() {
        guard !isSorted else { return }
        entries.sort { ($0.time, $0.rule) > ($1.time, $1.rule) }
        isSorted = true
    }
}
