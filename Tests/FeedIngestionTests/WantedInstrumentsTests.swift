import Instruments
import MarketStore
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Wanted instruments")
struct WantedInstrumentsTests {
    private func row(_ symbol: String, _ channels: [String], by owner: String, venue: Venue = .kraken)
        -> Subscription
    {
        Subscription(
            instrument: InstrumentID(venue: venue, symbol: symbol), channels: channels, wantedBy: owner)
    }

    @Test("follows a symbol once, with the channels that anybody wants")
    func union() {
        let wants = VenueSubscriptions(
            [
                row("BTC/USD", ["book"], by: "a"), row("BTC/USD", ["trade", "book"], by: "b"),
                row("ETH/USD", ["ticker"], by: "a"), row("XBTUSD", ["book"], by: "a", venue: .bitmex),
            ], of: .kraken, configured: [], limit: 10)
        #expect(
            wants.wants == [
                VenueSubscriptions.SymbolSubscription(symbol: "BTC/USD", channels: [.book, .trade]),
                VenueSubscriptions.SymbolSubscription(symbol: "ETH/USD", channels: [.ticker]),
            ])
    }

    @Test("does not follow a symbol of which only unknown channels are wanted")
    func unknownChannels() {
        let wants = VenueSubscriptions(
            [row("BTC/USD", ["smell"], by: "a")], of: .kraken, configured: [], limit: 10)
        #expect(wants.wants.isEmpty)
    }

    @Test("keeps what is configured when there are too many")
    func limit() {
        let rows = ["A", "B", "C", "Z"].map { row($0, ["book"], by: "a") }
        let wants = VenueSubscriptions(rows, of: .kraken, configured: ["Z"], limit: 2)
        #expect(wants.wants.map(\.symbol) == ["Z", "A"])
        #expect(wants.refused == ["B", "C"])
    }

    @Test("knows when nothing changed")
    func differences() {
        let before = VenueSubscriptions(
            [row("A", ["book"], by: "a"), row("B", ["book"], by: "a")], of: .kraken, configured: [], limit: 9)
        let after = VenueSubscriptions(
            [row("B", ["book"], by: "b"), row("C", ["book"], by: "a")], of: .kraken, configured: [], limit: 9)
        #expect(!before.followsSame(as: after))
        let same = VenueSubscriptions(
            [row("B", ["book"], by: "x"), row("A", ["book"], by: "x")], of: .kraken, configured: ["B"],
            limit: 9)
        #expect(before.followsSame(as: same))
        let fewer = VenueSubscriptions(
            [row("A", ["trade"], by: "a"), row("B", ["book"], by: "a")], of: .kraken, configured: [], limit: 9
        )
        #expect(!before.followsSame(as: fewer))
    }
}
