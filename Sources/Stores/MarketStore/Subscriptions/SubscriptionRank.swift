/// Why an instrument is wanted: where a venue cannot have all, an earlier reason comes first.
package enum SubscriptionRank: Int, Comparable, CaseIterable, Sendable {
    /// The configuration names it, or an operator asked for it.
    case configured
    /// An alert rule looks at it.
    case rule
    /// It tells what a portfolio is worth.
    case holding
    /// Somebody wants to see it; also for anything that has no rank of its own.
    case watchlist

    /// The reason that ``Subscription/wantedBy`` tells.
    package init(wantedBy name: String) {
        self =
            switch name.prefix(while: { $0 != ":" }) {
            case "configuration", "operator": .configured
            case "alert": .rule
            case "portfolio": .holding
            default: .watchlist
            }
    }

    package static func < (left: SubscriptionRank, right: SubscriptionRank) -> Bool {
        left.rawValue < right.rawValue
    }
}
