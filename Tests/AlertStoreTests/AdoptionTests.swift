import Accounts
import Alerting
import Instruments
import InstallationStore
import MarketStore
import Store
import Support
import Testing

@testable import AccountStore
@testable import AlertStore
@testable import PortfolioStore

@Suite("Rules, channels and firings of before anybody had an account", .timeLimit(.minutes(10)))
struct AdoptionTests {
    private static let tables = [
        "accounts.watchlist", "alerts.channel", "alerts.firing", "alerts.rule", "portfolio.portfolio",
    ]

    private static func account(_ number: UInt64, _ role: Role = .user) throws -> StoredAccount {
        StoredAccount(
            user: UserID(rawValue: UniqueID(high: 7, low: number)),
            email: try EmailAddress(parsing: "u\(number)@example.org"), passwordHash: nil, role: role,
            created: AlertFixture.now)
    }

    private static func open(_ account: StoredAccount, in database: Database) async throws {
        try await database.transaction { try $0.createAccount(account) }
    }

    private static func giveRole(in database: Database) async throws {
        try await database.execute("UPDATE accounts.account SET role = 'operator'")
    }

    /// One of everything of the terminal's; the rule names the channel, and has fired.
    private static func fill(_ database: Database, under claims: LeaseClaims) async throws -> StoredRule {
        try await database.put(AlertFixture.channel(1, "phone"))
        let rule = try await database.add([try AlertFixture.rule(1, #","channels":["phone"]"#)])[0]
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)
        try await database.transaction { session in
            _ = try session.createWatchlist(
                AlertFixture.id(2), named: "Coins", of: AlertFixture.user, at: AlertFixture.now)
            _ = try session.createPortfolio(
                PortfolioID(rawValue: AlertFixture.id(3)), named: "Main", base: Asset(rawValue: "USD"),
                of: AlertFixture.user, at: AlertFixture.now)
        }
        return rule
    }

    /// Whose the rows of each table are.
    private static func owners(_ database: Database) async throws -> [[UserID]] {
        var owners: [[UserID]] = []
        for table in tables {
            owners.append(
                try await database.rows(
                    """
                    SELECT DISTINCT user_id FROM (
                        SELECT 'accounts.watchlist' AS name, user_id FROM accounts.watchlist
                        UNION ALL SELECT 'alerts.channel', user_id FROM alerts.channel
                        UNION ALL SELECT 'alerts.firing', user_id FROM alerts.firing
                        UNION ALL SELECT 'alerts.rule', user_id FROM alerts.rule
                        UNION ALL SELECT 'portfolio.portfolio', user_id FROM portfolio.portfolio) AS owned
                    WHERE name = \(table)
                    ORDER BY user_id
                    """
                ) { try $0.user() })
        }
        return owners
    }

    private static func all(_ user: UserID) -> [[UserID]] { tables.map { _ in [user] } }

    /// The rule as it is stored, byte for byte.
    private static func text(of rule: UniqueID, _ database: Database) async throws -> String? {
        try await database.first("SELECT rule::text FROM alerts.rule WHERE rule_id = \(rule)") {
            try $0.text()
        }
    }

    /// A database as the program before left it, with an operator and one of everything of the terminal's.
    private static func older() async throws -> (Database, StoreConfiguration, UserID) {
        let configuration = try await TestDatabase.migrated("alerts_older") { store, logger in
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
            try await Migrator(
                schema: "alerts",
                migrations: [
                    M0001_Rules.self, M0002_Firings.self, M0003_Evaluation.self, M0004_Deliveries.self,
                    M0005_Pushes.self, M0006_OwnRows.self, M0007_Pace.self, M0008_Rest.self,
                    M0009_SealedKeys.self,
                ]
            ).migrate(store, logger: logger)
        }
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        let coin = Instrument(
            id: AlertFixture.bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"),
            kind: .spot,
            priceScale: .zero, sizeScale: .zero, tickSize: nil, lotSize: nil)
        try await database.store([coin], at: .zero)
        _ = try await fill(database, under: AlertFixture.claims("a", database))
        let boss = try account(1, .operator)
        try await open(boss, in: database)
        return (database, configuration, boss.user)
    }

    @Test("stay what they are until somebody runs the installation, and are the first operator's then")
    func first() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await Self.fill(database, under: claims)
        try await Self.open(Self.account(1), in: database)
        #expect(try await Self.owners(database) == Self.all(AlertFixture.user))
        let boss = try Self.account(2, .operator)
        try await Self.open(boss, in: database)
        #expect(try await Self.owners(database) == Self.all(boss.user))
        let moved = try #require(try await database.withSession { try $0.rule(rule.id, of: boss.user) })
        var expected = rule
        (expected.user, expected.change, expected.epoch) = (boss.user, moved.change, 1)
        (expected.firings, expected.state) = (1, [1])
        #expect(moved == expected && moved.change > rule.change)
        // Who evaluates is told.
        let changed = try await database.withSession { try $0.rules(changedAfter: rule.change) }
        #expect(changed.map(\.user) == [boss.user])
        let kinds = try await database.withSession { try $0.history(of: rule.id, by: boss.user) }.map(\.kind)
        #expect(kinds == [.fired, .created])
        // What was decided meanwhile of the rule as it was is the new owner's.
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 2), under: claims) == .fired)
        #expect(try await Self.owners(database) == Self.all(boss.user))
        #expect(try await database.outboxCounts() == ["waiting": 2])
        // The next operator takes nothing.
        try await Self.open(Self.account(3, .operator), in: database)
        #expect(try await Self.owners(database) == Self.all(boss.user))
        #expect(try await database.withSession { try $0.lastRuleChange() } == moved.change)
        await database.close()
    }

    @Test("follow a channel to its other name, where their new owner has given the one it had")
    func names() async throws {
        let database = try await AlertFixture.database()
        let boss = try Self.account(1)
        try await Self.open(boss, in: database)
        for (number, name) in [(1, "phone"), (2, "desk")] as [(UInt64, String)] {
            try await database.put(AlertFixture.channel(number, name))
        }
        var own = AlertFixture.channel(3, "phone")
        own.user = boss.user
        try await database.put(own)
        let note = #","note":"\"channels\":[\"phone\"]\n₿","channels":["desk","phone"],"priority":"high""#
        let rules = try await database.add([
            try AlertFixture.rule(1, note), try AlertFixture.rule(2, #","channels":["desk"]"#),
            try AlertFixture.rule(3, #","channels":["phone"]"#),
        ])
        _ = try await database.transaction { session in
            try session.deleteRules([rules[2].id], of: AlertFixture.user, at: AlertFixture.now)
        }
        var texts: [String?] = []
        for rule in rules { texts.append(try await Self.text(of: rule.id, database)) }
        try await Self.giveRole(in: database)
        let channels = try await database.withSession { try $0.channels(of: boss.user) }
        #expect(Set(channels.map(\.name)) == ["desk", "phone", "phone (terminal)"])
        #expect(channels.first { $0.name == "phone" }?.id == own.id)
        let moved = try await database.withSession { session in
            try rules.map { try #require(try session.rule($0.id, of: boss.user)) }
        }
        #expect(moved.map(\.version) == [2, 1, 2])
        #expect(moved.map(\.rule.channels) == [["desk", "phone (terminal)"], ["desk"], ["phone"]])
        let text = try await Self.text(of: rules[0].id, database)
        #expect(text == texts[0]?.replacing(#"["desk","phone"]"#, with: #"["desk","phone (terminal)"]"#))
        #expect(text == moved[0].rule.json)
        for index in 1...2 {
            #expect(try await Self.text(of: rules[index].id, database) == texts[index])
        }
        let events = try await database.withSession { try $0.history(of: rules[0].id, by: boss.user) }
        #expect(events.map(\.kind) == [.edited, .created] && events[0].text == moved[0].rule.json)
        // It is told where it was told before, and not by the other channel of that name.
        let claims = try await AlertFixture.claims("a", database)
        #expect(try await database.fire(AlertFixture.firing(of: moved[0], epoch: 1), under: claims) == .fired)
        let told = try await database.rows("SELECT channel_id FROM alerts.outbox ORDER BY channel_id") {
            try $0.uniqueID()
        }
        #expect(told == [AlertFixture.id(1), AlertFixture.id(2)])
        await database.close()
    }

    @Test("are known to who evaluates as well as before, also where that is behind")
    func evaluation() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        func commit(_ number: Int64, _ change: Int64) -> EvaluationCommit {
            EvaluationCommit(shard: rule.shard, number: number, ruleChange: change, state: [1])
        }
        #expect(
            try await database.commit([commit(1, rule.change)], under: claims) == [
                rule.shard: .committed(told: 0)
            ])
        try await Self.open(Self.account(1, .operator), in: database)
        func stored(_ rule: StoredRule) async throws -> (rule: StoredRule, known: Int64) {
            try await database.withSession { session in
                let owner = try session.terminalUser()
                return (
                    try #require(try session.rule(rule.id, of: owner)),
                    try #require(try session.evaluation(of: rule.shard)).ruleChange
                )
            }
        }
        let moved = try await stored(rule)
        #expect(moved.rule.change > rule.change && moved.known == moved.rule.change)
        #expect(
            try await database.commit([commit(2, moved.known)], under: claims) == [
                rule.shard: .committed(told: 0)
            ])
        await database.close()
    }

    @Test("are taken for no new ones by who was away while others were made")
    func behind() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let known = try await database.add([try AlertFixture.rule(1)])[0]
        let commit = EvaluationCommit(shard: known.shard, number: 1, ruleChange: known.change, state: [1])
        _ = try await database.commit([commit], under: claims)
        let new = try await database.add([try AlertFixture.rule(2)])[0]
        let boss = try Self.account(1, .operator)
        try await Self.open(boss, in: database)
        let moved = try await database.withSession { try $0.rules(of: boss.user) }
        #expect(moved.map(\.id) == [known.id, new.id])
        #expect(moved[0].change == known.change && moved[1].change > new.change)
        let evaluation = try await database.withSession { try $0.evaluation(of: known.shard) }
        #expect(evaluation?.ruleChange == known.change)
        await database.close()
    }

    @Test("are not what is left of rules that were erased with their owner")
    func erased() async throws {
        let database = try await AlertFixture.database()
        let gone = try Self.account(1)
        try await Self.open(gone, in: database)
        let rule = try AlertFixture.rule(1)
        try await database.transaction { session in
            _ = try session.addRules([rule], of: gone.user, limits: RuleLimits(), at: AlertFixture.now)
            try session.eraseUser(gone.user, at: AlertFixture.now, by: .terminal("bitpal test"))
        }
        let left = try await database.rule(AlertFixture.id(1))
        let boss = try Self.account(2, .operator)
        try await Self.open(boss, in: database)
        #expect(try await database.rule(AlertFixture.id(1)) == left)
        #expect(try await database.withSession { try $0.rule(left.id, of: boss.user) } == nil)
        await database.close()
    }

    @Test("are all of one operator where several are made at once")
    func atOnce() async throws {
        let database = try await AlertFixture.database()
        _ = try await Self.fill(database, under: AlertFixture.claims("a", database))
        let accounts = try (1...4).map { try Self.account($0, .operator) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for account in accounts {
                group.addTask { try await Self.open(account, in: database) }
            }
            try await group.waitForAll()
        }
        let owners = try await Self.owners(database)
        let owner = try #require(owners.first?.first)
        #expect(owners == Self.all(owner) && accounts.map(\.user).contains(owner))
        await database.close()
    }

    @Test("are the operator's after the migration where there is one already, and it moves them once")
    func migration() async throws {
        let (database, configuration, boss) = try await Self.older()
        #expect(try await Self.owners(database) == Self.all(AlertFixture.user))
        // Not one before the other.
        try await PortfolioSchema.migrate(configuration, logger: TestDatabase.logger)
        #expect(try await Self.owners(database) == Self.all(AlertFixture.user))
        for _ in 1...2 {
            try await AlertSchema.migrate(configuration, logger: TestDatabase.logger)
            #expect(try await Self.owners(database) == Self.all(boss))
        }
        await database.close()
    }

    @Test("are the operator's of a backup of before that is restored")
    func restoration() async throws {
        let (database, configuration, boss) = try await Self.older()
        let path = try TestDatabase.temporaryDirectory() + "/file.bitpal"
        let written = try await UserData.backup.write(to: path, from: configuration)
        let target = try await TestDatabase.empty()
        try await UserData.migrate(target, logger: TestDatabase.logger)
        #expect(try await UserData.backup.restore(from: path, into: target) == written)
        let restored = Database(configuration: target, logger: TestDatabase.logger)
        #expect(try await Self.owners(restored) == Self.all(boss))
        await database.close()
        await restored.close()
    }
}
