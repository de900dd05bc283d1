import Accounts
import Instruments
import Support
import Testing

@testable import AccountStore
@testable import Store

@Suite("The audit log", .timeLimit(.minutes(10)))
struct AuditLogTests {
    private typealias W = WatchlistFixture

    private static let actor = AuditActor.terminal("bitpal test")

    private func write(
        _ database: Database, _ action: AuditAction, of user: UserID, _ detail: [String: String] = [:]
    ) async throws {
        try await database.transaction { session in
            try session.audit(AuditChange(action, account: user, with: detail), by: Self.actor)
        }
    }

    private func refused(_ database: Database, _ text: String) async throws -> String? {
        let error = await #expect(throws: StoreError.self, "\(text)") {
            try await database.transaction { try $0.script(text) }
        }
        return error?.sqlState
    }

    @Test("gives back what was written, the newest first, with the time of the database")
    func entries() async throws {
        let database = try await W.database()
        let before = try await database.withSession { session in
            try session.first("SELECT clock_timestamp()") { Timestamp(nanoseconds: try $0.timestamp()) }
        }
        try await write(database, .accountDisable, of: W.ann, ["why": "a test", "count": "2"])
        try await write(database, .accountEnable, of: W.ben)
        let all = try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        #expect(all.map(\.action) == ["account.enable", "account.disable"])
        #expect(all[1].detail == ["why": "a test", "count": "2"] && all[0].detail.isEmpty)
        #expect(all[1].owner == W.ann && all[1].subjectID == W.ann.rawValue && all[1].subject == "account")
        #expect(all[1].actor == Self.actor)
        #expect(all.allSatisfy { $0.time >= before ?? .zero } && all[0].time >= all[1].time)
    }

    @Test("is asked by account, word and time, and page by page")
    func queries() async throws {
        let database = try await W.database()
        for user in [W.ann, W.ben, W.ann] { try await write(database, .accountDisable, of: user) }
        try await write(database, .accountEnable, of: W.ann)
        func asked(_ limit: Int = 10, _ change: (inout AuditQuery) -> Void) async throws -> [AuditEntry] {
            var query = AuditQuery()
            change(&query)
            let wanted = query
            return try await database.withSession { try $0.auditEntries(wanted, limit: limit) }
        }
        #expect(try await asked { $0.account = W.ann }.count == 3)
        #expect(try await asked { $0.action = .accountEnable }.map(\.owner) == [W.ann])
        let all = try await asked { _ in }
        #expect(try await asked { $0.since = all[1].time }.map(\.id) == all[...1].map(\.id))
        let rest = try await asked(2) { $0.before = (time: all[0].time, id: all[0].id) }
        #expect(rest.map(\.id) == all[1...2].map(\.id))
    }

    @Test("is only added to: no line changes or goes before two years are over")
    func appendOnly() async throws {
        let database = try await W.database()
        try await write(database, .accountDisable, of: W.ann)
        for text in [
            "UPDATE accounts.audit SET action = 'account.enable'",
            "UPDATE accounts.audit SET actor_id = NULL",
            "DELETE FROM accounts.audit", "TRUNCATE accounts.audit", "TRUNCATE accounts.audit CASCADE",
        ] {
            #expect(try await refused(database, text) == "23001", "\(text)")
        }
        try await database.withSession { session in
            try session.script(
                """
                INSERT INTO accounts.audit
                    (happened_at, actor_kind, command, action, subject_kind, detail)
                SELECT clock_timestamp() - age, 'terminal', 'bitpal test', 'account.old', 'account', '{}'
                FROM unnest(ARRAY[interval '2 years 1 minute', interval '2 years -1 minute']) AS age
                """)
            try session.sweepAudit()
        }
        let left = try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        #expect(left.map(\.action) == ["account.disable", "account.old"])
    }

    @Test("takes lines of a user's own from who acts for the user, and shows none")
    func ownLines() async throws {
        let database = try await W.database()
        try await database.transaction(as: W.ann) { session in
            try session.audit(AuditChange(.accountDisable, account: W.ann), by: Self.actor)
        }
        for text in ["SELECT FROM accounts.audit", "DELETE FROM accounts.audit"] {
            let error = await #expect(throws: StoreError.self) {
                try await database.transaction(as: W.ann) { try $0.script(text) }
            }
            #expect(error?.sqlState == "42501", "\(text)")
        }
        let other = await #expect(throws: StoreError.self) {
            try await database.transaction(as: W.ann) { session in
                try session.audit(AuditChange(.accountDisable, account: W.ben), by: Self.actor)
            }
        }
        #expect(other?.bodyError as? AccountRefused == .noSuchAccount)
        let stranger = await #expect(throws: StoreError.self) {
            try await database.transaction(as: W.ann) { session in
                try session.script(
                    """
                    INSERT INTO accounts.audit
                        (actor_kind, command, action, subject_kind, owner_id, detail)
                    VALUES ('terminal', 'bitpal test', 'account.old', 'account', '\(W.ben.rawValue)', '{}')
                    """)
            }
        }
        #expect(stranger?.sqlState == "42501")
    }

    @Test("knows of one who was erased what was done, and no longer who it was")
    func erasure() async throws {
        let database = try await W.database()
        let account = StoredAccount(
            user: UserID(rawValue: W.id(77)), email: try EmailAddress(parsing: "eve@example.org"),
            passwordHash: nil, created: W.now)
        let user = account.user
        let identity = Identity(
            user: user, role: .user, scopes: [], credential: .token(W.id(78)))
        try await database.transaction { session in
            try session.createAccount(account)
            try session.audit(
                AuditChange(.tokenCreate, .token, W.id(78), of: user),
                by: AuditActor(identity, from: "192.0.2.7", command: "POST /v1/account/tokens"))
            try session.audit(AuditChange(.accountDisable, account: W.ann), by: Self.actor)
        }
        let before = try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        #expect(before.last?.actor.address == "192.0.2.7" && before.last?.actor.token == W.id(78))
        let pseudonym = try await database.transaction { session in
            try session.beginErasure(of: user)
            return try session.endErasure(of: user)
        }
        let after = try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        #expect(after.map(\.id) == before.map(\.id) && pseudonym != user)
        #expect(after.first == before.first)
        let line = try #require(after.last)
        #expect(line.actor.user == pseudonym && line.owner == pseudonym)
        #expect(line.subjectID == pseudonym.rawValue && line.subject == "token")
        #expect(line.actor.address == nil && line.actor.token == nil && line.action == "token.create")
    }
}
