import AccountStore
import Accounts
import Alerting
import InstallationStore
import Instruments
import Store
import Support
import Testing

@testable import AlertStore

/// Rules of before U+0000 was refused: `json` keeps it, and no operator of PostgreSQL reads such a document.
@Suite("Stored rules with U+0000 in their texts", .timeLimit(.minutes(10)))
struct ZeroTextTests {
    /// Notes and tags in which it stands, or does not: an escaped backslash before it belongs to another
    /// character.
    private static let texts = [
        #","expires":"2026-01-02T00:00:00Z","note":"\u0000\u0000","tags":["a\u0000b"]"#,
        #","expires":"2026-01-02T00:00:00Z","note":"a\\u0000","tags":["a\\u0000"]"#,
        #","expires":"2026-01-02T00:00:00Z","note":"a\\\u0000","tags":["plain"]"#,
        #","expires":"2026-01-02T00:00:00Z","note":"a\\\\u0000 \"expires\":\u0000","tags":["a\\\u0000"]"#,
    ]

    private static func filled(_ database: Database) async throws -> [StoredRule] {
        var rules: [AlertRule] = []
        for (number, text) in texts.enumerated() {
            rules.append(try AlertFixture.rule(UInt64(number), text))
        }
        return try await database.add(rules)
    }

    private static func found(
        _ database: Database, tag: String? = nil, state: String? = nil, at now: Timestamp = AlertFixture.now
    ) async throws -> [UniqueID] {
        try await database.transaction(as: AlertFixture.user) { session in
            try session.rules(of: AlertFixture.user, tag: tag, state: state, at: now, after: nil, limit: 9)
        }.map(\.id)
    }

    @Test("are found by state and tag as others are")
    func lists() async throws {
        let database = try await AlertFixture.database()
        let rules = try await Self.filled(database)
        let all = rules.map(\.id)
        #expect(try await Self.found(database, state: "armed") == all)
        #expect(try await Self.found(database, state: "done") == [])
        let later = AlertFixture.now.adding(nanoseconds: 86_400_000_000_000)
        #expect(try await Self.found(database, state: "done", at: later) == all)
        for (tag, places) in [
            ("a\u{FFFD}b", [0]), (#"a\u0000"#, [1]), ("plain", [2]), ("a\\\u{FFFD}", [3]), ("a", []),
        ] {
            #expect(try await Self.found(database, tag: tag) == places.map { all[$0] }, "\(tag)")
        }
        // What is shown is what was stored.
        #expect(try await database.rules().map(\.rule) == rules.map(\.rule))
        await database.close()
    }

    @Test("are changed, fire, and are exported and forgotten as others are")
    func life() async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone"))
        let claims = try await AlertFixture.claims("a", database)
        for rule in try await Self.filled(database) {
            #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)
        }
        let deliveries = try await database.claim(by: "n", limit: 9, for: .seconds(60), except: [])
        #expect(deliveries.count == Self.texts.count)
        try await database.transaction { session in
            var text = ""
            try session.export(AlertExport.sections, of: AlertFixture.user.rawValue) { text += $0 }
            #expect(text.contains(#"a\u0000b"#))
        }
        await database.close()
    }

    @Test("become the first operator's, also where a channel of theirs gets another name")
    func adoption() async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone"))
        let text = #","note":"a\u0000 \\u0000","channels":["phone"]"#
        let rule = try await database.add([try AlertFixture.rule(1, text), try AlertFixture.rule(2)])[0]
        let boss = StoredAccount(
            user: UserID(rawValue: UniqueID(high: 7, low: 1)),
            email: try EmailAddress(parsing: "boss@example.org"), passwordHash: nil, role: .user,
            created: AlertFixture.now)
        try await database.transaction { try $0.createAccount(boss) }
        var own = AlertFixture.channel(3, "phone")
        own.user = boss.user
        try await database.put(own)
        try await database.execute("UPDATE accounts.account SET role = 'operator'")
        let moved = try await database.withSession { try $0.rules(of: boss.user) }
        #expect(moved.map(\.id) == [AlertFixture.id(1), AlertFixture.id(2)])
        #expect(moved.first?.rule.channels == ["phone (terminal)"])
        #expect(moved.first?.rule.note == #"a\#u{FFFD} \u0000"#)
        #expect(moved.first?.rule.condition == rule.rule.condition)
        await database.close()
    }

    @Test("are in a backup, byte for byte, and come back out of it")
    func backup() async throws {
        let (database, configuration) = try await AlertFixture.databaseWithConfiguration()
        let rules = try await Self.filled(database)
        let path = try TestDatabase.temporaryDirectory() + "/file.bitpal"
        let written = try await UserData.backup.write(to: path, from: configuration)
        let target = try await TestDatabase.empty()
        try await UserData.migrate(target, logger: TestDatabase.logger)
        #expect(try await UserData.backup.restore(from: path, into: target) == written)
        let restored = Database(configuration: target, logger: TestDatabase.logger)
        #expect(try await restored.rules().map(\.rule) == rules.map(\.rule))
        await database.close()
        await restored.close()
    }
}
