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
    /// Symbols beyond the venue's limit, which are not followed.
    var refused: [String] = []

    /// What a configuration follows by itself.
    init(_ configuration: VenueConfiguration, limit: Int) {
        self.init(
            configuration.subscriptions.map { SymbolSubscription(symbol: $0.symbol, channels: $0.channels) },
            first: [],
            limit: limit)
    }

    /// What rows of the table ask for, of one venue.
    ///
    /// Symbols of the configuration come first when there are too many.
    init(_ rows: [Subscription], of venue: Venue, configured: [String], limit: Int) {
        let wants = rows.filter { $0.instrument.venue == venue }.map { row in
            SymbolSubscription(
                symbol: row.instrument.symbol,
                channels: Set(row.channels.compactMap(VenueChannel.init(rawValue:))))
        }
        self.init(wants, first: configured, limit: limit)
    }

    /// Several rows may want one symbol: it is followed with the channels of all of them.
    private init(_ rows: [SymbolSubscription], first: [String], limit: Int) {
        var channels: [String: Set<VenueChannel>] = [:]
        for row in rows { channels[row.symbol, default: []].formUnion(row.channels) }
        let favoured = Set(first)
        let symbols = channels.keys.filter { channels[$0]?.isEmpty == false }.sorted { left, right in
            favoured.contains(left) == favoured.contains(right) ? left < right : favoured.contains(left)
        }
        wants = symbols.prefix(limit).map { SymbolSubscription(symbol: $0, channels: channels[$0] ?? []) }
        refused = Array(symbols.dropFirst(limit))
    }

    /// Whether the same symbols and channels are followed; refusals do not matter.
    func followsSame(as other: VenueSubscriptions) -> Bool { Set(wants) == Set(other.wants) }

    /// The configuration that follows this.
    func configuration(_ base: VenueConfiguration) -> VenueConfiguration {
        var configuration = base
        configuration.subscriptions = wants.map { (symbol: $0.symbol, channels: $0.channels) }
        return configuration
    }
}
