import AccountStore
import Alerting
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("What rules did", .timeLimit(.minutes(10)))
struct HistoryRetentionTests {
    /// Makes all of it as old as that.
    private static func age(_ database: Database, days: Int64) async throws {
        let age = days * 86_400
        for (table, columns) in [
            ("firing", ["fired_at"]), ("outbox", ["created_at", "ended_at"]), ("rule_event", ["at"]),
        ] {
            for column in columns {
                try await database.transaction { session in
                    try session.script(
                        "UPDATE alerts.\(table) SET \(column) = \(column) - interval '\(age) seconds'")
                }
            }
        }
    }

    /// A rule that fired so often, with a channel by which each firing is told.
    private static func fired(_ count: Int64, in database: Database) async throws -> StoredRule {
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        for epoch in 1...count {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: epoch), under: claims) == .fired)
        }
        return rule
    }

    private static func deliver(_ database: Database, limit: Int = 100) async throws {
        let due = try await database.claim(by: "n", limit: limit, for: .seconds(600))
        #expect(try await database.execute(.endDelivered(due, by: "n")) == due.count)
    }

    private static func sweep(
        _ database: Database, limit: Int = 1_000, batches: Int = 100
    ) async throws -> [HistoryKind: Int] {
        let sweeps = try await database.sweepHistory(HistoryRetention(), limit: limit, batches: batches)
        return Dictionary(uniqueKeysWithValues: sweeps.map { ($0.kind, $0.removed) })
    }

    @Test("is removed when it is over, how often rules fired is kept, and none fires a number twice")
    func removes() async throws {
        let database = try await AlertFixture.database()
        let rule = try await Self.fired(3, in: database)
        try await Self.deliver(database)
        #expect(try await Self.sweep(database) == [.delivery: 0, .firing: 0, .ruleEvent: 0, .rule: 0])
        try await Self.age(database, days: 31)
        #expect(try await Self.sweep(database) == [.delivery: 3, .firing: 0, .ruleEvent: 0, .rule: 0])
        try await Self.age(database, days: 60)
        #expect(try await Self.sweep(database) == [.delivery: 0, .firing: 3, .ruleEvent: 0, .rule: 0])
        let claims = try await AlertFixture.claims("a", database)
        let late = AlertFixture.firing(of: rule, epoch: 3)
        #expect(try await database.fire(late, under: claims) == .ruleChanged)
        #expect(
            try await database.fire(AlertFixture.firing(of: rule, epoch: 4), under: claims) == .fired)
        let stored = try await database.rule(rule.id)
        #expect(stored.firings == 4 && stored.epoch == 4)
        let counts = try await database.rows("SELECT kind, removed FROM alerts.retention") { row in
            (try row.text(), try row.int64())
        }
        #expect(
            Dictionary(uniqueKeysWithValues: counts)
                == ["delivery": 3, "firing": 3, "rule_event": 0, "rule": 0])
        await database.close()
    }

    @Test("stays while it waits to be told, however old")
    func waits() async throws {
        let database = try await AlertFixture.database()
        let rule = try await Self.fired(2, in: database)
        try await Self.deliver(database, limit: 1)
        try await Self.age(database, days: 400)
        #expect(try await Self.sweep(database) == [.delivery: 1, .firing: 1, .ruleEvent: 0, .rule: 0])
        #expect(try await database.outboxCounts() == ["waiting": 1])
        #expect(try await database.rule(rule.id).firings == 2)
        await database.close()
    }

    @Test("is kept for the digest that tells it, and the digest goes after it")
    func digest() async throws {
        let database = try await AlertFixture.database()
        _ = try await Self.fired(3, in: database)
        let digest = AlertFixture.id(900)
        let taken = try await database.withSession { session in
            try session.gatherFirings(
                for: AlertFixture.id(1), claimedBy: "n", [], into: digest, at: AlertFixture.now)
        }
        #expect(taken == 3)
        try await Self.age(database, days: 400)
        #expect(try await Self.sweep(database)[.delivery] == 0)
        try await Self.deliver(database)
        #expect(try await Self.sweep(database)[.delivery] == 0)
        try await Self.age(database, days: 31)
        #expect(try await Self.sweep(database)[.delivery] == 3)
        // With the next sweep, for nothing refers to it any more.
        #expect(try await Self.sweep(database)[.delivery] == 1)
        #expect(try await database.outboxCounts() == [:])
        await database.close()
    }

    @Test("of owners' changes goes, but for the last one of each rule")
    func changes() async throws {
        let database = try await AlertFixture.database()
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        for isEnabled in [false, true] {
            _ = try await database.transaction { session in
                try session.setRules(
                    [rule.id], enabled: isEnabled, of: AlertFixture.user, limits: RuleLimits(),
                    at: AlertFixture.now)
            }
        }
        // By the fixture's clock it was all at the same time, which is long ago or still to come.
        try await database.transaction { session in
            try session.script("UPDATE alerts.rule_event SET at = clock_timestamp()")
        }
        try await Self.age(database, days: 367)
        #expect(try await Self.sweep(database)[.ruleEvent] == 2)
        #expect(try await database.history(of: rule.id).map(\.kind) == [.enabled])
        await database.close()
    }

    @Test("goes in batches, of which a sweep does not do more than so many")
    func batches() async throws {
        let database = try await AlertFixture.database()
        _ = try await Self.fired(5, in: database)
        try await Self.deliver(database)
        try await Self.age(database, days: 400)
        let some = try await Self.sweep(database, limit: 2, batches: 2)
        #expect(some == [.delivery: 4, .firing: 4, .ruleEvent: 0, .rule: 0])
        let rest = try await Self.sweep(database, limit: 2, batches: 2)
        #expect(rest == [.delivery: 1, .firing: 1, .ruleEvent: 0, .rule: 0])
        await database.close()
    }

    private static func delete(_ rule: StoredRule, in database: Database) async throws {
        try await database.transaction { session in
            _ = try session.deleteRules([rule.id], of: AlertFixture.user, at: AlertFixture.now)
        }
    }

    @Test("of a deleted rule goes with it: a week after, and when none of its firings is kept any more")
    func deleted() async throws {
        let database = try await AlertFixture.database()
        let (fired, kept) = (
            try await Self.fired(1, in: database), try await database.add([try AlertFixture.rule(2)])[0]
        )
        let gone = try await database.add([try AlertFixture.rule(3)])[0]
        for rule in [fired, gone] { try await Self.delete(rule, in: database) }
        func rules() async throws -> Set<UniqueID> {
            Set(try await database.rows("SELECT rule_id FROM alerts.rule") { try $0.uniqueID() })
        }
        try await Self.deliver(database)
        try await database.execute(
            """
            UPDATE alerts.rule SET deleted_at = clock_timestamp() - interval '6 days'
            WHERE deleted_at IS NOT NULL
            """)
        #expect(try await Self.sweep(database)[.rule] == 0)
        try await database.execute(
            """
            UPDATE alerts.rule SET deleted_at = clock_timestamp() - interval '8 days'
            WHERE deleted_at IS NOT NULL
            """)
        #expect(try await Self.sweep(database)[.rule] == 1)
        #expect(try await rules() == [fired.id, kept.id])
        try await Self.age(database, days: 91)
        #expect(try await Self.sweep(database)[.rule] == 1)
        #expect(try await rules() == [kept.id])
        #expect(try await database.history(of: kept.id).count == 1)
        #expect(try await database.history(of: gone.id).isEmpty)
        await database.close()
    }

    @Test("of deleted rules is bounded: who has four times as many as one may have makes no other")
    func churn() async throws {
        let database = try await AlertFixture.database()
        func make(_ number: UInt64) async throws {
            try await database.transaction { session in
                var limits = RuleLimits(enabled: 1)
                limits.disabled = 1
                let rule = try session.addRules(
                    [try AlertFixture.rule(number)], of: AlertFixture.user, limits: limits,
                    at: AlertFixture.now)[0]
                _ = try session.deleteRules([rule.id], of: AlertFixture.user, at: AlertFixture.now)
            }
        }
        for number in UInt64(1)...9 { try await make(number) }
        let refused = await refusal { try await make(10) }
        #expect(
            refused?.description == """
                field "deleted rules" is 9: accepted are at most 8; each is removed some days after its \
                deletion
                """)
        try await database.execute(
            "UPDATE alerts.rule SET deleted_at = clock_timestamp() - interval '8 days'")
        #expect(try await Self.sweep(database)[.rule] == 9)
        try await make(10)
        await database.close()
    }
}
