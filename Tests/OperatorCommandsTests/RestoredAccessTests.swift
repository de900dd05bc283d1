import Accounts
import InstallationStore
import Instruments
import PortfolioStore
import Store
import Support
import Testing

@testable import AccountStore
@testable import OperatorCommands

/// Two accounts with what opens them, and what became of it after a backup.
private struct Access {
    static let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
    static let (ann, ben) = (UserID(rawValue: id(1)), UserID(rawValue: id(2)))
    static let actor = AuditActor.terminal("bitpal test")

    static func id(_ number: UInt64) -> UniqueID {
        UniqueID(high: 0x0190_0000_0000_7000, low: 1 << 63 | number)
    }
    static func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    /// Tokens 11, 12 of ann and 13 of ben; sessions, links, recovery codes.
    static func fill(_ configuration: StoreConfiguration) async throws {
        try await UserData.migrate(configuration, logger: TestDatabase.logger)
        try await change(configuration) { session in
            for (user, email, role) in [(ann, "ann", Role.operator), (ben, "ben", Role.user)] {
                try session.createAccount(
                    StoredAccount(
                        user: user, email: try EmailAddress(parsing: "\(email)@example.org"),
                        passwordHash: nil, role: role, created: now))
            }
            for (number, user) in [(UInt8(11), ann), (12, ann), (13, ben)] {
                let token = StoredToken(
                    id: id(UInt64(number)), user: user, name: "t", scopes: [.marketRead], created: now)
                try session.addToken(token, digest: digest(number))
            }
            try session.openSession(
                id(21), digest: digest(21), of: ann, client: "", agent: "", at: now)
            for number in UInt8(31)...32 {
                let ticket = Ticket(
                    .reset, id: id(UInt64(number)), user: ann, at: now, seconds: 4_000_000_000)
                try session.addTicket(ticket, digest: digest(number))
            }
            try session.setRecoveryCodes([digest(41), digest(42)], of: ann)
            for number in UInt8(51)...52 { try addPasskey(number, session) }
            for number in UInt64(61)...62 {
                _ = try session.createPortfolio(
                    PortfolioID(rawValue: id(number)), named: "p\(number)", base: Asset(rawValue: "EUR"),
                    of: ann, at: now)
                try share(number + 10, number, session)
            }
            try share(73, 61, session)
            try session.audit(AuditChange(.accountCreate, account: ann), by: actor)
        }
    }

    private static func addPasskey(_ number: UInt8, _ session: borrowing Session) throws {
        try session.execute(
            """
            INSERT INTO accounts.passkey (
                passkey_id, user_id, credential, public_key, counter, name, created_at)
            VALUES (\(id(UInt64(number))), \(ann), \(digest(number)), \(digest(number)), 0, 'k', \(now))
            """)
    }

    private static func share(
        _ number: UInt64, _ portfolio: UInt64, _ session: borrowing Session
    ) throws {
        let link = ShareLink(
            id: id(number), portfolio: PortfolioID(rawValue: id(portfolio)), created: now,
            expires: Timestamp(nanoseconds: 4_000_000_000_000_000_000))
        try session.addShareLink(link, secret: String(repeating: "\(number)", count: 16), of: ann)
    }

    /// What is done after the backup: a token revoked, one made, an account disabled, a link and a code used,
    /// a passkey removed, one of three shares revoked, and another's portfolio deleted.
    static func goOn(_ configuration: StoreConfiguration) async throws {
        try await change(configuration) { session in
            try session.revokeToken(id(11), of: ann, at: now)
            let token = StoredToken(id: id(14), user: ann, name: "t", scopes: [.marketRead], created: now)
            try session.addToken(token, digest: digest(14))
            try session.setDisabled(true, ben, at: now)
            _ = try session.useTicket(.reset, digest: digest(31), at: now)
            _ = try session.useRecoveryCode(digest: digest(41), of: ann, at: now)
            try session.execute("DELETE FROM accounts.passkey WHERE passkey_id = \(id(51))")
            _ = try session.revokeShareLink(
                id(71), of: PortfolioID(rawValue: id(61)), by: ann, at: now)
            try session.deletePortfolio(PortfolioID(rawValue: id(62)), of: ann, at: now)
            try session.audit(AuditChange(.accountDisable, account: ben), by: actor)
        }
    }

