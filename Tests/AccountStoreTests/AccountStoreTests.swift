import AccountStore
import Accounts
import Instruments
import MarketStore
import Store
import Support
import Testing

/// A database with the schema, and keys that are told apart by a number.
enum StoreFixture {
    static let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
    static let minute: Int64 = 60_000_000_000

    static func database() async throws -> (Database, StoreConfiguration) {
        let configuration = try await TestDatabase.migrated("accounts") { store, logger in
            try await MarketSchema.migrator.migrate(store, logger: logger)
            try await AccountSchema.migrate(store, logger: logger)
        }
        return (Database(configuration: configuration, logger: TestDatabase.logger), configuration)
    }

    static func id(_ number: UInt64) -> UniqueID { UniqueID(high: 7, low: number) }
    static func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    static func account(_ number: UInt64, _ email: String? = nil, role: Role = .user) throws -> StoredAccount
    {
        StoredAccount(
            user: UserID(rawValue: id(number)),
            email: try EmailAddress(parsing: email ?? "u\(number)@example.org"),
            passwordHash: "$argon2id$v=19$x", role: role, created: now)
    }
}

extension Timestamp {
    func after(minutes: Int64) -> Timestamp { adding(nanoseconds: minutes * StoreFixture.minute) }
}

@Suite("The account store", .timeLimit(.minutes(10)))
struct AccountStoreTests {
    @Test("keeps accounts, one for an address whatever its capitals")
    func accounts() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1, "Ann@Example.org")
        try await database.transaction { try $0.createAccount(account) }
        let twin = try StoreFixture.account(2, "aNN@example.ORG")
        let error = await #expect(throws: StoreError.self) {
            try await database.transaction { try $0.createAccount(twin) }
        }
        #expect(error?.bodyError as? AccountRefused == .emailTaken)
        let found = try await database.withSession { session in
            try session.account(email: twin.email)
        }
        #expect(found == account)
        let page = try await database.withSession { session in try session.accounts(limit: 10) }
        #expect(page == [account])
        let settings = try await database.withSession { session in try session.settings(of: account.user) }
        #expect(settings == UserSettings())
        await database.close()
    }

    @Test("ends sessions when they are idle, old, signed out, disabled, or of an old password")
    func sessions() async throws {
        let (database, _) = try await StoreFixture.database()
        let (account, boss) = (try StoreFixture.account(1), try StoreFixture.account(2, role: .operator))
        try await database.transaction { session in
            try session.createAccount(account)
            try session.createAccount(boss)
        }
        @Sendable func open(_ number: UInt8) async throws {
            try await database.withSession { session in
                try session.openSession(
                    StoreFixture.id(UInt64(number)), digest: StoreFixture.digest(number), of: account.user,
                    client: "::1", agent: String(repeating: "é\u{0}", count: 400), at: StoreFixture.now)
            }
        }
        @Sendable func holds(_ number: UInt8, minutes: Int64 = 0) async throws -> Bool {
            try await database.withSession { session in
                try session.identity(
                    session: StoreFixture.digest(number), at: StoreFixture.now.after(minutes: minutes))
            } != nil
        }
        try await open(1)
        let idle = [try await holds(1), try await holds(1, minutes: 29), try await holds(1, minutes: 30)]
        #expect(idle == [true, true, false])
        #expect(try await !holds(9))
        for minute in stride(from: Int64(20), to: 720, by: 20) {
            try await database.withSession { session in
                try session.touchSession(StoreFixture.id(1), at: StoreFixture.now.after(minutes: minute))
            }
        }
        #expect([try await holds(1, minutes: 719), try await holds(1, minutes: 720)] == [true, false])
        try await open(2)
        try await open(3)
        try await database.transaction {
            try $0.setPassword("$argon2id$new", of: account.user, keeping: StoreFixture.id(2))
        }
        #expect([try await holds(2), try await holds(3), try await holds(1)] == [true, false, false])
        let isClosed = try await database.withSession { session in
            [
                try session.closeSession(StoreFixture.id(2), of: boss.user),
                try session.closeSession(StoreFixture.id(2), of: account.user),
            ]
        }
        #expect(isClosed == [false, true])
        #expect(try await !holds(2))
        try await open(4)
        try await database.transaction { try $0.setDisabled(true, account.user, at: StoreFixture.now) }
        #expect(try await !holds(4))
        try await open(5)
        #expect(try await !holds(5))
        let error = await #expect(throws: StoreError.self) {
            try await database.transaction { try $0.setDisabled(true, boss.user, at: StoreFixture.now) }
        }
        #expect(error?.bodyError as? AccountRefused == .lastOperator)
        await database.close()
    }

    private static func revocation(_ event: ListenEvent?) -> Revocation? {
        guard case .notification(_, let payload) = event else { return nil }
        return Revocation(payload: payload)
    }

    @Test("tells of each revocation, by whatever way it came")
    func revocations() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1)
        try await database.transaction { try $0.createAccount(account) }
        var events = database.listen(to: [AccountSchema.revocationChannel]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        let token = StoredToken(
            id: StoreFixture.id(30), user: account.user, name: "t", scopes: [.marketRead],
            created: StoreFixture.now)
        try await database.transaction { session in
            try session.openSession(
                StoreFixture.id(20), digest: StoreFixture.digest(1), of: account.user, client: "", agent: "",
                at: StoreFixture.now)
            try session.addToken(token, digest: StoreFixture.digest(2))
        }
        let identity = Identity(
            user: account.user, role: .user, scopes: [.marketRead], credential: .token(token.id))
        #expect(try await database.withSession { try $0.stands(identity, at: StoreFixture.now) })
        try await database.withSession { session in
            try session.touchSession(StoreFixture.id(20), at: StoreFixture.now.after(minutes: 1))
            try session.touchToken(token.id, at: StoreFixture.now)
            try session.closeSessions(of: account.user)
        }
        #expect(Self.revocation(await events.next()) == .session(StoreFixture.id(20)))
        _ = try await database.withSession {
            try $0.revokeToken(token.id, of: account.user, at: StoreFixture.now)
        }
        let revoked = Self.revocation(await events.next())
        #expect(revoked == .token(token.id) && revoked?.concerns(identity) == true)
        #expect(try await !database.withSession { try $0.stands(identity, at: StoreFixture.now) })
        try await database.transaction { try $0.setDisabled(true, account.user, at: StoreFixture.now) }
        #expect(Self.revocation(await events.next()) == .user(account.user))
        try await database.transaction {
            try $0.beginErasure(of: account.user)
            _ = try $0.endErasure(of: account.user)
        }
        #expect(Self.revocation(await events.next()) == .user(account.user))
        #expect(try await database.withSession { try $0.account(account.user) } == nil)
        await database.close()
    }

    @Test("keeps revoked tokens on record, and holds up who makes and revokes one after another")
    func revokedTokens() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1)
        try await database.transaction { try $0.createAccount(account) }
        func make(_ number: UInt64, at time: Timestamp) async throws {
            let token = StoredToken(
                id: StoreFixture.id(number), user: account.user, name: "n", scopes: [.marketRead],
                created: time)
            try await database.transaction { session in
                try session.addToken(token, digest: StoreFixture.digest(3), limit: 1)
                try session.revokeToken(token.id, of: account.user, at: time)
            }
        }
        for number in 1...4 as ClosedRange<UInt64> { try await make(number, at: StoreFixture.now) }
        let error = await #expect(throws: StoreError.self) { try await make(5, at: StoreFixture.now) }
        let fault = QuotaFault(
            "tokens made within a week", count: 5, limit: 4, advice: "they count also when they are revoked")
        #expect(error?.bodyError as? AccountRefused == .quota(fault))
        try await make(6, at: StoreFixture.now.adding(nanoseconds: QuotaFault.newNanoseconds))
        await database.close()
    }

    @Test("keeps tokens until they are revoked or over, fifty of them")
    func tokens() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1)
        try await database.transaction { try $0.createAccount(account) }
        for number in 1...UInt64(Session.tokenLimit) {
            let token = StoredToken(
                id: StoreFixture.id(number), user: account.user, name: "n\(number)",
                scopes: [.alertsRead, .operator],
                created: StoreFixture.now, expires: number == 1 ? StoreFixture.now.after(minutes: 1) : nil)
            try await database.transaction { try $0.addToken(token, digest: StoreFixture.digest(3)) }
        }
        let one = StoredToken(
            id: StoreFixture.id(99), user: account.user, name: "x", scopes: [.alertsRead],
            created: StoreFixture.now)
        let error = await #expect(throws: StoreError.self) {
            try await database.transaction { try $0.addToken(one, digest: StoreFixture.digest(3)) }
        }
        let fault = QuotaFault("tokens", count: 51, limit: 50, advice: "revoke one first")
        #expect(error?.bodyError as? AccountRefused == .quota(fault))
        let found = try await database.withSession { try $0.token(StoreFixture.id(1), at: StoreFixture.now) }
        // The role of a user has no scope of operators.
        #expect(found?.identity.scopes == [.alertsRead] && found?.digest == StoreFixture.digest(3))
        #expect(
            try await database.withSession {
                try $0.token(StoreFixture.id(1), at: StoreFixture.now.after(minutes: 1))
            } == nil
        )
        await database.close()
    }

    @Test("uses tickets, steps and recovery codes once")
    func once() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1)
        try await database.transaction { session in
            try session.createAccount(account)
            try session.addTicket(
                Ticket(.reset, id: StoreFixture.id(1), user: account.user, at: StoreFixture.now, seconds: 60),
                digest: StoreFixture.digest(1))
            try session.addTicket(
                Ticket(.reset, id: StoreFixture.id(2), user: account.user, at: StoreFixture.now, seconds: 60),
                digest: StoreFixture.digest(2))
        }
        let uses = try await database.transaction { session in
            [
                try session.useTicket(.invitation, digest: StoreFixture.digest(1), at: StoreFixture.now)
                    != nil,
                try session.useTicket(.reset, digest: StoreFixture.digest(1), at: StoreFixture.now)?.user
                    == account.user,
                try session.useTicket(.reset, digest: StoreFixture.digest(1), at: StoreFixture.now) != nil,
                try session.useTicket(
                    .reset, digest: StoreFixture.digest(2), at: StoreFixture.now.after(minutes: 1)) != nil,
            ]
        }
        #expect(uses == [false, true, false, false])
        let steps = try await database.transaction { session in
            [
                try session.beginOneTimePassword(sealed: [1], of: account.user, at: StoreFixture.now),
                try session.beginOneTimePassword(sealed: [2], of: account.user, at: StoreFixture.now),
                try session.acceptOneTimePassword(step: 5, of: account.user, at: StoreFixture.now),
                try session.acceptOneTimePassword(step: 5, of: account.user, at: StoreFixture.now),
                try session.acceptOneTimePassword(step: 4, of: account.user, at: StoreFixture.now),
                try session.acceptOneTimePassword(step: 6, of: account.user, at: StoreFixture.now),
                // One that is in force is not replaced.
                try session.beginOneTimePassword(sealed: [3], of: account.user, at: StoreFixture.now),
            ]
        }
        #expect(steps == [true, true, true, false, false, true, false])
        let codes = try await database.transaction { session in
            try session.setRecoveryCodes([StoreFixture.digest(7), StoreFixture.digest(8)], of: account.user)
            return [
                try session.useRecoveryCode(
                    digest: StoreFixture.digest(7), of: account.user, at: StoreFixture.now),
                try session.useRecoveryCode(
                    digest: StoreFixture.digest(7), of: account.user, at: StoreFixture.now),
            ]
        }
        #expect(codes == [true, false])
        #expect(try await database.withSession { try $0.recoveryCodesLeft(of: account.user) } == 1)
        let stored = try await database.transaction { try $0.account(account.user) }
        #expect(stored?.hasSecondFactor == true)
        await database.close()
    }

    @Test("keeps passkeys, settings, flags and letters")
    func theRest() async throws {
        let (database, _) = try await StoreFixture.database()
        let account = try StoreFixture.account(1)
        var settings = UserSettings()
        try settings.set(locale: "de")
        try settings.set(onboarding: ["a"])
        settings.theme = .dark
        settings.notifications.sounds = false
        settings.quietHours = UserSettings.QuietHours(from: 1_300, to: 5)
        let passkey = StoredPasskey(
            id: StoreFixture.id(5), user: account.user, credential: [1, 2], publicKey: [3], counter: .max,
            name: "Phone",
            created: StoreFixture.now)
        let flags = [
            try FeatureFlag(name: "a", note: "n", percentage: 5, users: [account.user.description: true]),
            try FeatureFlag(name: "b", percentage: 100),
        ]
        let letter = AccountLetter(
            id: StoreFixture.id(6), user: account.user, kind: .reset, sealed: [4], created: StoreFixture.now,
            expires: StoreFixture.now.after(minutes: 60))
        let kept = settings
        try await database.transaction { session in
            try session.createAccount(account)
            try session.setSettings(kept, of: account.user)
            try session.addPasskey(passkey)
            try session.setFlags(flags)
            try session.addLetter(letter)
        }
        try await database.transaction { session in
            #expect(try session.settings(of: account.user) == kept)
            #expect(try session.lockPasskey(credential: [1, 2]) == passkey)
            #expect(try session.flags() == flags && session.flags(for: account.user) == flags)
            let due = try session.takeLetters(limit: 5, at: StoreFixture.now, lease: StoreFixture.minute)
            #expect(due.map(\.letter) == [letter] && due.first?.locale == "de" && due.first?.attempts == 1)
            #expect(
                try session.takeLetters(limit: 5, at: StoreFixture.now, lease: StoreFixture.minute).isEmpty)
            try session.postponeLetter(letter.id, until: StoreFixture.now.after(minutes: 5), problem: "busy")
            #expect(
                try session.takeLetters(limit: 5, at: StoreFixture.now.after(minutes: 4), lease: 1).isEmpty)
            try session.finishLetter(letter.id)
            #expect(
                try session.takeLetters(limit: 5, at: StoreFixture.now.after(minutes: 9), lease: 1).isEmpty)
            // Longest due first, whatever order they were written in; withdrawn links are not sent.
            let waiting = [(9, 3), (8, 1), (7, 2)].map { (id: UInt64, minute: Int64) in
                AccountLetter(
                    id: StoreFixture.id(id), user: account.user, kind: .reset, sealed: [4],
                    created: StoreFixture.now.after(minutes: minute),
                    expires: StoreFixture.now.after(minutes: 60))
            }
            for letter in waiting { try session.addLetter(letter) }
            let taken = try session.takeLetters(limit: 5, at: StoreFixture.now.after(minutes: 9), lease: 1)
            #expect(taken.map(\.letter.id) == [8, 7, 9].map { StoreFixture.id($0) })
            try session.dropTickets(.verification, of: account.user)
            #expect(
                try session.takeLetters(limit: 5, at: StoreFixture.now.after(minutes: 10), lease: 1).count
                    == 3)
            try session.dropTickets(.reset, of: account.user)
            try session.postponeLetter(
                StoreFixture.id(7), until: StoreFixture.now.after(minutes: 11), problem: "busy")
            #expect(
                try session.takeLetters(limit: 5, at: StoreFixture.now.after(minutes: 12), lease: 1).isEmpty)
        }
        let twin = await #expect(throws: StoreError.self) {
            try await database.transaction { try $0.addPasskey(passkey) }
        }
        #expect(twin?.bodyError as? AccountRefused == .passkeyTaken)
        let throttle = LoginThrottle(failures: 3, last: StoreFixture.now)
        let read = try await database.transaction { session in
            let first = try session.lockLoginThrottle(StoreFixture.digest(1))
            try session.setLoginThrottle(throttle, StoreFixture.digest(1))
            return [first.failures, try session.lockLoginThrottle(StoreFixture.digest(1)).failures]
        }
        #expect(read == [0, 3])
        try await database.withSession { try $0.tidyAccounts(at: StoreFixture.now.after(minutes: 2_000)) }
        let after = try await database.transaction { try $0.lockLoginThrottle(StoreFixture.digest(1)) }
        #expect(after.failures == 0)
        await database.close()
    }
}
