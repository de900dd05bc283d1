import Alerting
import Instruments
import MarketData
import Testing

@Suite("Proven data")
struct ProofTests {
    private static let rule =
        "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},\"repeat\":{\"cooldown\":\"0s\"}"

    @Test("alone is looked at: an unproven price neither fires nor arms")
    func unproven() throws {
        var market = try OneMarket(Self.rule)
        #expect(try market.fires(at: "99") == [])
        market.engine.doubt(
            .trades, of: market.market, at: market.now, because: "test", into: &market.outputs)
        #expect(try market.fires(at: "150 99 150") == [])
        market.engine.prove(.trades, of: market.market, at: market.now, into: &market.outputs)
        #expect(try market.fires(at: "101") == [0])
        #expect(market.firings.first?.previous.map(\.description) == "99")
    }

    @Test("that was missed is made up for from extremes, marked with how late")
    func missedRange() throws {
        var market = try OneMarket(Self.rule)
        #expect(try market.fires(at: "99") == [])
        market.engine.doubt(
            .trades, of: market.market, at: market.now, because: "test", into: &market.outputs)
        market.wait(60)
        let until = market.now
        market.engine.missed(
            MissedRange(
                high: 105, low: 95, close: 98, scale: .zero, until: until,
                found: until.adding(nanoseconds: 3_000_000_000)),
            of: .price(market.id, .last), into: &market.outputs)
        let firing = try #require(market.firings.first)
        #expect(firing.lateBy == 3_000_000_000)
        #expect(firing.venueTime == until)
        #expect(firing.price.map(\.description) == "105")
        #expect(firing.reason.hasSuffix("; found 3s late, after a gap"))
        market.engine.prove(.trades, of: market.market, at: until, into: &market.outputs)
        #expect(try market.fires(at: "99 98") == [])
        #expect(market.firings.count == 1)
    }

    @Test("that was missed is made up for from trades, each with its own lateness")
    func missedTrades() throws {
        var market = try OneMarket(Self.rule)
        #expect(try market.fires(at: "99") == [])
        market.engine.doubt(
            .trades, of: market.market, at: market.now, because: "test", into: &market.outputs)
        for price in ["101", "99", "102"] {
            let trade = try market.trade(price)
            market.engine.missed(
                trade, found: market.now.adding(nanoseconds: 5), of: market.market, into: &market.outputs)
            market.wait(1)
        }
        #expect(market.firings.map(\.lateBy) == [5, 5])
        #expect(market.firings.map(\.epoch) == [1, 2])
    }

    @Test("that lacks for long is told once, and its return once")
    func blind() throws {
        var market = try OneMarket(Self.rule)
        let start = market.now
        market.engine.doubt(.trades, of: market.market, at: start, because: "silent", into: &market.outputs)
        for seconds: Int64 in [29, 30, 31, 90] {
            market.engine.advance(
                to: start.adding(nanoseconds: seconds * 1_000_000_000), into: &market.outputs)
        }
        let back = start.adding(nanoseconds: 100_000_000_000)
        market.engine.prove(.trades, of: market.market, at: back, into: &market.outputs)
        market.engine.prove(.trades, of: market.market, at: back, into: &market.outputs)
        #expect(
            market.outputs == [
                .blind(market.id, .trades, since: start, reason: "silent"),
                .seesAgain(market.id, .trades, blindSince: start, at: back),
            ])
    }

    @Test("that lacks for a moment, or that no rule needs, is told to nobody")
    func notBlind() throws {
        var market = try OneMarket(Self.rule)
        let start = market.now
        market.engine.doubt(.trades, of: market.market, at: start, because: "silent", into: &market.outputs)
        market.engine.prove(.trades, of: market.market, at: start, into: &market.outputs)
        market.engine.doubt(.book, of: market.market, at: start, because: "silent", into: &market.outputs)
        market.engine.advance(to: start.adding(nanoseconds: 90_000_000_000), into: &market.outputs)
        #expect(market.outputs == [])
    }

    @Test("is what a rule about the feed fires on")
    func feed() throws {
        var market = try OneMarket(
            "\"id\":\"s\",\"condition\":{\"feed\":\"stale\"}",
            "\"id\":\"r\",\"condition\":{\"feed\":\"resynced\"}")
        market.engine.doubt(.trades, of: market.market, at: .zero, because: "gap", into: &market.outputs)
        market.engine.prove(.trades, of: market.market, at: .zero, into: &market.outputs)
        #expect(market.firings.map(\.rule.description) == ["s", "r"])
    }
}

@Suite("Explaining a rule")
struct ExplainTests {
    @Test("says what became of each crossing, and when it may fire again")
    func outcomes() throws {
        var market = try OneMarket(
            "\"condition\":{\"price\":\"last\",\"crosses\":\"above\",\"level\":\"100\"},"
                + "\"repeat\":{\"cooldown\":\"10s\",\"hysteresis\":\"5\"}")
        _ = try market.fires(at: "99 101 98 102 94 103")
        let id = try #require(RuleID("r"))
        let explanation = try #require(market.engine.explain(id))
        let until = Timestamp(nanoseconds: 11_000_000_000)
        #expect(
            explanation.evaluations.map(\.outcome) == [
                .fired, .disarmed, .rearmed, .cooling(until: until),
            ])
        #expect(explanation.firings == 1)
        #expect(explanation.coolsUntil == until)
        #expect(explanation.rearmsAt == nil)
        #expect(explanation.value.map(\.description) == "103")
        let nobody = try #require(RuleID("nobody"))
        #expect(market.engine.explain(nobody) == nil)
    }

    @Test("is bounded: the oldest evaluations go")
    func bounded() throws {
        var market = try OneMarket()
        market.engine = AlertEngine(limits: AlertLimits(journal: 4))
        let place = market.engine.market(market.id)
        market.engine.prove(.trades, of: place, at: .zero, into: &market.outputs)
        let rule =
            "\"condition\":{\"price\":\"last\",\"crosses\":\"either\",\"level\":\"100\"},\"repeat\":{\"cooldown\":\"0s\"}"
        try market.engine.add(try AlertRule(json: OneMarket.whole(rule)), into: &market.outputs)
        for step in 0..<20 {
            let trade = try market.trade(step % 2 == 0 ? "99" : "101")
            market.engine.trade(trade, of: place, into: &market.outputs)
        }
        let id = try #require(RuleID("r"))
        #expect(market.engine.explain(id)?.evaluations.count == 4)
    }
}
