package import Logging
package import Operations
package import Store

/// The schemas of PostgreSQL that a service works with, and how it opens them.
package struct RequiredSchemas: Sendable {
    /// Makes schemas that are missing, and refuses those that the program cannot work on.
    package typealias Preparation = @Sendable (StoreConfiguration, Logger) async throws(StoreError) -> Void

    private let prepare: Preparation
    private let idleInTransactionTimeout: Duration?
    private let alternative: String?
    private var connections: Int?

    /// Schemas that are prepared by a function.
    ///
    /// - Parameters:
    ///   - prepare: See ``Preparation``.
    ///   - idleInTransactionTimeout: Longest pause between two statements of a transaction; `nil` as the
    ///     store has it.
    ///   - alternative: What an operator may do who has no PostgreSQL; `nil` where nothing helps.
    package init(
        by prepare: @escaping Preparation, idleInTransactionTimeout: Duration? = nil,
        alternative: String? = nil
    ) {
        self.prepare = prepare
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.alternative = alternative
    }

    /// Schemas, each after those that it refers to; the rest as above.
    package init(
        of migrators: [Migrator], idleInTransactionTimeout: Duration? = nil, alternative: String? = nil
    ) {
        self.init(
            by: { (configuration, logger) throws(StoreError) in
                for migrator in migrators { try await migrator.prepare(configuration, logger: logger) }
            }, idleInTransactionTimeout: idleInTransactionTimeout, alternative: alternative)
    }

    /// The same, opened with so many connections at most.
    package func connecting(by connections: Int) -> RequiredSchemas {
        var schemas = self
        schemas.connections = connections
        return schemas
    }

    /// Opens PostgreSQL once every schema is one that the program can work on.
    ///
    /// An older one is left alone: one job migrates, before the services start, and backs up first.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package func open(_ url: String, logger: Logger) async throws(ConfigurationError) -> Database {
        var user: String?
        do throws(StoreError) {
            var configuration = try StoreConfiguration(url: url)
            user = configuration.user
            if let idleInTransactionTimeout {
                configuration.idleInTransactionTimeout = idleInTransactionTimeout
            }
            if let connections { configuration.maximumConnections = connections }
            try await prepare(configuration, logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw ConfigurationError(opening: error, by: user)
        }
    }

    /// Opens the database that the settings of a process name, once its role has all rights of the service.
    func open(in process: ServiceProcess) async throws(ConfigurationError) -> Database {
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw .missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL",
                summary: "URL of PostgreSQL" + (alternative.map { "; or \($0)" } ?? ""))
        }
        let database = try await open(url, logger: process.logger)
        if let role = ServiceRole(rawValue: process.name) { try await Self.check(database, has: role) }
        return database
    }

    /// Looks before the service works: else it would find out one statement after the other.
    private static func check(
        _ database: Database, has role: ServiceRole
    ) async throws(ConfigurationError) {
        let missing: [String]
        do throws(StoreError) {
            missing = try await database.missingRights(of: role)
        } catch {
            await database.close()
            throw ConfigurationError(opening: error, by: database.user)
        }
        guard !missing.isEmpty else { return }
        await database.close()
        throw ConfigurationError(missing: missing, of: database.user)
    }
}
