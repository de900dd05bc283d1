import Instruments
import MarketData
import Testing

@testable import Alerting

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

    @Test("of a feed is its book's: one outage of everything is stale once and resynced once")
    func feed() throws {
        let again = "\"repeat\":{\"cooldown\":\"0s\"}"
        var market = try OneMarket(
            "\"condition\":{\"feed\":\"stale\"},\(again)",
            "\"id\":\"s\",\"condition\":{\"feed\":\"resynced\"},\(again)")
        for source in AlertSource.allCases {
            market.engine.prove(source, of: market.market, at: market.now, into: &market.outputs)
        }
        market.outputs = []
        for source in AlertSource.allCases {
            market.engine.doubt(
                source, of: market.market, at: market.now, because: "test", into: &market.outputs)
        }
        market.wait(60)
        for source in AlertSource.allCases {
            market.engine.prove(source, of: market.market, at: market.now, into: &market.outputs)
        }
        #expect(
            market.firings.map(\.reason) == [
                "the feed is stale: book unproven: test", "the feed is resynced: book proven again",
            ])
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
        #expect(firing.reason.hasSuffix("; found 3 s late, after a gap"))
        market.engine.prove(.trades, of: market.market, at: until, into: &market.outputs)
        #expect(try market.fires(at: "99 98") == [])
        #expect(market.firings.count == 1)
    }

    @Test("that is late by any time says so in one number and a unit")
    func late() {
        let times: [(Int64, String)] = [
            (5, "less than 1 ms"), (250_400_000, "250 ms"), (5_962_087_620, "6 s"),
            (119_000_000_000, "119 s"),
            (150_000_000_000, "3 min"), (7_200_000_000_000, "2 h"), (200_000_000_000_000, "2 d"),
        ]
        for (time, words) in times {
            let firing = Firing(
                rule: RuleID(uuid: 0, 1), epoch: 1, series: nil, cause: .rose, venueTime: .zero,
                receivedTime: .zero, sequence: 0, lateBy: time)
            #expect(firing.reason.hasSuffix("; found \(words) late, after a gap"), "\(time)")
        }
    }

    @Test("of volume says how much was traded, or how many times the usual")
    func volume() throws {
        let times = "\"condition\":{\"volume\":{\"times\":\"3\",\"within\":\"10s\",\"average_of\":1}}"
        let above = "\"id\":\"s\",\"condition\":{\"volume\":{\"above\":\"4\",\"within\":\"10s\"}}"
        var market = try OneMarket(times, above)
        _ = try market.fires(at: "1 1 1", every: 10)
        for _ in 0..<4 {
            market.engine.trade(try market.trade("1"), of: market.market, into: &market.outputs)
        }
        #expect(
            Set(market.firings.map(\.reason)) == [
                "3 traded within 10s, at least 3 times the usual volume", "4 traded within 10s, at least 4",
            ])
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

    @Test("that lacks for one reason and then another is told with the newest, since the first")
    func newestReason() throws {
        var market = try OneMarket(Self.rule)
        let start = market.now
        func second(_ number: Int64) -> Timestamp { start.adding(nanoseconds: number * 1_000_000_000) }
        #expect(!market.engine.isJudged(.book, of: market.market))
        for (number, reason): (Int64, String) in [(0, "silent"), (20, "the worth is not known")] {
            market.engine.doubt(
                .trades, of: market.market, at: second(number), because: reason, into: &market.outputs)
        }
        #expect(market.engine.isJudged(.trades, of: market.market))
        market.engine.advance(to: second(30), into: &market.outputs)
        market.engine.doubt(
            .trades, of: market.market, at: second(31), because: "silent", into: &market.outputs)
        market.engine.advance(to: second(90), into: &market.outputs)
        #expect(
            market.outputs == [
                .blind(market.id, .trades, since: start, reason: "the worth is not known")
            ])
    }

    @Test("ends a rule a minute after its time by itself, and not while what it looks at is in doubt")
    func expires() throws {
        let expires = "\"expires\":\"1970-01-01T00:01:00Z\","
        var market = try OneMarket(
            expires + Self.rule, "\"id\":\"f\"," + expires + "\"condition\":{\"feed\":\"resynced\"}")
        let end = Timestamp(nanoseconds: 120_000_000_000)
        market.engine.advance(to: end.adding(nanoseconds: -1), into: &market.outputs)
        #expect(market.outputs == [])
        market.engine.doubt(.trades, of: market.market, at: .zero, because: "test", into: &market.outputs)
        market.outputs = []
        let (rule, feed) = (try #require(RuleID("r")), try #require(RuleID("f")))
        market.engine.advance(to: end, into: &market.outputs)
        #expect(market.outputs.contains(.expired(feed, at: end)) && market.engine.isArmed(rule) == true)
        market.outputs = []
        market.engine.prove(.trades, of: market.market, at: end, isComplete: true, into: &market.outputs)
        market.outputs = []
        market.engine.advance(to: end, into: &market.outputs)
        #expect(market.outputs == [.expired(rule, at: end)] && market.engine.isArmed(rule) == false)
        // Said once.
        market.engine.advance(to: end.adding(nanoseconds: 1), into: &market.outputs)
        #expect(market.outputs.count == 1)
    }

    @Test("of a rule that is replaced by one of a later time ends with that")
    func expiresLater() throws {
        func text(_ minute: Int) -> String {
            OneMarket.whole("\"expires\":\"1970-01-01T00:0\(minute):00Z\"," + Self.rule)
        }
        var market = try OneMarket()
        try market.engine.add(try AlertRule(json: text(1)), into: &market.outputs)
        for minute in 2...9 {
            for _ in 0..<20 {
                try market.engine.replace(try AlertRule(json: text(minute)), into: &market.outputs)
            }
        }
        market.engine.advance(to: Timestamp(nanoseconds: 599_999_999_999), into: &market.outputs)
        #expect(market.outputs == [])
        market.engine.advance(to: Timestamp(nanoseconds: 600_000_000_000), into: &market.outputs)
        #expect(market.outputs.count == 1)
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
