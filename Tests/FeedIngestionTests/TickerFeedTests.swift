import Instruments
import MarketData
import Support
import Testing
import Venues
import Wire

@testable import FeedIngestion

@Suite("Tickers of a venue's markets on the bus", .timeLimit(.minutes(10)))
struct TickerFeedTests {
    private static let page = """
        [{"symbol":"BTCUSDT","lastPrice":"61000.50","openPrice":"60000","closeTime":1000},\
        {"symbol":"PEPEUSDT","lastPrice":"0.00001","volume":"7","closeTime":1000}]
        """

    private static func binance(_ fixture: IngestionFixture) -> VenueConfiguration {
        var configuration = VenueConfiguration(Binance.spot)
        configuration.webSocketURL = "ws://127.0.0.1:\(fixture.venue.port)"
        configuration.restURL = "http://127.0.0.1:\(fixture.venue.port)"
        return configuration
    }

    private static func part(
        _ bus: inout BusReader, where isWanted: (MarketTickerPart) -> Bool
    ) async throws -> MarketTickerPart {
        try await bus.first { event -> MarketTickerPart? in
            if case .marketTickers(let part) = event, isWanted(part) { return part }
            return nil
        }
    }

    @Test("tells of all markets of a venue of which nothing is followed, then what is pushed of them")
    func tells() async throws {
        try await IngestionFixture.run { fixture in
            fixture.venue.answer("/api/v3/ticker/24hr", Self.page)
            try await fixture.reading(["market.tickers."]) { bus in
                try await running(fixture.ingestor { $0.venues = [Self.binance(fixture)] }) {
                    let first = try await Self.part(&bus) { $0.tickers.count == 2 }
                    #expect(first.venue == .binance && first.number == 0 && first.count == 1)
                    #expect(first.tickers.map(\.symbol) == ["BTCUSDT", "PEPEUSDT"])
                    #expect(first.tickers[0].last.description == "61000.5")
                    let line = try await fixture.venue.connection()
                    line.send(#"[{"e":"24hrMiniTicker","E":2000,"s":"BTCUSDT","c":"61001"},{"s":"X"},7]"#)
                    let next = try await Self.part(&bus) { $0.tickers.first?.last.description == "61001" }
                    #expect(next.tickers.map(\.symbol) == ["BTCUSDT", "PEPEUSDT"])
                    let kept = try await fixture.retained(["market.tickers."])
                    #expect(kept.count == 1)
                }
            }
            #expect(fixture.venue.asked.contains("/api/v3/ticker/24hr?type=MINI"))
        }
    }

    @Test("asks nothing where it is turned off")
    func off() async throws {
        try await IngestionFixture.run { fixture in
            var venue = Self.binance(fixture)
            venue.pricesAllMarkets = false
            var bitmex = fixture.bitmex()
            bitmex.subscriptions = [("XBTUSD", [.book])]
            try await fixture.reading(["book."]) { bus in
                try await running(fixture.ingestor { $0.venues = [venue, bitmex] }) {
                    // What is turned off would have begun before.
                    let line = try await fixture.venue.connection()
                    try await line.wait(for: "orderBookL2:XBTUSD")
                    line.send(BitMEXWords.partial("b100×2 a101×1"))
                    _ = try await bus.liveBook()
                }
            }
            #expect(fixture.venue.asked.filter { $0.contains("ticker") } == [])
        }
    }
}
