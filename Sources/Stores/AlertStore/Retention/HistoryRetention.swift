/// Rows of what rules did, and of those that are no more, that are kept for a time.
package enum HistoryKind: String, Hashable, Sendable, CaseIterable {
    /// `alerts.outbox`: what was told or given up.
    case delivery
    /// `alerts.firing`, of which no delivery is kept.
    case firing
    /// `alerts.rule_event`, but for the last one of each rule.
    case ruleEvent = "rule_event"
    /// `alerts.rule`: those that were deleted and of which no firing is kept, with their owners' changes.
    case rule
}

/// How long what rules did is kept.
package struct HistoryRetention: Hashable, Sendable {
    /// Counted from when it was told or given up; what waits is kept in any case.
    package var deliveries = Duration.seconds(30 * 86_400)
    /// Those that are among the kept deliveries are kept in any case.
    package var firings = Duration.seconds(90 * 86_400)
    /// What owners did to their rules.
    package var ruleEvents = Duration.seconds(366 * 86_400)
    /// Counted from their deletion.
    package var deletedRules = Duration.seconds(7 * 86_400)

    /// Deliveries for 30 days, firings for 90, owners' changes for a year, deleted rules for a week.
    package init() {}

    /// How many seconds a kind is kept.
    func seconds(_ kind: HistoryKind) -> Int64 {
        switch kind {
        case .delivery: deliveries.components.seconds
        // Else each sweep looked at those that are kept for their deliveries.
        case .firing: max(firings, deliveries).components.seconds
        case .ruleEvent: ruleEvents.components.seconds
        case .rule: deletedRules.components.seconds
        }
    }
}
