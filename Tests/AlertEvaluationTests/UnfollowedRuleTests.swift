import AccountStore
import Alerting
import Bus
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertEvaluation
@testable import AlertStore

@Suite("Rules on what no feed follows", .timeLimit(.minutes(10)))
struct UnfollowedRuleTests {
    /// Of the same venue as the fixture's, and of a better rank than any rule.
    private static let other = Subscription(
        instrument: InstrumentID(venue: .kraken, symbol: "AAVE/USD"), channels: ["trade"],
        wantedBy: "operator")

    @Test("tell their owner so while the feed says that all is well, and that they see again")
    func told() async throws {
        try await EvaluatorFixture.run { fixture in
            let rule = try await fixture.above(5_000_000)
            fixture.tape.subscriptionsLimit = 1
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await fixture.waitUntilLive()
                // A machine that was slow to begin told of that already.
                let before = try await fixture.firings(rule).count
                func news() async throws -> [FiringLine] {
                    Array(try await fixture.firings(rule).dropFirst(before))
                }
                try await fixture.database.execute(.addSubscription(Self.other, at: .zero))
                try await eventually {
                    fixture.tape.beat()
                    return try await news().contains { $0.kind == "blind" }
                }
                let reason = "it is not followed: at most 1 instruments of kraken are"
                #expect(try await news().first?.reason.contains(reason) == true)
                // What the feed says of itself does not prove it again, nor explain it away.
                #expect(try await explained(rule, fixture).blindReason.contains(reason))
                try await fixture.database.execute(
                    .removeSubscription(Self.other.instrument, wantedBy: Self.other.wantedBy))
                fixture.tape.say([100])
                try await fixture.tape.store(in: fixture.database)
                try await eventually {
                    fixture.tape.beat()
                    return try await news().contains { $0.kind == "sees_again" }
                }
                #expect(try await news().map(\.kind) == ["blind", "sees_again"])
            }
        }
    }

    @Test("are blind from their making on, also one of another owner that comes when the first was told")
    func fromTheBeginning() async throws {
        try await EvaluatorFixture.run { fixture in
            try await fixture.database.execute(.addSubscription(Self.other, at: .zero))
            let rule = try await fixture.above(100)
            fixture.tape.subscriptionsLimit = 1
            try await fixture.evaluating(blindAfter: .seconds(1)) {
                try await eventually {
                    fixture.tape.beat()
                    return try await !fixture.firings(rule).isEmpty
                }
                let told = try await fixture.firings(rule)
                #expect(told.map(\.kind) == ["blind"])
                #expect(told.first.flatMap { UnfollowedInstrument(in: $0.reason) }?.limit == 1)
                let later = try await fixture.above(100, of: fixture.stranger())
                try await eventually {
                    fixture.tape.beat()
                    return try await !fixture.firings(later).isEmpty
                }
                #expect(try await fixture.firings(later).map(\.kind) == ["blind"])
                #expect(try await fixture.firings(rule).count == 1)
            }
        }
    }

    @Test("say why as long as they are not followed, whatever else happens to the feed")
    func reasons() throws {
        let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
        let bitcoin = EvaluatorFixture.bitcoin
        var generator = SeededGenerator(seed: 1)
        let id = UniqueID(version7At: now.nanoseconds, using: &generator)
        let rule = try AlertRule(
            json: """
                {"id":"\(id)","instrument":"\(bitcoin)",\
                "condition":{"price":"bid","crosses":"above","level":"5"}}
                """)
        let shard = Shard(of: bitcoin)
        let stored = StoredRule(
            id: id, user: .localOperator, rule: rule, shard: shard, isEnabled: true, version: 1, change: 1,
            epoch: 0, created: now, updated: now)
        var core = EvaluatorCore(
            queue: CommitQueue(limit: 100), limits: AlertLimits(journal: 4),
            pendingRequests: EvaluatorCore.Requests(
                subscribe: { _ in }, unsubscribe: { _ in }, requestState: { _ in }, read: { _ in },
                zone: { _ in .utc }))
        core.adopt(LoadedShard(shard: shard, leaseEpoch: 1, rules: [stored]), at: now)
        func reason() -> String? { core.shards[shard]?.engine.explain(rule.id)?.blindReason }
        let unfollowed = [1, 200].map { UnfollowedInstrument(venue: .kraken, limit: $0) }
        core.leaveOut([bitcoin: unfollowed[0]], at: now)
        #expect(reason() == unfollowed[0].reason)
        // The feed was started again with another limit.
        core.leaveOut([bitcoin: unfollowed[1]], at: now)
        #expect(reason() == unfollowed[1].reason)
        core.loseEverything("the bus is silent", now)
        #expect(reason() == unfollowed[1].reason)
        core.leaveOut([:], at: now)
        core.loseEverything("the bus is silent", now)
        #expect(reason() == "the bus is silent")
    }

    /// Why the rule fires or not, once the evaluator has stored that it is blind.
    private func explained(_ rule: StoredRule, _ fixture: EvaluatorFixture) async throws -> Explanation {
        var found: Explanation?
        try await eventually {
            fixture.tape.beat()
            let evaluation = try await fixture.database.withSession { try $0.evaluation(of: rule.shard) }
            let explanation = RuleExplanation(rule, evaluation, last: nil, told: [], at: BusClock.wall())
            found = explanation.explanation
            return found?.isProven == false
        }
        return try #require(found)
    }
}