    static func change<Value: Sendable>(
        _ configuration: StoreConfiguration,
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws -> Value {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.transaction { session in try body(session) }
        }
    }

    /// What opens something: tokens in force, accounts, sessions, links and codes that are good, passkeys,
    /// and links that show a portfolio.
    static func open(_ configuration: StoreConfiguration) async throws -> [String] {
        try await change(configuration) { session in
            try session.rows(
                """
                SELECT 'token ' || right(token_id::text, 2) FROM accounts.token WHERE revoked_at IS NULL
                UNION ALL SELECT split_part(email, '@', 1) FROM accounts.account WHERE disabled_at IS NULL
                UNION ALL SELECT 'session' FROM accounts.session
                UNION ALL SELECT 'link ' || right(ticket_id::text, 2) FROM accounts.ticket
                    WHERE used_at IS NULL
                UNION ALL SELECT 'code ' || get_byte(digest, 0) FROM accounts.recovery_code
                    WHERE used_at IS NULL
                UNION ALL SELECT 'passkey ' || right(passkey_id::text, 2) FROM accounts.passkey
                UNION ALL SELECT 'share ' || right(share_id::text, 2) FROM portfolio.share_link
                    WHERE revoked_at IS NULL
                ORDER BY 1
                """
            ) { row in try row.text() }
        }
    }

    static func log(_ configuration: StoreConfiguration) async throws -> [AuditEntry] {
        try await change(configuration) { try $0.auditEntries(AuditQuery(), limit: 100) }
    }
}

@Suite("A restoration", .timeLimit(.minutes(10)))
struct RestoredAccessTests {
    private static func backup() async throws -> (StoreConfiguration, file: String) {
        let configuration = try await TestDatabase.empty()
        try await Access.fill(configuration)
        let file = try TestDatabase.temporaryDirectory() + "/file.bitpal"
        _ = try await UserData.backup.write(to: file, from: configuration)
        return (configuration, file)
    }

    private static func options(
        replacing: Bool = false, keepingTokens: Bool = false, apart: WithdrawnFile? = nil
    ) -> RestorationOptions {
        var options = RestorationOptions()
        (options.isReplacing, options.keepsTokens, options.withdrawn) = (replacing, keepingTokens, apart)
        return options
    }

