import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("What is wanted and not followed", .timeLimit(.minutes(10)))
struct UnfollowedTests {
    @Test("is found by rank and time, of venues alone of which more are wanted than may be")
    func found() async throws {
        let (database, _) = try await Market.database()
        func add(_ symbol: String, by owner: String, on venue: Venue = .kraken, at time: Int64) async throws {
            let wish = Subscription(
                instrument: InstrumentID(venue: venue, symbol: symbol), channels: ["trade"], wantedBy: owner)
            try await database.execute(.addSubscription(wish, at: Timestamp(nanoseconds: time * 1_000)))
        }
        func unfollowed(_ limit: Int) async throws -> [String] {
            try await database.withSession { try $0.unfollowedInstruments(limits: [.kraken: limit]) }
                .map(\.description)
        }
        #expect(try await unfollowed(1).isEmpty)
        try await add("A", by: "watchlist:1", at: 1)
        try await add("B", by: "watchlist:1", at: 2)
        try await add("Z", by: "alert:1", at: 3)
        try await add("X", by: "configuration", on: .bitmex, at: 4)
        #expect(try await unfollowed(3).isEmpty)
        #expect(try await unfollowed(2) == ["kraken:B"])
        #expect(try await unfollowed(1) == ["kraken:A", "kraken:B"])
        // Who wants it first is asked by the time of the row, which a second wish of the same keeps.
        try await add("B", by: "watchlist:1", at: 9)
        try await add("C", by: "portfolio:1", at: 9)
        #expect(try await unfollowed(3) == ["kraken:B"])
        // What the feed makes of the same rows.
        let rows = try await database.withSession { try $0.datedSubscriptions(on: [.kraken]) }
        #expect(rows.count == 4 && FollowPlan(rows, limit: 3).dropped == ["B"])
        // Each venue by its own limit; where none is known, nothing is said.
        try await add("W", by: "operator", on: .bitmex, at: 10)
        let limits = [(Venue.kraken, 3), (.bitmex, 1)]
        for (known, left) in [(limits, ["bitmex:W", "kraken:B"]), ([limits[1]], ["bitmex:W"]), ([], [])] {
            let ids = try await database.withSession {
                try $0.unfollowedInstruments(limits: Dictionary(uniqueKeysWithValues: known))
            }
            #expect(ids.map(\.description) == left)
        }
        let counts = try await database.withSession {
            [try $0.countWanted(by: ["watchlist:1", "alert:1"]), try $0.countWanted(by: [])]
        }
        #expect(counts == [3, 0])
        await database.close()
    }
}
