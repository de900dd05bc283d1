package import Store

/// A server of its own for tests of roles, which belong to a server and not to a database.
package actor RolesCluster {
    package static let shared = RolesCluster()

    private var server: Task<StoreConfiguration, any Error>?
    private var last: Task<StoreConfiguration, any Error>?
    private var count = 0

    /// A new database of a superuser, whom nobody asks for a password there, nor any role.
    ///
    /// - Parameter prepare: What is done to it; one after the other, since roles are the server's.
    /// - Returns: How it is reached.
    /// - Throws: What keeps the server from starting, or what `prepare` throws.
    package static func database(
        _ prepare: @escaping @Sendable (StoreConfiguration) async throws -> Void
    ) async throws -> StoreConfiguration {
        try await shared.queued(prepare).value
    }

    private func queued(
        _ prepare: @escaping @Sendable (StoreConfiguration) async throws -> Void
    ) -> Task<StoreConfiguration, any Error> {
        let before = last
        let task = Task {
            // Whether that one failed is for its own test.
            _ = await before?.result
            let database = try await self.makeDatabase()
            try await prepare(database)
            return database
        }
        last = task
        return task
    }

    private func makeDatabase() async throws -> StoreConfiguration {
        let started = server ?? Task { try await Self.start() }
        server = started
        let configuration = try await started.value
        count += 1
        let name = "bitpal_roles_\(count)"
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { try $0.script("CREATE DATABASE \(name)") }
        }
        return configuration.database(name)
    }

    private static func start() async throws -> StoreConfiguration {
        let cluster = PrivateCluster(
            directory: try TestDatabase.temporaryDirectory(), settings: .throwaway)
        let url = try await cluster.start().description
        // As in TestDatabase: a slow machine is no failure.
        var server = try StoreConfiguration(url: url + " connect_timeout=60")
        server.acquireTimeout = .seconds(60)
        server.lockTimeout = .seconds(60)
        server.statementTimeout = .seconds(120)
        return server
    }
}
