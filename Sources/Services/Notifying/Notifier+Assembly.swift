import AlertStore
import Channels
import Credentials
import InstallationStore
import Instruments
public import Logging
import Metrics
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
    /// - Throws: `ConfigurationError` when the key file cannot be used.
    public static func services(
        configuration: NotifierConfiguration, database: Database, health: HealthRegistry, instance: String,
        logger: Logger
    ) throws(ConfigurationError) -> [any Service] {
        let sender = Sender(configuration: configuration.sender, policy: configuration.policy)
        let words = NoticeWords()
        let composer = Composer(
            policy: configuration.policy, vault: try vault(configuration, logger), words: words.text)
        return [
            Notifier(
                database: database, sender: sender, composer: composer, configuration: configuration,
                claimant: "notifier-\(instance)", health: health.component("deliveries"), logger: logger,
                zones: words.zone, clock: { Timestamp(nanoseconds: WallClock.nanoseconds()) })
        ]
    }

    /// Makes the key file where nothing is sealed yet, and else sees to it that it is the right one.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func checkKeys(
        _ configuration: NotifierConfiguration, _ database: Database
    ) async throws {
        guard let path = configuration.keyFile else { return }
        do {
            _ = try await database.vault(file: path)
        } catch let fault as SealingFault {
            throw ConfigurationError.unavailable(
                fault.description, advice: "set BITPAL_KEY_FILE to the gateway's file")
        }
    }

    private static func vault(
        _ configuration: NotifierConfiguration, _ logger: Logger
    ) throws(ConfigurationError) -> SecretVault? {
        guard let path = configuration.keyFile else { return nil }
        do throws(SealingFault) {
            return try SecretVault(file: path) { fault in
                Counter(label: "notifier_secrets_closed_total").increment()
                logger.critical(
                    "A sealed secret does not open", metadata: ["file": "\(path)", "why": "\(fault)"])
            }
        } catch {
            throw .unavailable(error.description, advice: "set BITPAL_KEY_FILE to the gateway's file")
        }
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
        try await checkKeys(configuration, database)
        return try [database]
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
