import AccountStore
import Accounts
import Channels
import Credentials
import Glibc
import Instruments
import Store
import Support
import Testing

@testable import AlertStore
@testable import InstallationStore

@Suite("Secrets in the database", .timeLimit(.minutes(10)))
struct SealedSecretsTests {
    private static let canary = "whsec_canary"

    private struct SealingFixture {
        let database: Database
        let vault: SecretVault
        let path: String

        init() async throws {
            let configuration = try await TestDatabase.migrated("alerts", by: AlertSchema.migrate)
            database = Database(configuration: configuration, logger: TestDatabase.logger)
            path = try TestDatabase.temporaryDirectory() + "/key"
            vault = try SecretVault(file: path)
        }

        /// A webhook as its owner gave it.
        func channel(_ number: UInt64, of user: UserID = .localOperator) -> Channel {
            Channel(
                id: UniqueID(high: 1, low: number), user: user, name: "hook \(number)", kind: .webhook,
                secrets: ChannelSecrets(json: #"{"keys":["\#(canary)\#(number)"]}"#), created: .zero,
                verified: .zero)
        }

        func stored(_ number: UInt64, of user: UserID = .localOperator) async throws -> Channel {
            let id = UniqueID(high: 1, low: number)
            return try #require(
                try await database.withSession { try $0.channel(id: id, of: user) })
        }

        /// Somebody with an account.
        func user(_ number: UInt64) async throws -> UserID {
            let user = UserID(rawValue: UniqueID(high: 5, low: number))
            let account = StoredAccount(
                user: user, email: try EmailAddress(parsing: "\(number)@example.org"), passwordHash: nil,
                created: .zero)
            try await database.transaction { session in try session.createAccount(account) }
            return user
        }

        /// All that the schemas hold of secrets, as text.
        func text() async throws -> String {
            var all: [StoredSecret] = []
            for owner in SecretOwner.allCases { all += try await database.secrets(of: owner, after: nil) }
            return all.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        }
    }

    @Test("of a channel are sealed, open for it, and for no row that they were put into")
    func channels() async throws {
        let fixture = try await SealingFixture()
        for number in UInt64(1)...2 {
            try await fixture.database.put(try fixture.channel(number).sealed(by: fixture.vault))
        }
        #expect(try await !fixture.text().contains("canary"))
        let stored = try await fixture.stored(1)
        #expect(try stored.secrets.isSealed && stored.opened(by: fixture.vault) == fixture.channel(1))
        #expect(try stored.sealed(by: fixture.vault) == stored, "sealed once")
        #expect(throws: SealingFault.noKeyFile) { try stored.opened(by: nil) }
        #expect(throws: SealingFault.noKeyFile) { try fixture.channel(3).sealed(by: nil) }
        try await fixture.database.withSession { session in
            try session.script(
                """
                UPDATE alerts.channel SET secrets = (
                    SELECT secrets FROM alerts.channel WHERE name = 'hook 1') WHERE name = 'hook 2'
                """)
        }
        let swapped = try await fixture.stored(2)
        #expect(throws: SealingFault.self) { try swapped.opened(by: fixture.vault) }
        #expect(fixture.vault.failures == 1)
        await fixture.database.close()
    }

    @Test("of a channel that got its owner later open for that one, and are renewed for it")
    func ownerless() async throws {
        let fixture = try await SealingFixture()
        let (database, vault) = (fixture.database, fixture.vault)
        let (owner, other) = (try await fixture.user(5), try await fixture.user(6))
        // One that the terminal made before it had an account, and one that was always somebody's.
        try await database.put(try fixture.channel(1).sealed(by: vault))
        try await database.put(try fixture.channel(2, of: other).sealed(by: vault))
        try await database.execute("UPDATE alerts.channel SET user_id = \(owner)")
        #expect(try await fixture.stored(1, of: owner).opened(by: vault) == fixture.channel(1, of: owner))
        #expect(vault.failures == 0, "an alarm for nothing")
        #expect(try await database.vault(file: fixture.path, isMade: false).keys.newestNumber == 1)
        let taken = try await fixture.stored(2, of: owner)
        #expect(throws: SealingFault.self) { try taken.opened(by: vault) }
        #expect(vault.failures == 1)

        let report = try await database.renewSecrets(by: vault)
        #expect(report.renewed == 1 && report.closed == [.channel(taken.id, of: owner)])
        var renewed = try await fixture.stored(1, of: owner)
        #expect(try renewed.opened(by: vault) == fixture.channel(1, of: owner))
        #expect(try await database.renewSecrets(by: vault).renewed == 0)
        renewed.user = .localOperator
        #expect(throws: SealingFault.self) { try renewed.opened(by: vault) }
        await database.close()
    }

