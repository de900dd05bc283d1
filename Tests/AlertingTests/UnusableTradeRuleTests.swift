import Alerting
import Instruments
import MarketData
import Testing

/// Sessions leave such rows out; what was stored or published before they did comes all the same.
@Suite("Trades without a price or a size, and rules")
struct UnusableTradeRuleTests {
    private static let again = "\"repeat\":{\"cooldown\":\"0s\"}"

    @Test("fire nothing, and are nobody's last price")
    func crossing() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"below\",\"level\":\"100\"},\(Self.again)")
        #expect(try market.fires(at: "101 0 101 0.00 101 -5") == [])
        market.engine.trade(
            try market.trade("50", size: "0"), of: market.market, into: &market.outputs)
        market.engine.trade(
            try market.trade("50", size: "-1"), of: market.market, into: &market.outputs)
        #expect(market.firings.isEmpty)
        #expect(try market.fires(at: "99") == [0])
        #expect(market.firings.first?.previous.map(\.description) == "101")
    }

    @Test("fire nothing where a rule looks at more than the price")
    func watched() throws {
        var market = try OneMarket(
            "\"condition\":{\"volume\":{\"above\":\"4\",\"within\":\"10s\"}},\(Self.again)",
            "\"id\":\"s\",\"condition\":{\"price\":\"last\",\"crosses\":\"below\",\"level\":\"1\"},\(Self.again)"
        )
        #expect(try market.fires(at: "5") == [])
        for (price, size) in [("0", "10"), ("5", "0"), ("-1", "10")] {
            market.engine.trade(
                try market.trade(price, size: size), of: market.market, into: &market.outputs)
        }
        #expect(market.firings.isEmpty)
    }

    @Test("fire nothing when they were missed")
    func missed() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"below\",\"level\":\"100\"},\(Self.again)")
        #expect(try market.fires(at: "101") == [])
        market.engine.doubt(
            .trades, of: market.market, at: market.now, because: "test", into: &market.outputs)
        for (price, size) in [("0", "1"), ("99", "0"), ("-1", "1"), ("98", "1")] {
            market.engine.missed(
                try market.trade(price, size: size), found: market.now.adding(nanoseconds: 5),
                of: market.market, into: &market.outputs)
            market.wait(1)
        }
        #expect(market.firings.compactMap(\.price).map(\.description) == ["98"])
    }
}
