import AccountStore
import InstallationStore
import Support
import Testing

@testable import Store

/// What no service may do, whoever speaks through it.
@Suite("The role of a service", .serialized, .timeLimit(.minutes(10)))
struct RoleLimitTests {
    /// What is refused to every service; `\(own)` is its own role.
    private static func forbidden(_ own: String) -> [String] {
        [
            // Programs and files of the server.
            "COPY (SELECT 1) TO PROGRAM 'true'", "COPY market.instrument FROM PROGRAM 'true'",
            "COPY (SELECT 1) TO '/tmp/bitpal-forbidden'", "SELECT pg_read_file('/etc/passwd')",
            "SELECT pg_ls_dir('/')", "SELECT lo_import('/etc/passwd')", "SELECT * FROM pg_catalog.pg_authid",
            // Things of its own.
            "CREATE TABLE public.mine (a integer)", "CREATE TABLE market.mine (a integer)",
            "CREATE SCHEMA mine", "CREATE DATABASE mine", "CREATE ROLE mine", "CREATE PUBLICATION mine",
            "CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
            // Things of the owner.
            "DROP TABLE market.candle", "DROP SCHEMA market CASCADE", "TRUNCATE market.trade",
            "ALTER TABLE market.instrument ADD COLUMN mine integer",
            "DROP FUNCTION market.lock_instruments()",
            "DO $$ BEGIN LOCK TABLE market.trade IN ACCESS EXCLUSIVE MODE; END $$",
            "ALTER TABLE alerts.rule DISABLE ROW LEVEL SECURITY",
            "ALTER POLICY services ON accounts.account TO PUBLIC", "DROP POLICY own_rows ON alerts.rule",
            "SELECT alerts.rest_rules(gen_random_uuid(), true)",
            "SELECT portfolio.adopt(gen_random_uuid(), gen_random_uuid())",
            "INSERT INTO market.schema_migration (version, name, sha256) VALUES (999, 'mine', repeat('0', 64))",
            // Another's rights.
            "SET ROLE bitpal_owner", "SET ROLE bitpal_migrate", "SET SESSION AUTHORIZATION bitpal_owner",
            "GRANT bitpal_owner TO \(own)", "ALTER ROLE \(own) SUPERUSER", "ALTER ROLE \(own) BYPASSRLS",
            "ALTER ROLE bitpal_owner LOGIN PASSWORD 'mine'", "ALTER DATABASE template1 OWNER TO \(own)",
            "ALTER SYSTEM SET log_statement = 'none'", "SET session_replication_role = replica",
        ]
    }

    /// All that a service has no right to, table by table.
    private static func foreign(_ role: ServiceRole) -> [String] {
        AccessList.tables.flatMap { table -> [String] in
            let rights = Set(table.privileges(of: role).map(\.privilege))
            var scripts: [String] = []
            if rights.isEmpty { scripts.append("SELECT FROM \(table.table)") }
            // Neither a view nor a sequence.
            guard !["market.partition", "market.trade_batch"].contains(table.table) else { return scripts }
            if !rights.contains("INSERT") { scripts.append("INSERT INTO \(table.table) DEFAULT VALUES") }
            if !rights.contains("DELETE") { scripts.append("DELETE FROM \(table.table)") }
            return scripts + ["TRUNCATE \(table.table) CASCADE"]
        }
            + AccessList.functions.filter { !$0.callers.contains(role) }.map { function in
                let parameters = function.function.split(separator: "(").last?.dropLast() ?? ""
                let values = parameters.split(separator: ",").map { "NULL::\($0)" }.joined(separator: ", ")
                return "SELECT \(function.function.prefix { $0 != "(" })(\(values))"
            }
    }

    @Test("is refused what belongs to others, and changes nothing by asking", arguments: ServiceRole.allCases)
    func refused(_ role: ServiceRole) async throws {
        let database = try await RoleFixture.database()
        var scripts = Self.forbidden(role.name) + Self.foreign(role)
        if !AccessList.withTemporaryTables.contains(role) { scripts.append("CREATE TEMPORARY TABLE mine ()") }
        if role != .gateway { scripts.append("SET ROLE bitpal_gateway") }
        if role != .gateway { scripts.append("SELECT password_hash FROM accounts.account") }
        let outcomes = try await RoleFixture.refusals(of: scripts, by: role.name, in: database)
        for (script, refusal) in zip(scripts, outcomes) {
            #expect(
                refusal?.sqlState == "42501",
                "\(role.name): \(script): \(refusal?.debugDescription ?? "done")")
        }
        // Nobody granted anything, either: that is a warning where one has the right oneself.
        _ = try await RoleFixture.refusals(
            of: ["GRANT SELECT ON market.instrument TO PUBLIC"], by: role.name, in: database)
        #expect(try await InstallationSchemas.access.pending(database) == [])
    }

    @Test("shows a user nothing of another, also when the gateway takes on the user's role by itself")
    func rows() async throws {
        let database = try await RoleFixture.database()
        let ann = "11111111-0000-7000-8000-000000000001"
        let ben = "11111111-0000-7000-8000-000000000002"
        try await RoleFixture.run(
            """
            INSERT INTO accounts.app_user (user_id, name) VALUES ('\(ann)', 'ann'), ('\(ben)', 'ben');
            INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
            VALUES ('\(ann)', '\(ann)', 'Ann''s', 0, now()), ('\(ben)', '\(ben)', 'Ben''s', 0, now());
            INSERT INTO portfolio.portfolio (portfolio_id, user_id, name, base, changed_at, created_at)
            VALUES ('\(ann)', '\(ann)', 'Ann''s', 'EUR', now(), now()),
                ('\(ben)', '\(ben)', 'Ben''s', 'EUR', now(), now());
            """, in: database)
        let gateway = Database(
            configuration: database.user(ServiceRole.gateway.name), logger: TestDatabase.logger)
        let user = UserID(rawValue: try #require(UniqueID(ann)))
        let lists: Query = "SELECT coalesce(string_agg(name, ', '), '') FROM accounts.watchlist"
        let portfolios: Query = "SELECT coalesce(string_agg(name, ', '), '') FROM portfolio.portfolio"
        for names in [lists, portfolios] {
            let seen = try await gateway.transaction(as: user) { try $0.first(names) { try $0.text() } }
            #expect(seen == "Ann's")
        }
        let changed = try await gateway.transaction(as: user) { session in
            try session.execute("UPDATE accounts.watchlist SET name = 'Mine' WHERE name <> \("Ann's")")
        }
        #expect(changed == 0)
        // Whose nobody said is nobody.
        let nobody = try await gateway.withSession { session in
            try session.script("SET ROLE bitpal_gateway")
            return try session.first(lists) { try $0.text() }
        }
        #expect(nobody == "")
        await gateway.close()
    }
}
