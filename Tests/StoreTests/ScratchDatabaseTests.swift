import Support
import Testing

@testable import Store

@Suite("Databases to try something in", .timeLimit(.minutes(10)))
struct ScratchDatabaseTests {
    @Test("are dropped while the server vacuums them, by whom may not end the server's processes")
    func vacuumed() async throws {
        let cluster = PrivateCluster(
            directory: try TestDatabase.temporaryDirectory(), settings: .throwaway)
        let superuser = try await cluster.start()
        try await Database.use(superuser, logger: TestDatabase.logger) { database in
            // Workers come soon, and stay: they pause after each page.
            for setting in [
                "autovacuum_naptime = 1", "autovacuum_vacuum_cost_delay = 100",
                "autovacuum_vacuum_cost_limit = 1",
            ] { try await database.script("ALTER SYSTEM SET \(setting)") }
            try await database.script("SELECT pg_reload_conf()")
            try await database.script("CREATE ROLE maker LOGIN CREATEDB")
        }
        let left = try await DirectWork.run("test", superuser.user("maker")) { session, open in
            try ScratchDatabase("test", for: session).use(open) { scratch in
                try scratch.script("CREATE TABLE row AS SELECT generate_series(1, 100000) AS number")
                while try Self.others(scratch) == 0 { try scratch.script("SELECT pg_sleep(0.01)") }
            }
            return try session.first(
                "SELECT count(*) FROM pg_catalog.pg_database WHERE datname LIKE 'bitpal_test_%'"
            ) { try $0.int64() }
        }
        #expect(left == 0)
        try await cluster.stop()
    }

    /// Processes in a session's database beside it: here nobody else's than the server's.
    private static func others(_ session: borrowing Session) throws(StoreError) -> Int64 {
        try session.first(
            """
            SELECT count(*) FROM pg_catalog.pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        ) { try $0.int64() } ?? 0
    }
}
