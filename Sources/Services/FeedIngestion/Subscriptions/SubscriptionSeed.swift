import Instruments
import MarketStore
import Store
import Venues

/// Brings the rows that stand for the configuration in line with it.
struct SubscriptionSeed: Sendable {
    /// Who wants what the configuration names.
    static let owner = "configuration"

    let venues: [VenueConfiguration]
    let now: Timestamp

    /// Adds, changes and removes this owner's rows, those of other venues and other owners untouched.
    func write(to database: Database) async throws(StoreError) {
        let (venues, now) = (venues, now)
        try await database.transaction { session in
            for venue in venues {
                let rows = try session.subscriptions(on: venue.venue).filter {
                    $0.wantedBy == Self.owner
                }
                let wanted = Self.rows(of: venue)
                for row in rows where !wanted.contains(row) {
                    _ = try session.execute(.removeSubscription(row.instrument, wantedBy: Self.owner))
                }
                for row in wanted where !rows.contains(row) {
                    _ = try session.execute(.addSubscription(row, at: now))
                }
            }
        }
    }

    /// The rows that stand for a venue's configuration.
    static func rows(of venue: VenueConfiguration) -> [Subscription] {
        venue.subscriptions.map { symbol, channels in
            Subscription(
                instrument: InstrumentID(venue: venue.venue, symbol: symbol),
                channels: channels.map(\.rawValue).sorted(),
                wantedBy: owner)
        }
    }
}
