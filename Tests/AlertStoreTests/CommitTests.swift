import Alerting
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("A commit of an evaluator", .timeLimit(.minutes(10)))
struct CommitTests {
    private static func commit(
        _ number: Int64, _ rule: StoredRule, epochs: ClosedRange<Int64>? = nil, isDone: Bool = false
    ) -> EvaluationCommit {
        var steps: [EvaluationCommit.Step] = []
        for epoch in epochs.map(Array.init) ?? [] {
            var row = AlertFixture.firing(of: rule, epoch: epoch)
            row.isDone = isDone
            steps.append(.init(rule, row))
        }
        return EvaluationCommit(
            shard: rule.shard, number: number, ruleChange: 1, state: [UInt8(number)], steps: steps)
    }

    @Test("stores firings and state together, each number once, whatever the number of attempts")
    func once() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let first = Self.commit(1, rule, epochs: 1...2)
        #expect(try await database.commit([first], under: claims) == [rule.shard: .committed(told: 2)])
        #expect(try await database.commit([first], under: claims) == [rule.shard: .alreadyCommitted])
        #expect(
            try await database.commit([Self.commit(3, rule, epochs: 3...3)], under: claims)
                == [rule.shard: .conflict])
        #expect(try await database.first(FiringCount()) == 2)
        let stored = try #require(try await database.withSession { try $0.evaluation(of: rule.shard) })
        #expect(stored.number == 1 && stored.state == [1] && stored.ruleChange == 1)
        #expect(try await database.rule(rule.id).epoch == 2)
        await database.close()
    }

    @Test("of another one under the same number is a conflict, and not taken for stored")
    func another() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let first = Self.commit(1, rule, epochs: 1...2)
        #expect(try await database.commit([first], under: claims) == [rule.shard: .committed(told: 2)])
        // Of who had read the shard before that was stored, and knows other things.
        var other = Self.commit(1, rule, epochs: 1...3)
        other.state = [9]
        #expect(try await database.commit([other], under: claims) == [rule.shard: .conflict])
        other.state = first.state
        other.ruleChange += 1
        #expect(try await database.commit([other], under: claims) == [rule.shard: .conflict])
        #expect(try await database.first(FiringCount()) == 2)
        await database.close()
    }

    @Test("of who lost the lease stores nothing")
    func fenced() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let other = LeaseClaims(service: AlertFixture.service, instance: "b", epochs: claims.epochs)
        let commit = Self.commit(1, rule, epochs: 1...1)
        #expect(try await database.commit([commit], under: other) == [rule.shard: .leaseLost])
        #expect(try await database.first(FiringCount()) == 0)
        #expect(try await database.withSession { try $0.evaluation(of: rule.shard) } == nil)
        await database.close()
    }

    @Test("goes on over an edit that decides nothing, and leaves out what an owner changed or ended")
    func edited() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rules = try await database.add(try (1...3).map { try AlertFixture.rule($0) })
        let ids = rules.map(\.id)
        _ = try await database.transaction { session in
            try session.editRules([ids[0]], of: AlertFixture.user, limits: RuleLimits(), at: AlertFixture.now)
            {
                var rule = $0
                rule.note = "only words"
                return rule
            }
        }
        _ = try await database.transaction { session in
            try session.editRules([ids[1]], of: AlertFixture.user, limits: RuleLimits(), at: AlertFixture.now)
            {
                rule throws(FieldFault) in
                try rule.merging(
                    json: Array(#"{"condition":{"price":"last","crosses":"above","level":"1"}}"#.utf8))
            }
        }
        let steps = rules.map { EvaluationCommit.Step($0, AlertFixture.firing(of: $0, epoch: 1)) }
        let again = EvaluationCommit.Step(rules[2], AlertFixture.firing(of: rules[2], epoch: 2))
        let ended = EvaluationCommit.Step(rules[2], nil)
        let commit = EvaluationCommit(
            shard: rules[0].shard, number: 1, ruleChange: 1, state: [], steps: steps + [ended, again])
        #expect(try await database.commit([commit], under: claims) == [rules[0].shard: .committed(told: 2)])
        #expect(try await database.rule(ids[0]).epoch == 1)
        #expect(try await database.rule(ids[1]).epoch == 0)
        #expect(try await database.rule(ids[2]).done != nil)
        await database.close()
    }

    @Test("a test of a notification is delivered, and stands in no firing's way")
    func tested() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let epoch = try await database.transaction { session in
            try session.testFire(rule, at: AlertFixture.now)
        }
        #expect(epoch == 1)
        let commit = Self.commit(1, rule, epochs: 1...1)
        #expect(try await database.commit([commit], under: claims) == [rule.shard: .committed(told: 1)])
        let kinds = try await database.history(of: rule.id).map(\.kind)
        #expect(Set(kinds) == [.created, .tested, .fired])
        // Whoever asks how often it fired does not mean the test.
        let stored = try await database.rule(rule.id)
        #expect(stored.epoch == 2 && stored.firings == 1)
        #expect(try await database.rules().map(\.firings) == [1])
        #expect(try await database.outboxCounts() == ["waiting": 2])
        // Each is kept, and goes to every channel: who asks for one after another is held up.
        let error = await #expect(throws: StoreError.self) {
            try await database.transaction { session in
                for _ in 0..<Session.testFiringsPerHour {
                    _ = try session.testFire(rule, at: AlertFixture.now)
                }
            }
        }
        let fault = QuotaFault(
            "test notifications within an hour", count: 121, limit: 120, advice: "try again later")
        #expect(error?.bodyError as? RuleRefused == RuleRefused(index: 0, .quota(fault)))
        await database.close()
    }

    @Test("a rule makes the feed bring its instrument as long as it is armed")
    func subscribed() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let wish = Subscription(
            instrument: AlertFixture.bitcoin, channels: ["trade"], wantedBy: "alert:\(rule.id)")
        #expect(try await database.subscriptions() == [wish])
        for isEnabled in [false, true] {
            _ = try await database.transaction { session in
                try session.setRules(
                    [rule.id], enabled: isEnabled, of: AlertFixture.user, limits: RuleLimits(),
                    at: AlertFixture.now)
            }
            #expect(try await database.subscriptions() == (isEnabled ? [wish] : []))
        }
        let armed = try await database.rule(rule.id)
        let last = Self.commit(1, armed, epochs: 1...1, isDone: true)
        #expect(try await database.commit([last], under: claims) == [rule.shard: .committed(told: 1)])
        #expect(try await database.subscriptions().isEmpty)
        await database.close()
    }
}
