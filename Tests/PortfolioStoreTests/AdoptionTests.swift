import Instruments
import MarketStore
import Portfolio
import Store
import Support
import Testing

@testable import AccountStore
@testable import PortfolioStore

@Suite("Portfolios of before anybody had an account", .timeLimit(.minutes(10)))
struct AdoptionTests {
    private static let boss = UserID(rawValue: UniqueID(high: 7, low: 1))

    private static func openAccount(_ role: String, in database: Database) async throws {
        try await database.withSession { session in
            try session.script(
                """
                INSERT INTO accounts.app_user (user_id, name) VALUES ('\(boss)', 'boss');
                INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
                VALUES ('\(boss)', 'boss@example.org', 'boss@example.org', '\(role)', now());
                """)
        }
    }

    private static func giveRole(in database: Database) async throws {
        try await database.execute("UPDATE accounts.account SET role = 'operator'")
    }

    private static func names(of user: UserID, in database: Database) async throws -> [String] {
        try await database.withSession { try $0.portfolios(of: user).map(\.name).sorted() }
    }

    /// A database as the program before left it, with an operator and a portfolio of the terminal.
    private static func older() async throws -> (Database, StoreConfiguration) {
        let configuration = try await TestDatabase.migrated("portfolio_older") { store, logger in
            try await MarketSchema.migrator.migrate(store, logger: logger)
            try await Migrator(
                schema: "accounts",
                migrations: [
                    M0001_Users.self, M0002_Accounts.self, M0003_Watchlists.self, M0004_OwnAccounts.self,
                    AccountStore.M0005_Erasure.self, M0006_Apple.self, M0007_AlertPreference.self,
                ]
            ).migrate(store, logger: logger)
            try await Migrator(
                schema: "portfolio",
                migrations: [
                    M0001_Ledgers.self, M0002_Imports.self, M0003_Views.self, M0004_OwnRows.self,
                    PortfolioStore.M0005_OwnerErasure.self,
                ]
            ).migrate(store, logger: logger)
        }
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        _ = try await database.make()
        try await openAccount("operator", in: database)
        return (database, configuration)
    }

    @Test("stay the terminal's until somebody runs the installation, and are the first operator's then")
    func first() async throws {
        let database = try await PortfolioFixture.database()
        let (id, gone) = (try await database.make(1), try await database.make(2))
        _ = try await database.add([try PortfolioFixture.row(.buy, "1", for: "1", hour: 1)], to: id)
        try await database.transaction { session in
            try session.deletePortfolio(gone, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        let before = try #require(try await database.find(id))
        let rows = try await database.ledger(id)
        try await Self.openAccount("user", in: database)
        #expect(try await database.find(id) == before)
        try await Self.giveRole(in: database)
        #expect(try await database.find(id) == nil)
        var moved = before
        moved.user = Self.boss
        #expect(try await database.find(id, of: Self.boss) == moved)
        #expect(try await database.withSession { try $0.ledgerRows(of: id, by: Self.boss) } == rows)
        let owners = try await database.rows("SELECT DISTINCT user_id FROM portfolio.portfolio") {
            try $0.user()
        }
        #expect(owners == [Self.boss])
        await database.close()
    }

    @Test("take another name where their new owner has given it, unless they were deleted")
    func names() async throws {
        let database = try await PortfolioFixture.database()
        try await Self.openAccount("user", in: database)
        let (main, gone) = (try await database.make(1), try await database.make(2))
        try await database.transaction { session in
            try session.deletePortfolio(gone, of: PortfolioFixture.user, at: PortfolioFixture.now)
            _ = try session.renamePortfolio(main, to: "main", of: PortfolioFixture.user)
            for (number, name) in [(3, "main"), (4, "p2"), (5, "main (terminal)")] as [(UInt64, String)] {
                _ = try session.createPortfolio(
                    PortfolioFixture.id(number), named: name, base: PortfolioFixture.usd, of: Self.boss,
                    at: PortfolioFixture.now)
            }
        }
        try await Self.giveRole(in: database)
        #expect(
            try await Self.names(of: Self.boss, in: database) == [
                "main", "main (terminal 2)", "main (terminal)", "p2",
            ])
        #expect(try await database.find(main, of: Self.boss)?.name == "main (terminal 2)")
        let deleted = try await database.rows(
            "SELECT name FROM portfolio.portfolio WHERE portfolio_id = \(gone)"
        ) { try $0.text() }
        #expect(deleted == ["p2"])
        await database.close()
    }

    @Test("are the operator's after the migration where there is one already, and it moves them once")
    func migration() async throws {
        let (database, configuration) = try await Self.older()
        #expect(try await Self.names(of: PortfolioFixture.user, in: database) == ["p1"])
        for _ in 1...2 {
            try await PortfolioSchema.migrate(configuration, logger: TestDatabase.logger)
            #expect(try await Self.names(of: PortfolioFixture.user, in: database).isEmpty)
            #expect(try await Self.names(of: Self.boss, in: database) == ["p1"])
        }
        await database.close()
    }

    @Test("wait for the rules, of which some may be about them, where those are not migrated yet")
    func rulesFirst() async throws {
        let (database, configuration) = try await Self.older()
        try await database.withSession { try $0.script("CREATE SCHEMA alerts; CREATE TABLE alerts.rule ()") }
        try await PortfolioSchema.migrate(configuration, logger: TestDatabase.logger)
        #expect(try await Self.names(of: PortfolioFixture.user, in: database) == ["p1"])
        await database.close()
    }

    @Test("are the operator's of a backup of before that is restored")
    func restoration() async throws {
        let (database, configuration) = try await Self.older()
        let backup = SchemaBackup(
            [
                .init("accounts", version: AccountSchema.migrator.version),
                .init("portfolio", version: PortfolioSchema.version),
            ], alongside: ["accounts.audit"])
        let path = try TestDatabase.temporaryDirectory() + "/file.bitpal"
        let written = try await backup.write(to: path, from: configuration)
        let (target, targetConfiguration) = try await PortfolioFixture.databaseWithConfiguration()
        #expect(try await backup.restore(from: path, into: targetConfiguration) == written)
        #expect(try await Self.names(of: Self.boss, in: target) == ["p1"])
        #expect(try await Self.names(of: PortfolioFixture.user, in: target).isEmpty)
        await database.close()
        await target.close()
    }
}
