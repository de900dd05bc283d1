import Instruments
import Store

/// Venues as they are shared: their numbers among leases, and how much there is to do for each.
struct SharedVenues: Hashable, Sendable {
    var numbers: [Venue: Shard] = [:]
    /// Wanted instruments and one, for what a venue takes without any.
    var weights: [Shard: Int] = [:]

    /// The numbers of these, as far as they have one.
    func shards(of venues: [String]) -> Set<Shard> {
        Set(venues.compactMap { numbers[Venue(rawValue: $0)] })
    }
}

extension Session {
    /// The numbers of venues, which get one if they have none, and leases of them.
    ///
    /// Of two instances that number venues at once one may go without until its next round.
    func share(_ venues: [Venue], of service: String) throws(StoreError) -> SharedVenues {
        var shared = try sharedVenues()
        let new = venues.filter { shared.numbers[$0] == nil }.map(\.rawValue)
        if !new.isEmpty {
            try execute(
                """
                INSERT INTO market.shared_venue (venue, shard)
                SELECT new.venue, known.next + new.place - 1
                FROM unnest(\(new)::text[]) WITH ORDINALITY AS new (venue, place),
                    (SELECT coalesce(max(shard) + 1, 0) AS next FROM market.shared_venue) AS known
                WHERE known.next + new.place - 1 <= 255
                ON CONFLICT DO NOTHING
                """)
            shared = try sharedVenues()
            try execute(
                """
                INSERT INTO market.lease (service, shard)
                SELECT \(service), shard FROM market.shared_venue ON CONFLICT DO NOTHING
                """)
        }
        return shared
    }

    /// Venues with their numbers and weights.
    private func sharedVenues() throws(StoreError) -> SharedVenues {
        var shared = SharedVenues()
        let found = try rows(
            """
            SELECT shared.venue, shared.shard, count(DISTINCT wanted.symbol)
            FROM market.shared_venue AS shared
            LEFT JOIN market.subscription AS wanted ON wanted.venue = shared.venue
            GROUP BY shared.venue, shared.shard
            """
        ) { row in
            (venue: Venue(rawValue: try row.text()), shard: try row.shard(), wanted: try row.int64())
        }
        for row in found {
            shared.numbers[row.venue] = row.shard
            shared.weights[row.shard] = 1 + Int(clamping: row.wanted)
        }
        return shared
    }
}
