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
        self.init(rows, of: configuration.venue, limit: limit)
    }

    /// What rows of the table ask for, of one venue.
    ///
    /// Several rows may want one symbol: it is followed with the channels of all of them. What no channel is
    /// known of keeps its place in the plan, which others make of the same rows without knowing any.
    init(_ rows: [DatedSubscription], of venue: Venue, limit: Int) {
        let rows = rows.filter { $0.subscription.instrument.venue == venue }
        var channels: [String: Set<VenueChannel>] = [:]
        for row in rows {
            let named = row.subscription.channels.compactMap(VenueChannel.init(rawValue:))
            if !named.isEmpty { channels[row.subscription.instrument.symbol, default: []].formUnion(named) }
        }
        let plan = FollowPlan(rows, limit: limit)
        wants = plan.followed.compactMap { symbol in
            channels[symbol].map { SymbolSubscription(symbol: symbol, channels: $0) }
        }
        dropped = plan.dropped
    }

    /// Leaves out what cannot be followed after all.
    mutating func drop(_ symbols: [String]) {
        guard !symbols.isEmpty else { return }
        let homeless = Set(symbols)
        wants.removeAll { homeless.contains($0.symbol) }
        dropped += symbols
    }
}
