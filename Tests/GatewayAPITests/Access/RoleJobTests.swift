import AccountStore
import Hosting
import InstallationStore
import Operations
import Support
import Testing

@testable import Store

/// How roles come to their rights, and lose what nobody gave them.
@Suite("The job that sets roles", .serialized, .timeLimit(.minutes(10)))
struct RoleJobTests {
    private let access = InstallationSchemas.access

    @Test("does nothing the second time, and makes one owner of everything")
    func twice() async throws {
        let database = try await RoleFixture.database()
        #expect(try await access.run(database, passwords: []) == AccessJob.Report())
        #expect(try await access.isInUse(database))
        let strangers = try await Database.use(database, logger: TestDatabase.logger) { database in
            try await database.rows(
                """
                SELECT class.relname::text FROM pg_catalog.pg_class AS class
                JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
                WHERE space.nspname IN ('market', 'accounts', 'alerts', 'portfolio', 'rates', 'gateway')
                    AND pg_get_userbyid(class.relowner) <> 'bitpal_owner'
                """
            ) { try $0.text() }
        }
        #expect(strangers == [])
    }

    @Test("leaves a database alone that has one role for all")
    func single() async throws {
        let database = try await RolesCluster.database { configuration in
            for migrator in InstallationSchemas.migrators {
                try await migrator.migrate(configuration, logger: TestDatabase.logger)
            }
        }
        #expect(try await !access.isInUse(database))
    }

