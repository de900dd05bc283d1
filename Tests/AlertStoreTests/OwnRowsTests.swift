import AccountStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("Own rules and firings", .timeLimit(.minutes(10)))
struct OwnRowsTests {
    @Test("row-level security is forced on every table but those that hold nobody's rows")
    func complete() async throws {
        let database = try await AlertFixture.database()
        #expect(
            try await database.rows(OpenTables(schema: "alerts")) == [
                "alerts.evaluation", "alerts.operator_notice", "alerts.retention", "alerts.rule_clock",
                "alerts.schema_migration", "alerts.signing_key",
            ])
    }

    @Test("pages of rules and firings follow each other without a gap")
    func pages() async throws {
        let database = try await AlertFixture.database()
        for number in 1...5 {
            let stored = try await database.add([try AlertFixture.rule(UInt64(number))])
            _ = try await database.transaction(as: AlertFixture.user) { session in
                try session.testFire(try #require(stored.first), at: AlertFixture.now)
            }
        }
        var rules: [UniqueID] = []
        var firings: [UniqueID] = []
        var last: StoredRule?
        var place: FiringCursor?
        while rules.count < 5 {
            let (after, before) = (last.map { (time: $0.created, id: $0.id) }, place)
            let (page, told) = try await database.transaction(as: AlertFixture.user) { session in
                (
                    try session.rules(
                        of: AlertFixture.user, tag: nil, state: "armed", at: AlertFixture.now, after: after,
                        limit: 2),
                    try session.firings(of: AlertFixture.user, before: before, limit: 2)
                )
            }
            try #require(!page.isEmpty)
            rules += page.map(\.id)
            firings += told.map(\.rule)
            last = page.last
            place = told.last.map { FiringCursor(time: $0.fired, rule: $0.rule, epoch: $0.epoch) }
        }
        #expect(rules == (1...5).map { AlertFixture.id($0) })
        #expect(firings == rules.reversed())
    }
}
