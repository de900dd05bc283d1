import AccountStore
import AlertStore
import Alerting
import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Support
import Testing

@testable import AlertEvaluation

@Suite("Alert evaluator", .timeLimit(.minutes(10)))
struct AlertEvaluatorTests {
    @Test("fires once on a wick of one trade, also a rule that may fire again")
    func wick() async throws {
        try await EvaluatorFixture.run { fixture in
            let once = try await fixture.add(#"{"price":"last","crosses":"above","level":"105"}"#)
            let again = try await fixture.add(
                #"{"price":"last","crosses":"above","level":"105"}"#, #","repeat":{"cooldown":"1s"}"#)
            let end = try await fixture.above(500)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                // The probes passed the level, too.
                let before = try await fixture.firings(again).count
                fixture.tape.say([100, 105, 100, 101, 104, 600])
                // Read there, if the bus was taken for silent meanwhile.
                try await fixture.tape.store(in: fixture.database)
                try await fixture.wait(for: 1, of: end)
                let fired = try await fixture.firings(once)
                #expect(fired.count == 1)
                #expect(try await fixture.firings(again).count <= before + 2)
            }
        }
    }

    @Test("fires on the trade that passes the level, with its id, in time")
    func live() async throws {
        try await EvaluatorFixture.run { fixture in
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                fixture.tape.say([100])
                // Effective on the running service, without its being asked to look.
                let rule = try await fixture.above(105)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 104, 106])
                    try await fixture.tape.store(in: fixture.database)
                    return try await fixture.firings(rule).contains { $0.lateBy == 0 }
                }
                let first = try #require(try await fixture.firings(rule).first { $0.lateBy == 0 })
                #expect(first.kind == "fired" && first.lateBy == 0 && first.price == "106")
                #expect(first.tradeID?.hasPrefix("t") == true)
                #expect(first.reason.hasPrefix("last price rose to 106"))
                #expect(
                    try await fixture.database.subscriptions().contains {
                        $0.instrument == EvaluatorFixture.bitcoin && $0.wantedBy == "alert:\(rule.id)"
                    })
            }
        }
    }

    @Test("fires once on a crossing that it read before the bus brought it")
    func overtaken() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(105)
            // Stored, and under way on the bus for as long as the evaluator reads.
            let early = [100, 106, 99, 107].map { fixture.tape.trade($0) }
            try await fixture.tape.store(in: fixture.database)
            try await fixture.evaluating {
                try await fixture.wait(for: 2, of: rule)
                for trade in early { fixture.tape.say(trade) }
                fixture.tape.say([90, 110])
                try await fixture.tape.store(in: fixture.database)
                try await fixture.wait(for: 3, of: rule)
                #expect(try await fixture.firings(rule).map(\.tradeID) == ["t2", "t4", "t6"])
            }
        }
    }

    @Test("finds a crossing that the bus lost in the stored tape, and marks it late")
    func gap() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(105)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                fixture.tape.say([100])
                try await fixture.tape.store(in: fixture.database)
                fixture.tape.lose(107)
                fixture.tape.say([100])
                try await fixture.tape.store(in: fixture.database)
                try await eventually {
                    fixture.tape.beat()
                    return try await fixture.firings(rule).contains { $0.price == "107" }
                }
                let late = try #require(try await fixture.firings(rule).first { $0.price == "107" })
                #expect(late.lateBy > 0)
                #expect(late.reason.contains("late, after a gap"))
                // And goes on in time.
                let end = try await fixture.above(500)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 600])
                    try await fixture.tape.store(in: fixture.database)
                    return try await fixture.firings(end).contains { $0.lateBy == 0 }
                }
            }
        }
    }

    @Test("that starts again finds what happened meanwhile, once")
    func restart() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(105)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                fixture.tape.say([100])
                try await fixture.tape.store(in: fixture.database)
            }
            let before = try await fixture.firings(rule).count
            fixture.tape.say([104, 106, 100, 110, 100])
            try await fixture.tape.store(in: fixture.database)
            try await fixture.evaluating {
                try await fixture.wait(for: before + 2, of: rule)
                let end = try await fixture.above(500)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 600, 100])
                    try await fixture.tape.store(in: fixture.database)
                    return try await !fixture.firings(end).isEmpty
                }
                let found = try await fixture.firings(rule).dropFirst(before)
                #expect(found.prefix(2).map(\.price) == ["106", "110"])
                #expect(found.prefix(2).allSatisfy { $0.lateBy > 0 })
                // Whatever came after rose to 600.
                #expect(found.dropFirst(2).allSatisfy { $0.price == "600" })
            }
        }
    }

    @Test("fires nothing on a book that is stale, and on the next one that is live")
    func staleBook() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.add(#"{"price":"bid","crosses":"above","level":"105"}"#)
            let other = try await fixture.add(
                #"{"price":"ask","crosses":"above","level":"300"}"#, #","repeat":{"cooldown":"0s"}"#)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.quote(.live, bid: 100, ask: 301)
                    fixture.tape.quote(.live, bid: 100, ask: 101)
                    return try await !fixture.firings(other).isEmpty
                }
                let seen = try await fixture.firings(other).count
                fixture.tape.quote(.stale, bid: 110, ask: 111)
                fixture.tape.quote(.suspect, bid: 110, ask: 111)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.quote(.live, bid: 100, ask: 101)
                    fixture.tape.quote(.live, bid: 100, ask: 301)
                    return try await fixture.firings(other).count > seen
                }
                #expect(try await fixture.firings(rule).isEmpty)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.quote(.live, bid: 100, ask: 301)
                    fixture.tape.quote(.live, bid: 106, ask: 301)
                    return try await !fixture.firings(rule).isEmpty
                }
            }
        }
    }

    @Test("tells an owner once that a rule is blind, and once that it sees again")
    func blind() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(5_000_000)
            let other = try await fixture.above(6_000_000)
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await fixture.waitUntilLive()
                // A machine that was slow to begin told of that already.
                let before = try await fixture.firings(rule).count
                let others = try await fixture.firings(other).count
                func told() async throws -> [FiringLine] {
                    Array(try await fixture.firings(rule).dropFirst(before))
                }
                try await eventually {
                    fixture.tape.beat(isLive: false)
                    return try await told().contains { $0.kind == "blind" }
                }
                fixture.tape.say([100])
                try await fixture.tape.store(in: fixture.database)
                try await eventually {
                    fixture.tape.beat()
                    return try await told().contains { $0.kind == "sees_again" }
                }
                let lines = try await told()
                #expect(lines.map(\.kind) == ["blind", "sees_again"])
                #expect(try await fixture.firings(other).count == others)
                #expect(lines[0].reason.contains("another rule of yours"))
            }
        }
    }

    @Test("goes on with a rule of before there was an operator as that one's, together with its own")
    func adoption() async throws {
        try await EvaluatorFixture.run { fixture in
            let boss = try await fixture.stranger()
            try await fixture.database.execute(OpenAccount(user: boss))
            let rule = try await fixture.above(105)
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await fixture.waitUntilLive()
                // What it knows is stored: of a rule that has another owner before that it tells the former.
                try await eventually {
                    fixture.tape.beat()
                    let known = try await fixture.database.rows(
                        """
                        SELECT known.rule_change FROM alerts.evaluation AS known
                        JOIN alerts.rule AS rule USING (shard)
                        JOIN alerts.rule_clock AS clock ON known.rule_change = clock.change
                        WHERE rule.rule_id = \(rule.id)
                        """
                    ) { try $0.int64() }
                    return !known.isEmpty
                }
                try await fixture.database.execute(
                    "UPDATE accounts.account SET role = 'operator' WHERE user_id = \(boss)")
                // It is a later change: with it the one before is known.
                let own = try await fixture.above(105, of: boss)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 106])
                    try await fixture.tape.store(in: fixture.database)
                    return try await fixture.haveFired([rule, own])
                }
                let before = try await fixture.firings(rule).count
                func blind() async throws -> FiringLine? {
                    try await fixture.firings(rule).dropFirst(before).first { $0.kind == "blind" }
                }
                try await eventually {
                    fixture.tape.beat(isLive: false)
                    return try await blind() != nil
                }
                #expect(try await blind()?.reason.contains("so is another rule of yours") == true)
                let owners = try await fixture.database.rows(
                    "SELECT DISTINCT user_id FROM alerts.firing WHERE rule_id = \(rule.id)"
                ) { try $0.user() }
                #expect(owners == [boss])
            }
        }
    }

    @Test("goes by what an owner changed, and forgets what an owner deleted")
    func edits() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(105)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                _ = try await fixture.database.transaction { session in
                    try session.editRules(
                        [rule.id], of: EvaluatorFixture.user, limits: RuleLimits(), at: BusClock.wall()
                    ) { rule throws(FieldFault) in
                        try rule.merging(
                            json: Array(
                                #"{"condition":{"price":"last","crosses":"above","level":"205"}}"#.utf8))
                    }
                }
                let before = try await fixture.firings(rule).count
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 207])
                    try await fixture.tape.store(in: fixture.database)
                    let fired = try await fixture.firings(rule).dropFirst(before)
                    return fired.contains { $0.reason.contains("reaching 205") }
                }
                _ = try await fixture.database.transaction { session in
                    try session.deleteRules([rule.id], of: EvaluatorFixture.user, at: BusClock.wall())
                }
                let count = try await fixture.firings(rule).count
                let end = try await fixture.above(500)
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, 600])
                    try await fixture.tape.store(in: fixture.database)
                    return try await !fixture.firings(end).isEmpty
                }
                #expect(try await fixture.firings(rule).count == count)
            }
        }
    }

    @Test("lets the rules of an account that is disabled rest, and goes on with them when it is enabled")
    func rest() async throws {
        try await EvaluatorFixture.run { fixture in
            try await fixture.database.execute(OpenAccount(user: EvaluatorFixture.user))
            let rule = try await fixture.above(105)
            let other = try await fixture.above(105, of: try await fixture.stranger())
            func disable(_ isDisabled: Bool) async throws {
                try await fixture.database.transaction { session in
                    try session.setDisabled(isDisabled, EvaluatorFixture.user, at: BusClock.wall())
                }
                let change = try await fixture.database.withSession { try $0.lastRuleChange() }
                try await eventually {
                    fixture.tape.beat()
                    let known = try await fixture.database.withSession { try $0.evaluation(of: rule.shard) }
                    return known?.ruleChange == change
                }
            }
            func fire(_ rule: StoredRule, at price: Int64) async throws {
                let before = try await fixture.firings(rule).count
                try await eventually {
                    fixture.tape.beat()
                    fixture.tape.say([100, price, 100])
                    try await fixture.tape.store(in: fixture.database)
                    return try await fixture.firings(rule).count > before
                }
            }
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                try await fire(rule, at: 106)
                try await disable(true)
                let count = try await fixture.firings(rule).count
                try await fire(other, at: 107)
                #expect(try await fixture.firings(rule).count == count)
                try await disable(false)
                try await fire(rule, at: 108)
            }
        }
    }

    @Test("fires on the close that passes a level, and warms an indicator up with stored candles")
    func candles() async throws {
        try await EvaluatorFixture.run { fixture in
            var stored = CandleBatch()
            for minute in Int64(0)..<20 {
                stored.append(Self.row(minute, close: minute < 15 ? 100 : 90), of: EvaluatorFixture.bitcoin)
            }
            _ = try await fixture.database.fill(stored)
            let close = try await fixture.add(#"{"candle":{"interval":"1m","close":"above","level":"105"}}"#)
            let cross = try await fixture.add(
                #"{"ema":{"interval":"1m","fast":2,"slow":5,"crosses":"above"}}"#)
            try await fixture.evaluating {
                try await fixture.waitUntilLive()
                // The last of those that are stored, once more: it was seen.
                try fixture.tape.close(minute: 19, at: 90)
                try await eventually {
                    fixture.tape.beat()
                    // A second one that is the same is none.
                    try fixture.tape.close(minute: 20, at: 200)
                    if try await fixture.firings(close).isEmpty { return false }
                    return try await !fixture.firings(cross).isEmpty
                }
                #expect(
                    try await fixture.firings(close).first?.reason.hasPrefix("1m close rose to 200") == true)
                #expect(try await fixture.firings(cross).first?.reason.hasPrefix("EMA(2)") == true)
            }
        }
    }

    private static func row(_ minute: Int64, close: Int64) -> CandleRow {
        let start = Timestamp(nanoseconds: minute * 60_000_000_000)
        let price = Price(close)
        return CandleRow(
            interval: .minute, start: start, openTime: start, closeTime: start.adding(nanoseconds: 1),
            open: price,
            high: price, low: price, close: price, priceScale: .zero, sizeScale: .zero, tradeCount: 1,
            volume: Amount(units: 1, places: 0), takerBuyVolume: nil, notional: nil, flags: .closed)
    }
}
