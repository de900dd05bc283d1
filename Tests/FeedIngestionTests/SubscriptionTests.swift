import Instruments
import MarketStore
import Store
import Support
import Testing
import Venues
import Wire

@testable import FeedIngestion

@Suite("Following of subscriptions", .timeLimit(.minutes(10)))
struct SubscriptionTests {
    @Test("brings the configuration's rows in line with it, and touches no others")
    func seed() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let foreign = Subscription(
                instrument: InstrumentID(venue: .kraken, symbol: "BTC/USD"), channels: ["book"],
                wantedBy: "alert:1")
            _ = try await database.execute(.addSubscription(foreign, at: .zero))
            try await SubscriptionSeed(
                venues: [venue(["BTC/USD": [.book, .trade], "ETH/USD": [.book]])], now: .zero
            )
            .write(to: database)
            try await SubscriptionSeed(venues: [venue(["BTC/USD": [.book]])], now: .zero).write(to: database)
            let rows = try await database.subscriptions()
            #expect(
                rows.map { "\($0.instrument) \($0.channels.joined(separator: ",")) \($0.wantedBy)" } == [
                    "kraken:BTC/USD book alert:1", "kraken:BTC/USD book configuration",
                ])
        }
    }

    @Test("begins to follow an instrument when a row is added, and stops when it is removed")
    func follows() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let wish = Subscription(
                instrument: InstrumentID(venue: .bitmex, symbol: "ETHUSD"), channels: ["book"],
                wantedBy: "watchlist:1")
            try await IngestionFixture.run { fixture in
                try await fixture.reading(["book.delta.bitmex.ETHUSD."]) { bus in
                    try await running(fixture.ingestor(database: database)) {
                        let first = try await fixture.venue.connection()
                        try await first.wait(for: "orderBookL2:XBTUSD")
                        // The table has been read once its row of the configuration is there.
                        try await eventually { try await !database.subscriptions().isEmpty }
                        _ = try await database.execute(.addSubscription(wish, at: .zero))
                        // On the same connection: nothing else is disturbed.
                        try await first.wait(for: "orderBookL2:ETHUSD")
                        first.send(BitMEXWords.partial("b10×2 a11×1", symbol: "ETHUSD"))
                        #expect(try await bus.book() == "syncing snapshot-pending")
                        _ = try await database.execute(
                            .removeSubscription(wish.instrument, wantedBy: wish.wantedBy))
                        try await bus.book("syncing unsubscribed")
                        try await first.wait(for: #""unsubscribe","args":["orderBookL2:ETHUSD"]"#)
                    }
                }
            }
        }
    }

    @Test("a rule's instrument takes the place of a watchlist's, and the operator is told what is dropped")
    func full() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            func want(_ symbol: String, by owner: String) async throws {
                let wish = Subscription(
                    instrument: InstrumentID(venue: .bitmex, symbol: symbol), channels: ["book"],
                    wantedBy: owner)
                _ = try await database.execute(.addSubscription(wish, at: .zero))
            }
            try await IngestionFixture.run { fixture in
                try await fixture.reading(["service.status.feed-ingestor.", "feed.status."]) { bus in
                    let services = try fixture.ingestor(database: database) { $0.maximumPerVenue = 2 }
                    try await running(services) {
                        let line = try await fixture.venue.connection()
                        try await line.wait(for: "orderBookL2:XBTUSD")
                        // The table has been read once its row of the configuration is there.
                        try await eventually { try await !database.subscriptions().isEmpty }
                        try await want("AAVEUSD", by: "watchlist:1")
                        try await line.wait(for: "orderBookL2:AAVEUSD")
                        try await want("ZECUSD", by: "alert:1")
                        try await line.wait(for: #""unsubscribe","args":["orderBookL2:AAVEUSD"]"#)
                        try await line.wait(for: "orderBookL2:ZECUSD")
                        let told: String = try await bus.first(Self.saidOfDropped)
                        #expect(told.contains("bitmex: 1 of 3 wanted instruments are not followed"))
                        // Whoever makes the plan of the same rows needs nothing else.
                        let limit: UInt64 = try await bus.first { event in
                            guard case .feedStatus(let status) = event else { return nil }
                            return status.subscriptionsLimit
                        }
                        #expect(limit == 2)
                    }
                }
            }
        }
    }

    /// What a feed-ingestor says of itself while it leaves out one instrument.
    private static func saidOfDropped(_ event: WireEvent) -> String? {
        guard case .serviceStatus(let status) = event, status.isReady,
            status.figures["instruments_dropped"] == 1
        else { return nil }
        return status.detail
    }

    private func venue(_ symbols: [String: Set<VenueChannel>]) -> VenueConfiguration {
        var configuration = VenueConfiguration(Kraken.description)
        configuration.subscriptions = symbols.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return configuration
    }
}
