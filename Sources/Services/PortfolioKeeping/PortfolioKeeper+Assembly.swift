public import Bus
public import Instruments
public import Logging
public import Operations
import PortfolioStore
public import ServiceLifecycle
public import Store

extension PortfolioKeeper {
    /// The services in dependency order: to come after the bus context, the database and the broker.
    ///
    /// - Parameters:
    ///   - configuration: What is said, and how often.
    ///   - context: The bus context of the process.
    ///   - addresses: Where the broker is.
    ///   - database: Where portfolios are, with the schema `portfolio` up to date.
    ///   - health: Gets the component `portfolios`.
    ///   - instance: This process among others of the service; 1...60 bytes.
    ///   - logger: Carries the service's name.
    ///   - clock: The time of day; `nil` takes the machine's.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    public static func services(
        configuration: PortfolioKeepingConfiguration, context: BusContext, addresses: BusAddresses,
        database: Database, health: HealthRegistry, instance: String, logger: Logger,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws -> [any Service] {
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(
                producer: "\(configuration.producer)-\(instance)", addresses: addresses),
            logger: logger)
        let subscriber = try Subscriber(
            context: context,
            // Heartbeats say whether the one who made a price is still there.
            configuration: SubscriberConfiguration(
                name: "portfolio-service", addresses: addresses, prefixes: ["index.", "heartbeat."]),
            logger: logger)
        let keeper = PortfolioKeeper(
            configuration: configuration, publisher: publisher, subscriber: subscriber, database: database,
            health: health.component("portfolios"), instance: instance, logger: logger,
            clock: clock ?? { BusClock.wall() })
        return [publisher, keeper]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try PortfolioKeepingConfiguration(settings: process.settings)
        let addresses = try busAddresses(process.settings)
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw ConfigurationError.missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL", summary: "URL of PostgreSQL")
        }
        let database = try await openDatabase(url, logger: process.logger)
        let context = try BusContext()
        return try [context, database]
            + Self.services(
                configuration: configuration, context: context, addresses: addresses, database: database,
                health: process.health, instance: process.instance, logger: process.logger)
    }

    /// Opens PostgreSQL and brings the schema `portfolio` up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func openDatabase(_ url: String, logger: Logger) async throws -> Database {
        do throws(StoreError) {
            let configuration = try StoreConfiguration(url: url)
            try await PortfolioSchema.migrate(configuration, logger: logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw ConfigurationError.unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        }
    }

    private static func busAddresses(_ settings: Settings) throws -> BusAddresses {
        let base = settings[SharedSettings.bus]
        do throws(BusError) {
            return try BusAddresses(base: base)
        } catch {
            throw settings.refusal(
                SharedSettings.bus, value: base, accepted: "an address such as tcp://127.0.0.1:7411")
        }
    }
}
