import Bus
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing
import Venues
import Wire

@testable import FeedIngestion

@Suite("Parts of a venue's feed at work", .timeLimit(.minutes(10)))
struct VenuePartsTests {
    /// BitMEX at the test's venue with room for six topics a connection.
    private func narrow(_ fixture: IngestionFixture, _ symbols: [String]) -> VenueConfiguration {
        let wide = fixture.bitmex(symbols)
        var description = wide.description
        (description.connections.topics, description.connections.parts) = (6, 3)
        var configuration = VenueConfiguration(description)
        configuration.webSocketURL = wide.webSocketURL
        configuration.restURL = wide.restURL
        configuration.subscriptions = wide.subscriptions
        return configuration
    }

    private func want(_ symbol: String, _ channels: [VenueChannel], in database: Database) async throws {
        let wish = Subscription(
            instrument: InstrumentID(venue: .bitmex, symbol: symbol), channels: channels.map(\.rawValue),
            wantedBy: "watchlist:1")
        // The table has been read once its row of the configuration is there.
        try await eventually { try await !database.subscriptions().isEmpty }
        _ = try await database.execute(.addSubscription(wish, at: .zero))
    }

    private func status(
        _ bus: inout BusReader, where isWanted: (Bitpal_V1_FeedStatus) -> Bool
    ) async throws -> Bitpal_V1_FeedStatus {
        try await bus.first { event in
            guard case .feedStatus(let status) = event, isWanted(status) else { return nil }
            return status
        }
    }

    /// With a database, a narrow venue that follows these, and a reader of the bus.
    private func following(
        _ symbols: [String], hearing prefixes: [String],
        _ body: (Database, IngestionFixture, inout BusReader) async throws -> Void
    ) async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await IngestionFixture.run { fixture in
                try await fixture.reading(prefixes) { bus in
                    let services = try fixture.ingestor(database: database) {
                        $0.venues = [narrow(fixture, symbols)]
                    }
                    try await running(services) { try await body(database, fixture, &bus) }
                }
            }
        }
    }

    @Test("what no connection has room for gets one of its own, whose end touches no other book")
    func second() async throws {
        try await following(["XBTUSD"], hearing: ["feed.status.", "book.delta."]) { database, fixture, bus in
            let first = try await fixture.venue.connection()
            try await first.wait(for: "orderBookL2:XBTUSD")
            first.send(BitMEXWords.partial("b100×2 a101×1"))
            try await want("ETHUSD", [.book, .trade, .ticker, .mark, .liquidation], in: database)
            let second = try await fixture.venue.connection()
            try await second.wait(for: "orderBookL2:ETHUSD")
            second.send(BitMEXWords.partial("b10×2 a11×1", symbol: "ETHUSD"))
            let live = try await status(&bus) { $0.booksLive == 2 }
            #expect(live.booksTotal == 2 && live.state == .live && live.subscriptionsLimit == 3)
            second.cut()
            let cut = try await status(&bus) { $0.state == .disconnected }
            #expect(cut.booksLive == 1 && cut.detail.hasPrefix("1 of 2 parts: "))
            let third = try await fixture.venue.connection()
            try await third.wait(for: "orderBookL2:ETHUSD")
            third.send(BitMEXWords.partial("b12×2 a13×1", symbol: "ETHUSD"))
            let again = try await status(&bus) { $0.booksLive == 2 }
            #expect(again.reconnects == 1 && again.messagesReceived >= live.messagesReceived)
            // On the first connection as before.
            first.send(BitMEXWords.update("b100×5"))
            try await bus.book("delta 100×5")
        }
    }

    @Test("one that needs more room than there is goes to another connection, in one sequence")
    func moves() async throws {
        try await following(["XBTUSD", "ETHUSD"], hearing: ["book.delta.bitmex.XBTUSD."]) {
            database, fixture, bus in
            let first = try await fixture.venue.connection()
            try await first.wait(for: "orderBookL2:XBTUSD")
            first.send(BitMEXWords.partial("b100×2 a101×1"))
            try await want("ETHUSD", [.ticker, .mark], in: database)
            try await first.wait(for: "quote:ETHUSD")
            try await want("XBTUSD", [.ticker], in: database)
            try await first.wait(for: #""unsubscribe","args":["orderBookL2:XBTUSD"#)
            let second = try await fixture.venue.connection()
            try await second.wait(for: "orderBookL2:XBTUSD")
            second.send(BitMEXWords.partial("b100×3 a101×1"))
            // What comes late on the old connection is nobody's.
            first.send(BitMEXWords.update("b100×9"))
            second.send(BitMEXWords.update("b100×4"))
            try await bus.book("syncing unsubscribed")
            try await bus.book("delta 100×4")
            let kept = try await fixture.retained(["book.snapshot.bitmex.XBTUSD."])
            guard case .bookSnapshot(_, let snapshot)? = kept.last else {
                Issue.record("the broker has no snapshot of it")
                return
            }
            #expect(snapshot.state == .live && snapshot.bids.first?.size == Quantity(3))
        }
    }
}
