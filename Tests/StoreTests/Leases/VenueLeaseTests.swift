import Instruments
import Store
import Support
import Testing

@testable import MarketStore

@Suite("Leases of venues in PostgreSQL", .timeLimit(.minutes(10)))
struct VenueLeaseTests {
    private static let gate = Venue(rawValue: "gate")
    private static let venues: [Venue] = [.kraken, .binance, .bitmex, gate]

    private func term(_ instance: String, _ venues: [Venue] = Self.venues) -> LeaseTerm {
        LeaseTerm(service: "feed-ingestor", instance: instance, duration: .seconds(3_600), venues: venues)
    }

    /// The venues that a round left, sorted.
    private func held(_ round: LeaseRound, _ venues: [Venue] = Self.venues) -> [Venue] {
        venues.filter { round.claims.epoch(of: $0) != nil }
    }

    @Test("a newcomer gets its share when nothing is done under it any more, and not before")
    func newcomer() async throws {
        let database = Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        let first = try await database.tendLeases(term("a"))
        #expect(held(first) == Self.venues && first.leaving.isEmpty)
        #expect(Self.venues.allSatisfy { first.claims.epoch(of: $0) == 1 })
        #expect(try await held(database.tendLeases(term("b"))).isEmpty)
        // Both are known: what is too much is marked, and held on to.
        let second = try await database.tendLeases(term("a"))
        #expect(held(second) == Self.venues && second.leaving.count == 2)
        #expect(try await held(database.tendLeases(term("b"))).isEmpty)
        let third = try await database.tendLeases(term("a"), done: Set(second.leaving))
        #expect(third.released == second.leaving && third.leaving.isEmpty && held(third).count == 2)
        let other = try await database.tendLeases(term("b"))
        #expect(other.acquired == third.released && held(other).count == 2)
        #expect(other.acquired.allSatisfy { other.claims.epochs[$0] == 2 })
        // Nothing moves any more.
        #expect(try await database.tendLeases(term("a")).claims == third.claims)
        #expect(try await database.tendLeases(term("b")).claims == other.claims)
        await database.close()
    }

    @Test("a dead instance's venues go to whoever can take them; who leaves gives all back at once")
    func death() async throws {
        let database = Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        #expect(try await held(database.tendLeases(term("a"))) == Self.venues)
        #expect(try await held(database.tendLeases(term("k", [.kraken]))).isEmpty)
        try await Market.expire("a", database)
        #expect(try await held(database.tendLeases(term("k", [.kraken]))) == [.kraken])
        #expect(try await held(database.tendLeases(term("b"))) == [.binance, .bitmex, Self.gate])
        var leaving = term("b")
        leaving.isLeaving = true
        #expect(try await database.tendLeases(leaving).claims.epochs.isEmpty)
        let leases = try await database.withSession { try $0.leases(of: "feed-ingestor") }
        #expect(leases.map(\.owner) == ["k", nil, nil, nil])
        #expect(try await held(database.tendLeases(term("c"))) == [.binance, .bitmex, Self.gate])
        await database.close()
    }

    @Test("a venue of many wanted instruments stands for several of few")
    func weights() async throws {
        let database = Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        for number in 0..<10 {
            let wish = Subscription(
                instrument: InstrumentID(venue: .binance, symbol: "S\(number)"), channels: ["book"],
                wantedBy: "test")
            _ = try await database.execute(.addSubscription(wish, at: .zero))
        }
        _ = try await database.tendLeases(term("a"))
        _ = try await database.tendLeases(term("b"))
        let round = try await database.tendLeases(term("a"))
        let left = try await database.tendLeases(term("a"), done: Set(round.leaving))
        #expect(held(left) == [.kraken, .bitmex, Self.gate])
        await database.close()
    }
}
