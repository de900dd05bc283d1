import AccountStore
import AlertStore
public import Bus
import Credentials
import InstallationStore
import Instruments
public import Logging
public import NIOCore
public import Operations
import PortfolioStore
public import ServiceLifecycle
public import Store
import Web

extension Gateway {
    /// The gateway's services with its database, and how to learn where it listens.
    public struct Assembly: Sendable {
        /// In the order of their dependencies.
        public let services: [any Service]
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
        public var page: String { page(at: configuration.address) }

        /// The page's address for a gateway that listens there.
        public func page(at address: NetworkAddress) -> String { configuration.origin(at: address) }

        /// Where it listens, once it does.
        ///
        /// - Throws: `ConfigurationError` when it cannot.
        public func bound() async throws(ConfigurationError) -> NetworkAddress { try await server.bound() }
    }

    /// Puts the gateway together.
    ///
    /// - Parameters:
    ///   - configuration: Address and limits.
    ///   - context: The sockets of this process.
    ///   - addresses: Where the bus is.
    ///   - database: With every schema up to date.
    ///   - eventLoopGroup: Where connections live.
    ///   - health: Gets the component `http`.
    ///   - instance: This process among others; no other run has the same.
    ///   - setting: What an operator changes to listen elsewhere.
    ///   - logger: Carries the service's name.
    /// - Returns: What runs.
    /// - Throws: `ConfigurationError` with one line that says what to do; `BusError` when the process may
    ///   open no more files.
    public static func assembly(
        configuration: GatewayConfiguration, context: BusContext, addresses: BusAddresses,
        database: Database, eventLoopGroup: any EventLoopGroup, health: HealthRegistry, instance: String,
        setting: String = "BITPAL_GATEWAY_ADDRESS", logger: Logger
    ) throws -> Assembly {
        var gateway = Gateway(
            try GatewayServices(
                database: database, bus: context, addresses: addresses, configuration: configuration,
                health: health, instance: instance, logger: logger,
                clock: { Timestamp(nanoseconds: WallClock.nanoseconds()) }))
        gateway.web = try web(configuration, logger)
        let accounts = try gateway.addAccounts()
        let stream = gateway.addStream(gateway.services.market)
        let server = try GatewayServer(gateway, setting: setting, eventLoopGroup: eventLoopGroup)
        let (http, seats) = (health.component("http"), gateway.stream?.seats)
        let (sources, market) = (health.component("sources"), gateway.services.market)
        let voice = try ServiceVoice.services(
            of: "gateway", instance: instance, context: context, addresses: addresses, logger: logger
        ) {
            // Without the database next to nothing can be answered; without the bus what is shown is old.
            let isThere = (try? await database.withSession { try $0.exists("SELECT 1") }) ?? false
            sources.setReady(isThere, isThere ? "" : "the database does not answer")
            let word = market.condition.word
            sources.setFresh(word == .live, for: .seconds(10), "the bus: \(word.rawValue)")
            let (isListening, reason) = http.readiness
            let isReady = isListening && isThere
            let page = isListening ? try? configuration.origin(at: await server.bound()) : nil
            return ServiceCondition(
                isReady: isReady, detail: reason.isEmpty && !isThere ? "no database" : reason,
                figures: ["live_connections": Int64(seats?.count ?? 0)], page: page ?? "")
        }
        return Assembly(
            [database] + voice + accounts + stream + [AnswerSweeper(database: database, logger: logger)],
            server, configuration)
    }

    /// Makes the key file where nothing is sealed yet, and else sees to it that it is the right one.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func checkKeys(_ configuration: GatewayConfiguration, _ database: Database) async throws {
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
    public static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try GatewayConfiguration(settings: process.settings)
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw ConfigurationError.missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL", summary: "URL of PostgreSQL")
        }
        let addresses: BusAddresses
        do {
            addresses = try BusAddresses(base: process.settings[SharedSettings.bus])
        } catch {
            throw process.settings.refusal(
                SharedSettings.bus, value: process.settings[SharedSettings.bus], accepted: "\(error)")
        }
        let context = try BusContext()
        let database = try await openDatabase(url, logger: process.logger)
        try await checkKeys(configuration, database)
        let assembly = try assembly(
            configuration: configuration, context: context, addresses: addresses, database: database,
            eventLoopGroup: process.eventLoopGroup, health: process.health, instance: process.instance,
            logger: process.logger)
        return [context] + assembly.services
    }

    /// The page's files; `nil` when no folder is configured and none is found.
    private static func web(
        _ configuration: GatewayConfiguration, _ logger: Logger
    ) throws(ConfigurationError) -> WebFolder? {
        let path = WebFolder.find(configured: configuration.webFolder, executable: WebFolder.executable)
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

    /// Opens PostgreSQL and brings every schema that the gateway uses up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func openDatabase(_ url: String, logger: Logger) async throws -> Database {
        do throws(StoreError) {
            let configuration = try StoreConfiguration(url: url)
            try await migrate(configuration, logger: logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw ConfigurationError.unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        }
    }

    /// Brings every schema that the gateway uses up to date.
    ///
    /// - Throws: As `Migrator.migrate`.
    static func migrate(_ configuration: StoreConfiguration, logger: Logger) async throws(StoreError) {
        try await AlertSchema.migrate(configuration, logger: logger)
        try await PortfolioSchema.migrate(configuration, logger: logger)
        try await GatewaySchema.migrator.migrate(configuration, logger: logger)
    }
}
