import AccountStore
import AlertStore
import Credentials
import InstallationStore
import MarketStore
import PortfolioStore
import Store
import Support
import Testing

/// What statements alone do not show: functions, partitions and locks by whose rights they work.
@Suite("The work of a service by its own role", .serialized, .timeLimit(.minutes(10)))
struct RoleWorkTests {
    /// Runs a body as each of some services.
    private static func work(
        as roles: [ServiceRole], in database: StoreConfiguration, _ body: (Database) async throws -> Void
    ) async throws {
        for role in roles {
            try await Database.use(database.user(role.name), logger: TestDatabase.logger, body)
        }
    }

    @Test("makes partitions, and drops those that are over, and no other table")
    func partitions() async throws {
        let configuration = try await RoleFixture.database()
        try await Self.work(as: [.feedIngestor], in: configuration) { database in
            let isMade = try await database.withSession { session in
                try session.exists("SELECT WHERE market.ensure_trade_partition('2020-01-01')")
            }
            #expect(isMade)
        }
        try await RoleFixture.run(
            """
            INSERT INTO market.instrument (venue, symbol, base, quote, kind, price_scale, size_scale,
                is_inverse, updated_at)
            VALUES ('kraken', 'BTC/USD', 'BTC', 'USD', 'spot', 2, 8, false, now());
            SELECT market.ensure_trade_partition('2020-03-01');
            INSERT INTO market.trade
            SELECT instrument_id, 1, 2, 1583020800000000000, 1583020800000000000, 1, 1, 1, 8, false, false,
                '1' FROM market.instrument;
            """, in: configuration)
        try await Self.work(as: [.bookBuilder], in: configuration) { database in
            let sweeps = try await database.sweepPartitions(.standard)
            #expect(sweeps.contains { $0.dropped == ["trade_20200101"] }, "\(sweeps)")
        }
        let refusals = try await RoleFixture.refusals(
            of: [
                "SELECT market.drop_partitions(ARRAY['trade'])",
                "SELECT market.drop_partitions(ARRAY['instrument'])",
                "SELECT market.lock_partitions(ARRAY['pg_catalog.pg_authid'])",
            ], by: ServiceRole.bookBuilder.name, in: configuration)
        #expect(refusals.map { $0?.sqlState } == ["42501", "42501", "42501"])
        #expect(try await InstallationSchemas.access.pending(configuration) == [])
    }

    @Test("seals the secrets that are its own: the notifier reads and replaces none of an account")
    func secrets() async throws {
        let configuration = try await RoleFixture.database()
        let path = try TestDatabase.temporaryDirectory() + "/key"
        try await Self.work(as: [.notifier], in: configuration) { database in
            let vault = try await database.vault(file: path, of: [.alerts])
            _ = try KeyFile.addKey(path)
            #expect(try await database.renewSecrets(by: vault, of: [.alerts]).counts == [.signing: [2: 1]])
            #expect(try await database.hasSealedSecrets(of: [.alerts]))
        }
        let columns = ["SELECT sealed FROM accounts.", "SELECT user_id FROM accounts."]
        let refusals = try await RoleFixture.refusals(
            of: ["totp", "letter"].flatMap { table in
                columns.map { $0 + table } + ["UPDATE accounts.\(table) SET sealed = ''"]
            }, by: ServiceRole.notifier.name, in: configuration)
        #expect(refusals.map { $0?.sqlState } == Array(repeating: "42501", count: 6))
        try await Self.work(as: [.gateway], in: configuration) { database in
            let vault = try await database.vault(file: path)
            #expect(try await database.renewSecrets(by: vault, of: [.accounts]).counts.isEmpty)
        }
    }

    @Test("claims, locks and sweeps")
    func chores() async throws {
        let configuration = try await RoleFixture.database()
        try await Self.work(as: [.notifier], in: configuration) { database in
            let claimed = try await database.claim(by: "test", limit: 10, for: .seconds(10))
            #expect(claimed.isEmpty)
        }
        try await Self.work(as: [.alertEvaluator], in: configuration) { database in
            try await database.transaction { try $0.lockInstruments() }
            _ = try await database.sweepHistory(HistoryRetention())
        }
        try await Self.work(as: [.gateway], in: configuration) { database in
            try await database.withSession { try $0.adoptTerminal() }
            let seen = try await database.transaction(as: .localOperator) { session in
                try session.watchlists(of: .localOperator).count
            }
            #expect(seen == 0)
            #expect(try await database.sweepPortfolios() == 0)
        }
    }
}
