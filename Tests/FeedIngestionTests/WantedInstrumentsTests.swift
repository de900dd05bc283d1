import Instruments
import MarketStore
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Wanted instruments")
struct WantedInstrumentsTests {
    private func row(
        _ symbol: String, _ channels: [String], by owner: String, venue: Venue = .kraken, at time: Int64 = 0
    ) -> DatedSubscription {
        let wanted = Subscription(
            instrument: InstrumentID(venue: venue, symbol: symbol), channels: channels, wantedBy: owner)
        return DatedSubscription(wanted, added: Timestamp(nanoseconds: time))
    }

    @Test("follows a symbol once, with the channels that anybody wants")
    func union() {
        let wants = VenueSubscriptions(
            [
                row("BTC/USD", ["book"], by: "a"), row("BTC/USD", ["trade", "book"], by: "b"),
                row("ETH/USD", ["ticker"], by: "a"), row("XBTUSD", ["book"], by: "a", venue: .bitmex),
            ], of: .kraken, limit: 10)
        #expect(
            wants.wants == [
                VenueSubscriptions.SymbolSubscription(symbol: "BTC/USD", channels: [.book, .trade]),
                VenueSubscriptions.SymbolSubscription(symbol: "ETH/USD", channels: [.ticker]),
            ])
    }

    @Test("does not follow a symbol of which only unknown channels are wanted")
    func unknownChannels() {
        let wants = VenueSubscriptions(
            [row("BTC/USD", ["smell"], by: "a")], of: .kraken, limit: 10)
        #expect(wants.wants.isEmpty)
    }

    @Test("keeps what is configured when there are too many")
    func limit() {
        let rows =
            ["A", "B", "C", "Z"].map { row($0, ["book"], by: "a") }
            + [row("Z", ["book"], by: SubscriptionSeed.owner, at: 9)]
        let wants = VenueSubscriptions(rows, of: .kraken, limit: 2)
        #expect(wants.wants.map(\.symbol) == ["Z", "A"])
        #expect(wants.dropped == ["B", "C"])
    }

    @Test("keeps what a rule needs when a watchlist of early names fills the venue")
    func rulesFirst() {
        let lists = (0..<200).map { row("A\($0)", ["book", "trade", "ticker"], by: "watchlist:1", at: 1) }
        let rule = row("Z", ["trade"], by: "alert:1", at: 2)
        let wants = VenueSubscriptions(lists + [rule], of: .kraken, limit: 200)
        #expect(wants.wants.count == 200 && wants.wants.first?.symbol == "Z")
        #expect(wants.dropped == ["A99"])
    }

    @Test("drops what the plan of the same rows drops, also where a channel is not known")
    func samePlan() {
        property { generator in
            let rows = (0..<generator.int(0...30)).map { _ in
                row(
                    "S\(generator.int(0...12))", [generator.pick(["book", "smell"])],
                    by: generator.pick(["configuration", "operator", "alert:1", "watchlist:1"]),
                    at: Int64(generator.int(0...9)))
            }
            let limit = generator.int(1...9)
            let (wants, plan) = (
                VenueSubscriptions(rows, of: .kraken, limit: limit), FollowPlan(rows, limit: limit)
            )
            try #require(wants.dropped == plan.dropped)
            try #require(Set(wants.wants.map(\.symbol)).isSubset(of: plan.followed))
        }
    }

    @Test("leaves out what has no place after all")
    func homeless() {
        var wants = VenueSubscriptions(
            [row("A", ["book"], by: "a"), row("B", ["book"], by: "a"), row("C", ["book"], by: "a")],
            of: .kraken, limit: 2)
        wants.drop(["A"])
        #expect(wants.wants.map(\.symbol) == ["B"])
        #expect(wants.dropped == ["C", "A"])
    }
}
