import AccountStore
import AlertStore
import Bus
import Credentials
import GatewayFrame
import GatewayStream
package import Hosting
import InstallationStore
import Logging
package import Operations
import PortfolioStore
package import ServiceLifecycle
package import Store

extension Gateway {
    /// The gateway's services, and how to learn where it listens.
    package struct Assembly: Sendable {
        /// In the order of their dependencies.
        package let services: [any Service]
        private let server: GatewayServer
        private let configuration: GatewayConfiguration

        fileprivate init(
            _ services: [any Service], _ server: GatewayServer, _ configuration: GatewayConfiguration
        ) {
            self.services = services + [server]
            self.server = server
            self.configuration = configuration
        }

        /// The page's address as it is configured.
        package var page: String { page(at: configuration.server.address) }

        /// The page's address for a gateway that listens there.
        package func page(at address: NetworkAddress) -> String { configuration.server.origin(at: address) }

        /// Where it listens, once it does.
        ///
        /// - Throws: `ConfigurationError` when it cannot.
        package func bound() async throws(ConfigurationError) -> NetworkAddress { try await server.bound() }
    }

    /// Every schema that the gateway uses.
    package static let schemas = RequiredSchemas(of: InstallationSchemas.migrators)

    /// The same, with as many connections as are configured for what is answered at once.
    package static func schemas(_ configuration: GatewayConfiguration) -> RequiredSchemas {
        schemas.connecting(by: configuration.pools.connections)
    }

    /// Puts the gateway together: to come after the bus context, the database and the broker.
    ///
    /// - Parameters:
    ///   - configuration: Address and limits.
    ///   - frame: On the bus and with a database; its health gets the components `http` and `sources`.
    ///   - setting: What an operator changes to listen elsewhere.
    /// - Returns: What runs.
    /// - Throws: `ConfigurationError` with one line that says what to do; `BusError` when the process may
    ///   open no more files.
    package static func assembly(
        _ configuration: GatewayConfiguration, in frame: ServiceFrame,
        setting: String = "BITPAL_GATEWAY_ADDRESS"
    ) throws -> Assembly {
        let (database, health, instance) = (frame.database, frame.health, frame.instance)
        var gateway = Gateway(try GatewayServices(configuration, in: frame))
        gateway.web = try web(configuration, frame.logger)
        let accounts: [any Service] = [gateway.services.slow] + (try gateway.addAccounts())
        let stream = gateway.addStream(gateway.services.market)
        let server = try gateway.server(setting: setting)
        let (http, connections) = (health.component("http"), gateway.stream?.limits.connections)
        let (sources, market) = (health.component("sources"), gateway.services.market)
        let voice = try ServiceStatusPublisher.services(
            of: "gateway", instance: instance, by: try frame.publisher("gateway-\(instance)")
        ) {
            // Without the database next to nothing can be answered; without the bus what is shown is old.
            let isThere = (try? await database.withSession { try $0.exists("SELECT 1") }) ?? false
            sources.setReady(isThere, isThere ? "" : "the database does not answer")
            let word = market.condition.word
            sources.setFresh(word == .live, for: .seconds(10), "the bus: \(word.rawValue)")
            let (isListening, reason) = http.readiness
            let isReady = isListening && isThere
            // Where the address makes none, no page is told: a link less, and nothing that fails.
            let page = isListening ? try? configuration.server.origin(at: await server.bound()) : nil
            return ServiceStatus(
                isReady: isReady, detail: reason.isEmpty && !isThere ? "no database" : reason,
                figures: ["live_connections": Int64(connections?.count ?? 0)], page: page ?? "")
        }
        let sweepers: [any Service] = [
            AnswerSweeper(database: database, logger: frame.logger),
            PortfolioSweeper(database: database, logger: frame.logger),
            CoinHourKeeper(services: gateway.services),
        ]
        return Assembly(voice + accounts + stream + sweepers, server, configuration)
    }

    /// Makes the key file where nothing is sealed yet, and else sees to it that it is the right one.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func checkKeys(_ configuration: GatewayConfiguration, _ database: Database) async throws {
        guard let path = configuration.accounts.keyFile else { return }
        do {
            _ = try await database.vault(file: path)
        } catch let fault as SealingFault {
            throw ConfigurationError.unavailable(
                fault.description, advice: "set BITPAL_KEY_FILE to the file that secrets were sealed with")
        }
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try GatewayConfiguration(settings: process.settings)
        let frame = try await ServiceFrame.open(process, schemas: schemas(configuration))
        try await checkKeys(configuration, frame.database)
        return frame.services + (try assembly(configuration, in: frame).services)
    }

    /// The page's files; `nil` when no folder is configured and none is found.
    private static func web(
        _ configuration: GatewayConfiguration, _ logger: Logger
    ) throws(ConfigurationError) -> WebFolder? {
        let path = WebFolder.find(
            configured: configuration.server.webFolder, executable: WebFolder.executable)
        guard let path else {
            logger.warning("The page's files are not found; only the API is served")
            return nil
        }
        do {
            return try WebFolder(path: path)
        } catch {
            throw .unavailable(
                "the page cannot be served: \(error.reason)", advice: "set BITPAL_GATEWAY_WEB_FOLDER")
        }
    }

    /// Brings every schema that the gateway uses up to date.
    ///
    /// - Throws: As `Migrator.migrate`.
    static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError) {
        for migrator in InstallationSchemas.migrators {
            try await migrator.migrate(configuration, logger: logger)
        }
    }
}