    @Test("leaves a line in the audit log where it set something, and none where nothing was to be set")
    func audited() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run(
            "GRANT SELECT ON accounts.token TO bitpal_notifier", in: database)
        for _ in 1...2 {
            _ = try await InstallationSchemas.applyRoles(
                database, passwords: [], by: .terminal("bitpal migrate"))
        }
        let log = try await Database.use(database, logger: TestDatabase.logger) { database in
            try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        }
        #expect(log.map(\.action) == ["roles.apply"])
        #expect(log.first?.actor.command == "bitpal migrate" && log.first?.detail["statements"] == "1")
    }

    @Test("takes away what was granted beside it, and gives back what was taken")
    func mends() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run(
            """
            GRANT SELECT ON accounts.account TO bitpal_feed_ingestor;
            GRANT USAGE ON SCHEMA accounts TO bitpal_feed_ingestor;
            REVOKE UPDATE ON alerts.outbox FROM bitpal_notifier;
            ALTER TABLE alerts.rule FORCE ROW LEVEL SECURITY
            """, in: database)
        #expect(
            Set(try await access.pending(database)) == [
                "REVOKE SELECT ON TABLE accounts.account FROM bitpal_feed_ingestor",
                "REVOKE USAGE ON SCHEMA accounts FROM bitpal_feed_ingestor",
                "GRANT UPDATE ON TABLE alerts.outbox TO bitpal_notifier",
                "ALTER TABLE alerts.rule NO FORCE ROW LEVEL SECURITY",
            ])
        #expect(try await access.run(database, passwords: []).statements == 4)
        #expect(try await access.pending(database) == [])
    }

    @Test("reaches what a later migration adds, by whomever, which is nobody's before")
    func added() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run(
            """
            CREATE TABLE market.later (a integer);
            CREATE FUNCTION market.later() RETURNS integer LANGUAGE sql AS 'SELECT 1'
            """, in: database)
        for role in ServiceRole.allCases {
            let refusals = try await RoleFixture.refusals(
                of: ["SELECT FROM market.later"], by: role.name, in: database)
            #expect(refusals.first??.sqlState == "42501", "\(role)")
        }
        _ = try await access.run(database, passwords: [])
        for role in ServiceRole.allCases {
            let refusals = try await RoleFixture.refusals(
                of: ["SELECT FROM market.later", "SELECT market.later()"], by: role.name, in: database)
            #expect(refusals.map { $0?.sqlState } == ["42501", "42501"], "\(role)")
        }
    }

    @Test("is done by bitpal_migrate once there are roles, which is the owner and no superuser")
    func migrates() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run("REVOKE SELECT ON market.trade FROM bitpal_book_builder", in: database)
        let migrating = database.user(ServiceRole.migrate)
        #expect(try await access.run(migrating, passwords: []).statements == 1)
        try await InstallationSchemas.migration.run(
            migrating, first: .none, logger: TestDatabase.logger, tell: { _ in })
        let refusals = try await RoleFixture.refusals(
            of: [
                "CREATE TABLE market.made (a integer)", "COPY (SELECT 1) TO PROGRAM 'true'",
                "CREATE ROLE mine",
            ], by: ServiceRole.migrate, in: database)
        #expect(refusals.map { $0?.sqlState } == [nil, "42501", "42501"])
        #expect(try await access.pending(database) == [])
    }

    @Test("without a superuser and without roles says what a superuser has to run")
    func advice() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run("ALTER TABLE market.task OWNER TO CURRENT_USER", in: database)
        let error = await #expect(throws: StoreError.self) {
            try await access.run(database.user(ServiceRole.migrate), passwords: [])
        }
        #expect(error?.description.contains("run `bitpal migrate --roles` with the URL of one") == true)
        #expect(error?.description.contains("ALTER TABLE market.task OWNER TO bitpal_owner") == true)
    }

    @Test("a service that lacks a right is told which, before it works")
    func missing() async throws {
        let database = try await RoleFixture.database()
        try await RoleFixture.run(
            """
            REVOKE UPDATE ON alerts.outbox FROM bitpal_notifier;
            REVOKE EXECUTE ON FUNCTION alerts.claim FROM bitpal_notifier
            """, in: database)
        let lacking = try await Database.use(
            database.user(ServiceRole.notifier.name), logger: TestDatabase.logger
        ) { try await $0.missingRights(of: .notifier) }
        #expect(
            lacking.sorted() == [
                "EXECUTE on alerts.claim(text,integer,bigint,uuid[])", "UPDATE on alerts.outbox",
            ])
        let words = ConfigurationError(missing: lacking, of: ServiceRole.notifier.name).description
        #expect(words.contains("role bitpal_notifier has no "))
        #expect(words.contains("UPDATE on alerts.outbox"))
        #expect(words.contains("bitpal migrate --roles"))
        for role in ServiceRole.allCases where role != .notifier {
            let none = try await Database.use(database.user(role.name), logger: TestDatabase.logger) {
                try await $0.missingRights(of: role)
            }
            #expect(none == [], "\(role)")
        }
    }

    @Test("sets passwords as the services' URLs have them, and shows none")
    func passwords() async throws {
        let database = try await RoleFixture.database()
        let url = "postgresql://bitpal_notifier:a%20secret%27@postgres:5432/bitpal"
        let password = try RolePassword(url: url, of: ServiceRole.notifier.name)
        #expect("\(password)" == "bitpal_notifier" && !String(reflecting: password).contains("secret"))
        let report = try await access.run(database, passwords: [password])
        #expect(report.passwords == ["bitpal_notifier"] && report.statements == 0)
        let stored = try await Database.use(database, logger: TestDatabase.logger) { database in
            try await database.first(
                "SELECT rolpassword FROM pg_catalog.pg_authid WHERE rolname = 'bitpal_notifier'"
            ) { try $0.text() }
        }
        #expect(stored?.hasPrefix("SCRAM-SHA-256$") == true)
        let left = try await access.run(database.user(ServiceRole.migrate), passwords: [password])
        #expect(left.leftPasswords && left.passwords == [])
        let error = #expect(throws: StoreError.self) {
            try RolePassword(url: url, of: ServiceRole.gateway.name)
        }
        #expect(error?.description == "its user is bitpal_notifier; expected bitpal_gateway_service")
    }
}