    @Test("hold for one key file: it is made where nothing is sealed, and another one is refused")
    func installed() async throws {
        let fixture = try await SealingFixture()
        let (database, path) = (fixture.database, fixture.path + "-own")
        // As installations have them that never had a key file.
        let fresh = [UInt8](0..<32)
        #expect(try await database.keptKey(.unsubscribe, orNew: fresh, by: nil) == fresh)
        try await database.put(fixture.channel(1))
        #expect(try await !database.hasSealedSecrets())
        let vault = try await database.vault(file: path)
        #expect(try await database.hasSealedSecrets())
        #expect(try await database.keptKey(.unsubscribe, orNew: [], by: vault) == fresh)
        #expect(try await fixture.stored(1).secrets.isSealed == false, "sealed by the notifier")
        #expect(try await database.vault(file: path).keys.newestNumber == 1)
        await #expect(throws: SealingFault.self) { try await database.vault(file: fixture.path) }
        await #expect(throws: SealingFault.self) { try await database.vault(file: path + ".none") }
        #expect(access(path + ".none", F_OK) != 0)
        // One that was put where it does not belong proves nothing, as long as others open.
        try await database.put(try fixture.channel(2).sealed(by: fixture.vault))
        _ = try await database.vault(file: path)
        await database.close()
    }

    @Test("of every kind get the newest key, also those that were never sealed; what does not open is said")
    func rotation() async throws {
        let fixture = try await SealingFixture()
        let (database, vault) = (fixture.database, fixture.vault)
        let user = try await fixture.user(5)
        let letter = UniqueID(high: 6, low: 6)
        let link = try vault.seal([7], for: .letter(letter, to: user))
        let shared = try vault.seal([8], for: .authenticator(of: user))
        try await database.transaction { session in
            _ = try session.beginOneTimePassword(sealed: shared, of: user, at: .zero)
            try session.addLetter(
                AccountLetter(
                    id: letter, user: user, kind: .reset, sealed: link, created: .zero,
                    expires: Timestamp(nanoseconds: 1_000_000_000)))
        }
        let fresh = [UInt8](0..<32)
        #expect(try await database.keptKey(.vapid, orNew: fresh, by: vault) == fresh)
        // As an installation has them that never had a key file.
        #expect(try await database.keptKey(.unsubscribe, orNew: fresh, by: nil) == fresh)
        try await database.put(fixture.channel(1))
        try await database.put(try fixture.channel(2).sealed(by: vault))
        let before = try await database.storedSecrets()
        #expect(
            before.counts == [
                .channel: [nil: 1, 1: 1], .letter: [1: 1], .signing: [nil: 1, 1: 1], .authenticator: [1: 1],
            ])
        #expect(try KeyFile.addKey(fixture.path) == 2)
        let accounts = try await database.renewSecrets(by: vault, of: [.accounts])
        #expect(accounts.counts == [.letter: [2: 1], .authenticator: [2: 1]] && accounts.renewed == 2)
        let after = try await database.renewSecrets(by: vault)
        #expect(after.renewed == 4 && after.fault == nil && after.needs(only: 2))
        #expect(
            after.counts == [.channel: [2: 2], .letter: [2: 1], .signing: [2: 2], .authenticator: [2: 1]])
        #expect(try await database.renewSecrets(by: vault).renewed == 0)
        try KeyFile.forgetFormerKeys(fixture.path)
        for number in UInt64(1)...2 {
            #expect(try await fixture.stored(number).opened(by: vault) == fixture.channel(number))
        }
        for name in [KeptKey.vapid, .unsubscribe] {
            #expect(try await database.keptKey(name, orNew: [], by: vault) == fresh)
        }
        let kept = try await database.withSession { session in
            (
                try session.lockOneTimePassword(of: user),
                try session.takeLetters(limit: 9, at: .zero, lease: 1)
            )
        }
        #expect(try vault.open(try #require(kept.0).sealed, for: .authenticator(of: user)) == [8])
        #expect(
            try vault.open(try #require(kept.1.first).letter.sealed, for: .letter(letter, to: user)) == [7])
        #expect(try await !fixture.text().contains("canary"))
        // Another file opens nothing, changes nothing and says so.
        let text = try await fixture.text()
        let stranger = try SecretVault(file: fixture.path + "2")
        _ = try KeyFile.addKey(fixture.path + "2")
        _ = try KeyFile.addKey(fixture.path + "2")
        let refused = try await database.renewSecrets(by: stranger)
        #expect(refused.closed.count == 6 && refused.fault != nil && refused.renewed == 0)
        #expect(try await fixture.text() == text)
        await database.close()
    }
}
