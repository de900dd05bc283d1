public import Instruments

/// Everything that says why a rule fired or did not.
public struct Explanation: Hashable, Sendable {
    public var rule: RuleID
    /// False when it fired its only time or its time is over.
    public var isActive: Bool
    /// How often it fired.
    public var firings: UInt32
    /// When it fired last; `nil` for never.
    public var lastFired: Timestamp?
    /// Until when its cooldown holds; `nil` for a rule that never fired or fires once.
    public var coolsUntil: Timestamp?
    /// What is left out since it fired too often within an hour; `nil` while all is told.
    public var quiet: QuietPeriod?
    /// The value at which it may fire again; `nil` when it may.
    public var rearmsAt: DecimalNumber?
    /// Since when its condition holds, while it waits for the time that it must hold.
    public var heldUntil: Timestamp?
    /// What it is evaluated on; `nil` for a rule without a level.
    public var series: SeriesKey?
    /// The last value; `nil` before the first.
    public var value: DecimalNumber?
    /// When that was.
    public var valueTime: Timestamp?
    /// How its condition stands, for a rule that looks at more than a level.
    ///
    /// `nil` where nothing of it is kept.
    public var standing: String?
    /// Whether the data it needs may be believed now, and why not.
    public var isProven: Bool
    /// Since when not, and why; `nil` while it may.
    public var blindSince: Timestamp?
    /// Why not; empty while it may.
    public var blindReason: String
    /// What passed its level lately, oldest first.
    public var evaluations: [Evaluation]
}

extension AlertEngine {
    /// Why a rule fired or did not, from its state and its last evaluations; `nil` for a rule that is not
    /// there.
    public func explain(_ id: RuleID) -> Explanation? {
        guard let slot = table.slot(of: id) else { return nil }
        let record = table[slot]
        let options = table.options(of: slot)
        var explanation = Explanation(
            rule: id, isActive: !record.flags.contains(.done), firings: record.epoch, blindReason: "",
            evaluations: journal.evaluations(of: id))
        if record.flags.contains(.fired) {
            // What was left out began a cooldown, too.
            explanation.lastFired = paces[slot]?.times.last ?? record.lastFired
            if case .recurring = options.repetition {
                explanation.coolsUntil = record.lastFired.adding(nanoseconds: cooldown(options))
            }
        }
        explanation.quiet = paces[slot]?.quiet
        guard record.shape != .watch else {
            let watch = watch(slot, Int(record.place))
            explanation.standing = watch?.standing
            explainFeed(watch?.source, Int(record.place), &explanation)
            return explanation
        }
        let series = series[Int(record.place)]
        explanation.series = series.key
        if series.hasValue {
            explanation.value = series.reading.said
            explanation.valueTime = series.time
        }
        if record.flags.contains(.disarmed), let back = rearmLevel(of: slot) {
            explanation.rearmsAt = back.level.decimal
        }
        if record.flags.contains(.pending) {
            explanation.heldUntil = series.pending.first { $0.slot == slot }?.deadline
        }
        if let place = marketPlaces[series.key.subject] {
            explainFeed(series.key.source, Int(place), &explanation)
        }
        return explanation
    }

    private func watch(_ slot: UInt32, _ market: Int) -> Watch? {
        guard markets.indices.contains(market) else { return nil }
        return markets[market].watches.first { $0.slot == slot }
    }

    private func explainFeed(_ source: AlertSource?, _ market: Int, _ explanation: inout Explanation) {
        guard let source else { return }
        let feed = markets[market].feeds[source.place]
        explanation.isProven = feed.isProven
        explanation.blindSince = feed.blindSince
        explanation.blindReason = feed.reason
    }
}

extension Explanation {
    init(
        rule: RuleID, isActive: Bool, firings: UInt32, blindReason: String, evaluations: [Evaluation]
    ) {
        self.rule = rule
        self.isActive = isActive
        self.firings = firings
        self.blindReason = blindReason
        self.evaluations = evaluations
        isProven = true
    }
}
