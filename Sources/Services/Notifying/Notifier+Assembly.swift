import AlertStore
import Channels
import Credentials
package import Hosting
import InstallationStore
import Logging
import Metrics
package import Operations
package import ServiceLifecycle
package import Store

extension Notifier {
    /// The schema `alerts`, and those that it refers to.
    package static let schemas = RequiredSchemas(of: AlertSchema.migrators)

    /// The services of a notifier, to come after the database.
    ///
    /// - Parameters:
    ///   - configuration: Limits, the mail relay and where requests may go.
    ///   - frame: With a database; its health gets the component `deliveries`.
    /// - Returns: One service.
    /// - Throws: `ConfigurationError` when the key file cannot be used.
    package static func services(
        _ configuration: NotifierConfiguration, in frame: ServiceFrame
    ) throws(ConfigurationError) -> [any Service] {
        let words = NoticeLocalization()
        let composer = Composer(
            policy: configuration.policy, vault: try vault(configuration, frame.logger), words: words.text)
        return [Notifier(configuration, composer, zones: words.zone, in: frame)]
    }

    /// Makes the key file where nothing is sealed yet, and else sees to it that it is the right one.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func checkKeys(
        _ configuration: NotifierConfiguration, _ database: Database
    ) async throws {
        guard let path = configuration.keyFile else { return }
        do {
            _ = try await database.vault(file: path, of: [.alerts])
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
    package static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try NotifierConfiguration(settings: process.settings)
        let frame = try await ServiceFrame.open(process, schemas: schemas, isOnBus: false)
        try await checkKeys(configuration, frame.database)
        return try frame.services + services(configuration, in: frame)
    }
}
