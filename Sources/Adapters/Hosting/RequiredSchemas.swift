package import Logging
package import Operations
package import Store

/// The schemas of PostgreSQL that a service works with, and how it opens them.
package struct RequiredSchemas: Sendable {
    /// Brings schemas to this program's version.
    package typealias Migration = @Sendable (StoreConfiguration, Logger) async throws(StoreError) -> Void

    private let migrate: Migration
    private let idleInTransactionTimeout: Duration?
    private let alternative: String?

    /// Schemas that are brought up to date by a function.
    ///
    /// - Parameters:
    ///   - migrate: Brings them to this program's version.
    ///   - idleInTransactionTimeout: Longest pause between two statements of a transaction; `nil` as the
    ///     store has it.
    ///   - alternative: What an operator may do who has no PostgreSQL; `nil` where nothing helps.
    package init(
        by migrate: @escaping Migration, idleInTransactionTimeout: Duration? = nil, alternative: String? = nil
    ) {
        self.migrate = migrate
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.alternative = alternative
    }

    /// One schema; the rest as above.
    package init(of migrator: Migrator, alternative: String? = nil) {
        self.init(
            by: { (configuration, logger) throws(StoreError) in
                try await migrator.migrate(configuration, logger: logger)
            }, alternative: alternative)
    }

    /// Opens PostgreSQL and brings the schemas up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package func open(_ url: String, logger: Logger) async throws(ConfigurationError) -> Database {
        do throws(StoreError) {
            var configuration = try StoreConfiguration(url: url)
            if let idleInTransactionTimeout {
                configuration.idleInTransactionTimeout = idleInTransactionTimeout
            }
            try await migrate(configuration, logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw .unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        }
    }

    /// Opens the database that the settings of a process name.
    func open(in process: ServiceProcess) async throws(ConfigurationError) -> Database {
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw .missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL",
                summary: "URL of PostgreSQL" + (alternative.map { "; or \($0)" } ?? ""))
        }
        return try await open(url, logger: process.logger)
    }
}
