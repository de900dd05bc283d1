import AlertStore
import Channels
import Instruments
public import Logging
public import Operations
import Sending
public import ServiceLifecycle
public import Store
import Web

extension Notifier {
    /// The services of a notifier, to come after the database.
    ///
    /// - Parameters:
    ///   - configuration: Limits, the mail relay and where requests may go.
    ///   - database: With the schema `alerts` up to date.
    ///   - health: Gets the component `deliveries`.
    ///   - instance: This process among others; no other run has the same.
    ///   - logger: Carries the service's name.
    /// - Returns: One service.
    public static func services(
        configuration: NotifierConfiguration, database: Database, health: HealthRegistry, instance: String,
        logger: Logger
    ) -> [any Service] {
        let sender = Sender(configuration: configuration.sender, policy: configuration.policy)
        let words = NoticeWords()
        let composer = Composer(policy: configuration.policy, words: words.text)
        return [
            Notifier(
                database: database, sender: sender, composer: composer, configuration: configuration,
                claimant: "notifier-\(instance)", health: health.component("deliveries"), logger: logger,
                zones: words.zone, clock: { Timestamp(nanoseconds: WallClock.nanoseconds()) })
        ]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try NotifierConfiguration(settings: process.settings)
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw ConfigurationError.missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL", summary: "URL of PostgreSQL")
        }
        let database = try await openDatabase(url, logger: process.logger)
        return [database]
            + services(
                configuration: configuration, database: database, health: process.health,
                instance: process.instance, logger: process.logger)
    }

    /// Opens PostgreSQL and brings the schema `alerts` up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func openDatabase(_ url: String, logger: Logger) async throws -> Database {
        do throws(StoreError) {
            let configuration = try StoreConfiguration(url: url)
            try await AlertSchema.migrate(configuration, logger: logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw ConfigurationError.unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        }
    }
}
