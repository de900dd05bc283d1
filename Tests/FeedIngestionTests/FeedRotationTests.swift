import Instruments
import MarketData
import Support
import Testing
import Wire

@testable import FeedIngestion
@testable import Venues

@Suite("A feed whose connections are replaced", .timeLimit(.minutes(5)))
struct FeedRotationTests {
    /// A venue that ends each connection after a second, or says so.
    private func shortLived(_ fixture: IngestionFixture) -> VenueConfiguration {
        var description = BitMEX.description
        description.connections.lifetime = .seconds(1)
        // It says nothing but what the test says.
        description.silence = SilenceLimit(ping: .seconds(120), answer: .seconds(60))
        let usual = fixture.bitmex()
        var configuration = VenueConfiguration(description)
        configuration.webSocketURL = usual.webSocketURL
        configuration.restURL = usual.restURL
        configuration.subscriptions = usual.subscriptions
        return configuration
    }

    /// At a price of the book's own scale.
    private func trade(_ id: String, at second: Int) -> String {
        BitMEXWords.trade(id, at: second).replacing("100.5", with: "100")
    }

    @Test("opens another beside it, goes over when its books are live, and closes the old one")
    func rotation() async throws {
        try await IngestionFixture.run { fixture in
            let services = try fixture.ingestor { $0.venues = [shortLived(fixture)] }
            try await fixture.reading(["book.", "trade."]) { bus in
                try await running(services) {
                    let old = try await fixture.venue.connection()
                    try await old.wait(for: "trade:XBTUSD")
                    old.send(BitMEXWords.partial("b100×2 a101×1"))
                    #expect(try await bus.liveBook() == "live seq 1 | bids 100×2 | asks 101×1")
                    let new = try await fixture.venue.connection()
                    try await new.wait(for: "trade:XBTUSD")
                    old.send(BitMEXWords.update("b100×3"))
                    #expect(try await bus.book() == "delta 100×3")
                    new.send(BitMEXWords.partial("b100×4 a101×1"))
                    // The one change between the two books is all that anybody hears of it.
                    #expect(try await bus.book() == "delta 100×4")
                    for line in [old, new] {
                        line.send(trade("t1", at: 1))
                        line.send(trade("t2", at: 2))
                    }
                    await old.ended()
                    new.send(trade("t3", at: 3))
                    for id in ["t1", "t2", "t3"] {
                        let trade = try await bus.first { event -> Trade? in
                            if case .trade(_, let trade) = event { return trade }
                            return nil
                        }
                        #expect(trade.id == id)
                    }
                    new.send(BitMEXWords.update("b100×5"))
                    let last = try await bus.book()
                    #expect(last == "delta 100×5")
                }
            }
        }
    }
}
