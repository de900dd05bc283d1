package import Logging
import MarketStore
package import Store

/// Databases for tests, on one cluster that lives as long as the test run.
///
/// The cluster is started when the first test asks and is stopped and removed with the run, also when the run
/// is killed. `POSTGRES_TEST_URL` names another server to use instead; its user must be allowed to make
/// databases. A missing server fails the test that asks, with one line that says what to do.
package enum TestDatabase {
    /// A new database with nothing in it.
    package static func empty() async throws -> StoreConfiguration {
        try await TestCluster.shared.makeDatabase()
    }

    /// A new database with the schema `market`.
    package static func market() async throws -> StoreConfiguration {
        try await migrated("market", by: migrateMarket)
    }

    /// A new database that is as a migration leaves one.
    ///
    /// Migrated is a template, once; the rest are copies of it.
    /// - Parameters:
    ///   - name: What stands for the migration: the same name, the same template.
    ///   - migrate: Migrates a database.
    /// - Returns: Where the copy is.
    /// - Throws: What the migration throws, and a `StoreError` where there is no server.
    package static func migrated(
        _ name: String, by migrate: @escaping @Sendable (StoreConfiguration, Logger) async throws -> Void
    ) async throws -> StoreConfiguration {
        try await TestCluster.shared.makeDatabase(migratedAs: name, by: migrate)
    }

    @Sendable private static func migrateMarket(_ store: StoreConfiguration, logger: Logger) async throws {
        try await MarketSchema.migrator.migrate(store, logger: logger)
    }

    /// A new directory that goes with the run; PostgreSQL servers inside are stopped then.
    package static func temporaryDirectory() throws -> String {
        try TestFolder.shared.get().makeDirectory()
    }

    /// Says nothing.
    package static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// The run's server: starts once, whoever asks first.
private actor TestCluster {
    static let shared = TestCluster()

    private var server: Task<StoreConfiguration, any Error>?
    private var templates: [String: Task<String, any Error>] = [:]
    private var count = 0

    func makeDatabase() async throws -> StoreConfiguration {
        try await create(try await startedServer(), template: nil)
    }

    func makeDatabase(
        migratedAs name: String,
        by migrate: @escaping @Sendable (StoreConfiguration, Logger) async throws -> Void
    ) async throws -> StoreConfiguration {
        let server = try await startedServer()
        let task = templates[name] ?? Task { try await Self.template(name, of: server, migrate) }
        templates[name] = task
        return try await create(server, template: try await task.value)
    }

    private func startedServer() async throws -> StoreConfiguration {
        TestTrace.note("database")
        let task = server ?? Task { try await Self.start() }
        server = task
        return try await task.value
    }

    private static func start() async throws -> StoreConfiguration {
        let folder = try TestFolder.shared.get()
        let url: String
        if let given = ProcessNumber.environment("POSTGRES_TEST_URL") {
            url = given
        } else {
            let cluster = PrivateCluster(directory: try folder.makeDirectory(), settings: .throwaway)
            url = try await cluster.start().database("postgres").description
        }
        // What a machine that is slow for a while makes wait is no failure; tests of limits set their own.
        // The processes that a test starts are told of it by the URL.
        let separator = url.contains("://") ? (url.contains("?") ? "&" : "?") : " "
        var server = try StoreConfiguration(url: url + separator + "connect_timeout=60")
        server.acquireTimeout = .seconds(60)
        server.lockTimeout = .seconds(60)
        server.statementTimeout = .seconds(120)
        return server
    }

    /// The name of a migrated database that is copied.
    ///
    /// Where one process follows the other on a cluster that goes with the run, the first makes it for all.
    private static func template(
        _ name: String, of server: StoreConfiguration,
        _ migrate: @Sendable (StoreConfiguration, Logger) async throws -> Void
    ) async throws -> String {
        let isShared = ProcessNumber.environment("TEST_TEMPLATES") == "shared"
        let template = "bitpal_test_\(isShared ? "shared" : String(ProcessNumber.current))_\(name)"
        if isShared, try await exists(template, on: server) { return template }
        let making = isShared ? template + "_made" : template
        try await create(server, name: making, template: nil, isKept: isShared)
        try await migrate(server.database(making), TestDatabase.logger)
        // Under its name it is whole, whatever happened to whoever made it.
        if isShared { try await script("ALTER DATABASE \(making) RENAME TO \(template)", on: server) }
        return template
    }

    private static func exists(_ name: String, on server: StoreConfiguration) async throws -> Bool {
        try await Database.use(server, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script("DROP DATABASE IF EXISTS \(name)_made WITH (FORCE)")
                return try session.first(DatabaseNamed(name: name)) != nil
            }
        }
    }

    private func create(_ server: StoreConfiguration, template: String?) async throws -> StoreConfiguration {
        count += 1
        let name = "bitpal_test_\(ProcessNumber.current)_\(count)"
        try await Self.create(server, name: name, template: template)
        return server.database(name)
    }

    private static func create(
        _ server: StoreConfiguration, name: String, template: String?, isKept: Bool = false
    ) async throws {
        if !isKept { try TestFolder.shared.get().note(database: name) }
        // Files are copied in half the time that rows are logged in, where nobody waits for the disk.
        try await script(
            "CREATE DATABASE \(name) TEMPLATE \(template ?? "template0") STRATEGY file_copy", on: server)
    }

    private static func script(_ text: String, on server: StoreConfiguration) async throws {
        try await Database.use(server, logger: TestDatabase.logger) { database in
            try await database.withSession { session in try session.script(text) }
        }
    }
}

private struct DatabaseNamed: Statement {
    static let sql = "SELECT oid::bigint FROM pg_catalog.pg_database WHERE datname = $1"
    let name: String
    func bind(_ parameters: inout Parameters) { parameters.append(name) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
