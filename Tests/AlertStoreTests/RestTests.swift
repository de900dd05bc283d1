import AccountStore
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("Rules of an account that is disabled", .timeLimit(.minutes(10)))
struct RestTests {
    private static func disable(_ isDisabled: Bool, _ database: Database) async throws {
        try await database.transaction { session in
            try session.setDisabled(isDisabled, AlertFixture.user, at: AlertFixture.now)
        }
    }

    @Test("rest, fire nothing and tell nothing, and go on when it is enabled again")
    func rest() async throws {
        let database = try await AlertFixture.database()
        try await database.execute(OpenAccount(user: AlertFixture.user))
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)

        try await Self.disable(true, database)
        let resting = try await database.rule(rule.id)
        #expect(resting.isRested && !resting.isActive && resting.isEnabled && resting.version == 2)
        let changed = try await database.withSession { try $0.rules(changedAfter: rule.change) }
        #expect(changed.map(\.isActive) == [false])
        #expect(try await database.activeRules(of: [rule.shard]).isEmpty)
        for known in [rule, resting] {
            let row = AlertFixture.firing(of: known, epoch: 2)
            #expect(try await database.fire(row, under: claims) == .ruleChanged)
        }
        let commit = EvaluationCommit(
            shard: rule.shard, number: 1, ruleChange: rule.change, state: [1],
            steps: [.init(rule, AlertFixture.firing(of: rule, epoch: 2))])
        #expect(try await database.commit([commit], under: claims) == [rule.shard: .committed(told: 0)])
        func claimed() async throws -> Int {
            try await database.claim(by: "n", limit: 9, for: .seconds(600)).count
        }
        #expect(try await claimed() == 0)

        try await Self.disable(false, database)
        let again = try await database.rule(rule.id)
        #expect(again.isActive && again.version == 3 && again.change > resting.change)
        #expect(try await database.fire(AlertFixture.firing(of: again, epoch: 2), under: claims) == .fired)
        #expect(try await claimed() == 2)
        let events = try await database.history(of: rule.id)
        #expect(events.map(\.kind) == [.fired, .resumed, .rested, .fired, .created])
        await database.close()
    }

    @Test("stay as their owner wanted them: off, done or deleted")
    func others() async throws {
        let database = try await AlertFixture.database()
        try await database.execute(OpenAccount(user: AlertFixture.user))
        let rules = try await database.add(try (1...2).map { try AlertFixture.rule($0) })
        _ = try await database.transaction { session in
            try session.setRules(
                [rules[0].id], enabled: false, of: AlertFixture.user, limits: RuleLimits(),
                at: AlertFixture.now)
        }
        for isDisabled in [true, false] { try await Self.disable(isDisabled, database) }
        #expect(try await database.rule(rules[0].id).version == 2)
        #expect(try await !database.rule(rules[0].id).isActive)
        #expect(try await database.rule(rules[1].id).version == 3)
        await database.close()
    }
}

/// Lets a user who is there sign in.
private struct OpenAccount: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
        VALUES ($1, 'a@example.org', 'a@example.org', 'user', clock_timestamp())
        """
    let user: UserID
    func bind(_ parameters: inout Parameters) { parameters.append(user.rawValue) }
}
