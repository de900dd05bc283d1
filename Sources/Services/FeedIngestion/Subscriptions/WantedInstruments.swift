import Instruments
import MarketStore
import Venues

/// What is to be followed on one venue: symbols in order, each with its channels.
struct VenueSubscriptions: Hashable, Sendable {
    /// One symbol.
    struct SymbolSubscription: Hashable, Sendable {
        var symbol: String
        var channels: Set<VenueChannel>
    }

    var wants: [SymbolSubscription] = []
    /// Symbols beyond the venue's limit, which are not followed; see ``FollowPlan``.
    var dropped: [String] = []

    /// What a configuration follows by itself.
    init(_ configuration: VenueConfiguration, limit: Int) {
        let rows = SubscriptionSeed.rows(of: configuration).map { DatedSubscription($0, added: .zero) }
        self.init(rows, of: configuration.venue, configured: [], limit: limit)
    }

    /// What rows of the table ask for, of one venue.
    ///
    /// Several rows may want one symbol: it is followed with the channels of all of them.
    init(_ rows: [DatedSubscription], of venue: Venue, configured: [String], limit: Int) {
        var channels: [String: Set<VenueChannel>] = [:]
        var known: [DatedSubscription] = []
        for row in rows where row.subscription.instrument.venue == venue {
            let named = Set(row.subscription.channels.compactMap(VenueChannel.init(rawValue:)))
            if named.isEmpty { continue }
            channels[row.subscription.instrument.symbol, default: []].formUnion(named)
            known.append(row)
        }
        let plan = FollowPlan(known, configured: Set(configured), limit: limit)
        wants = plan.followed.map { SymbolSubscription(symbol: $0, channels: channels[$0] ?? []) }
        dropped = plan.dropped
    }

    /// Whether the same symbols and channels are followed; what is dropped does not matter.
    func followsSame(as other: VenueSubscriptions) -> Bool { Set(wants) == Set(other.wants) }

    /// The configuration that follows this.
    func configuration(_ base: VenueConfiguration) -> VenueConfiguration {
        var configuration = base
        configuration.subscriptions = wants.map { (symbol: $0.symbol, channels: $0.channels) }
        return configuration
    }
}
