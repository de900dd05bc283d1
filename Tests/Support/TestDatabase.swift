public import Logging
import MarketStore
public import Store

/// Databases for tests, on one cluster that lives as long as the test run.
///
/// The cluster is started when the first test asks and is stopped and removed with the run, also when the run
/// is killed. `POSTGRES_TEST_URL` names another server to use instead; its user must be allowed to make
/// databases. A missing server fails the test that asks, with one line that says what to do.
public enum TestDatabase {
    /// A new database with nothing in it.
    public static func empty() async throws -> StoreConfiguration {
        try await TestCluster.shared.makeDatabase(isMigrated: false)
    }

    /// A new database with the schema `market`.
    public static func market() async throws -> StoreConfiguration {
        try await TestCluster.shared.makeDatabase(isMigrated: true)
    }

    /// A new directory that goes with the run; PostgreSQL servers inside are stopped then.
    public static func temporaryDirectory() throws -> String {
        try TestFolder.shared.get().makeDirectory()
    }

    /// Says nothing.
    public static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// The run's server: starts once, whoever asks first.
private actor TestCluster {
    static let shared = TestCluster()

    private var server: Task<StoreConfiguration, any Error>?
    private var template: Task<StoreConfiguration, any Error>?
    private var count = 0

    func makeDatabase(isMigrated: Bool) async throws -> StoreConfiguration {
        let server = try await startedServer()
        let template = isMigrated ? try await migratedTemplate(server) : nil
        return try await create(server, template: template.map { _ in templateName })
    }

    private var templateName: String { "bitpal_test_\(ProcessNumber.current)_template" }

    private func startedServer() async throws -> StoreConfiguration {
        let task = server ?? Task { try await Self.start() }
        server = task
        return try await task.value
    }

    private static func start() async throws -> StoreConfiguration {
        let folder = try TestFolder.shared.get()
        var server: StoreConfiguration
        if let url = ProcessNumber.environment("POSTGRES_TEST_URL") {
            server = try StoreConfiguration(url: url)
        } else {
            let cluster = PrivateCluster(directory: try folder.makeDirectory(), settings: .throwaway)
            server = try await cluster.start().database("postgres")
        }
        // What a machine that is slow for a while makes wait is no failure; tests of limits set their own.
        server.connectTimeout = .seconds(60)
        server.acquireTimeout = .seconds(60)
        server.lockTimeout = .seconds(60)
        server.statementTimeout = .seconds(120)
        return server
    }

    private func migratedTemplate(_ server: StoreConfiguration) async throws -> StoreConfiguration {
        let name = templateName
        let task =
            template
            ?? Task {
                try await Self.create(server, name: name, template: nil)
                let configuration = server.database(name)
                try await MarketSchema.migrator.migrate(configuration, logger: TestDatabase.logger)
                return configuration
            }
        template = task
        return try await task.value
    }

    private func create(_ server: StoreConfiguration, template: String?) async throws -> StoreConfiguration {
        count += 1
        let name = "bitpal_test_\(ProcessNumber.current)_\(count)"
        try await Self.create(server, name: name, template: template)
        return server.database(name)
    }

    private static func create(_ server: StoreConfiguration, name: String, template: String?) async throws {
        try TestFolder.shared.get().note(database: name)
        try await Database.use(server, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script("CREATE DATABASE \(name) TEMPLATE \(template ?? "template0")")
            }
        }
    }
}