    @Test("revives no revoked token or share, no disabled account, no session, no passkey and no used link")
    func known() async throws {
        let (configuration, file) = try await Self.backup()
        try await Access.goOn(configuration)
        let log = try await Access.log(configuration)
        let restored = try await UserData.restore(
            from: file, into: configuration, Self.options(replacing: true), by: Access.actor)
        // Token 0b is 11, 1f is 31, passkey 33 is 51, share 47 is 71.
        #expect(
            try await Access.open(configuration) == [
                "ann", "code 42", "link 20", "passkey 34", "share 49", "token 0c", "token 0d",
            ])
        #expect(restored.wasKnown)
        #expect(
            restored.withdrawn
                == WithdrawnCredentials(sessions: 1, tokens: 1, accounts: 1, links: 2, passkeys: 1))
        #expect(restored.shareLinks == 2)
        // The log goes on: what came after the backup is in it, and that there was a restoration.
        let after = try await Access.log(configuration)
        #expect(after.dropFirst().map(\.id) == log.map(\.id))
        #expect(after.first?.action == "installation.restore" && after.first?.actor == Access.actor)
        #expect(after.first?.detail["tokens_revoked"] == "1")
    }

    @Test("ends all sessions and revokes all tokens where nobody knows which were revoked, or keeps these")
    func unknown() async throws {
        let (_, file) = try await Self.backup()
        for keepsTokens in [false, true] {
            let other = try await TestDatabase.empty()
            try await UserData.migrate(other, logger: TestDatabase.logger)
            let restored = try await UserData.restore(
                from: file, into: other, Self.options(keepingTokens: keepsTokens), by: Access.actor)
            let tokens =
                keepsTokens ? ["share 47", "share 48", "share 49", "token 0b", "token 0c", "token 0d"] : []
            #expect(
                try await Access.open(other)
                    == ["ann", "ben", "code 41", "code 42", "passkey 33", "passkey 34"] + tokens)
            #expect(!restored.wasKnown)
            #expect(
                restored.withdrawn
                    == WithdrawnCredentials(
                        sessions: 1, tokens: keepsTokens ? 0 : 3, accounts: 0, links: 2))
            let log = try await Access.log(other)
            #expect(log.map(\.action) == ["installation.restore", "account.create"])
            #expect(log[0].detail["tokens_kept"] == "\(keepsTokens)")
        }
    }

    @Test("keeps revoked what the database knows to be revoked, also where unknown tokens are kept")
    func kept() async throws {
        let (configuration, file) = try await Self.backup()
        try await Access.goOn(configuration)
        _ = try await UserData.restore(
            from: file, into: configuration, Self.options(replacing: true, keepingTokens: true),
            by: Access.actor)
        let open = try await Access.open(configuration)
        #expect(!open.contains("token 0b") && open.contains("token 0c"))
        #expect(open.filter { $0.hasPrefix("share") } == ["share 49"])
    }

    @Test("into a new database revives none that is kept apart, which a new database does not forget")
    func apart() async throws {
        let (configuration, file) = try await Self.backup()
        try await Access.goOn(configuration)
        let other = try await TestDatabase.empty()
        try await UserData.migrate(other, logger: TestDatabase.logger)
        let apart = WithdrawnFile(in: try TestDatabase.temporaryDirectory())
        #expect(try apart.lines() == nil)
        func update(_ database: StoreConfiguration) async throws {
            try await Database.use(database, logger: TestDatabase.logger) { try await apart.update(from: $0) }
        }
        let shares: Set = ["share \(Access.id(71))", "share \(Access.id(72))"]
        let wanted = shares.union(["token \(Access.id(11))", "account \(Access.ben)"])
        for database in [configuration, other] {
            try await update(database)
            #expect(try apart.lines() == wanted)
        }
        let restored = try await UserData.restore(
            from: file, into: other, Self.options(keepingTokens: true, apart: apart), by: Access.actor)
        #expect(
            try await Access.open(other) == [
                "ann", "code 41", "code 42", "passkey 33", "passkey 34", "share 49", "token 0c", "token 0d",
            ])
        #expect(restored.shareLinks == 2)
        #expect(restored.wasKnown && restored.withdrawn.accounts == 1 && restored.withdrawn.tokens == 1)
        try await Access.change(other) { try $0.setDisabled(false, Access.ben, at: Access.now) }
        try await update(other)
        #expect(try apart.lines() == shares.union(["token \(Access.id(11))"]))
    }

    @Test("that fails changes nothing, and is no line of the log")
    func failed() async throws {
        let (configuration, file) = try await Self.backup()
        let (open, log) = (try await Access.open(configuration), try await Access.log(configuration))
        await #expect(throws: BackupProblem.self) {
            _ = try await UserData.restore(from: file, into: configuration, by: Access.actor)
        }
        #expect(try await Access.open(configuration) == open)
        #expect(try await Access.log(configuration) == log)
    }

    @Test("is told by the command, with what was withdrawn and what nobody could know")
    func told() async throws {
        let (configuration, file) = try await Self.backup()
        let other = try await TestDatabase.empty()
        let here = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let there = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": other.description])
        let replaced = try await here.run(["restore", file, "--replace"])
        #expect(replaced.status == 0 && replaced.lines.count == 2, "\(replaced.errors)")
        #expect(replaced.lines[1].contains("sessions 1, tokens 0, accounts 0, links and codes 0"))
        let fresh = try await there.run(["restore", file, "--keep-tokens"])
        #expect(fresh.status == 0 && fresh.lines.count == 3, "\(fresh.errors)")
        #expect(fresh.lines[1].contains("sessions 1, tokens 0, accounts 0, links and codes 2"))
        #expect(fresh.lines[2].contains("`bitpal user list`"))
        #expect(try await Access.log(other).first?.actor.command == "bitpal restore")
    }
}
