import AlertStore
public import Bus
public import Instruments
public import Logging
public import Operations
public import ServiceLifecycle
public import Store

extension AlertEvaluator {
    /// The services of an evaluator in dependency order: to come after the bus context, the database and the
    /// broker.
    ///
    /// - Parameters:
    ///   - configuration: The bounds and the times.
    ///   - context: The bus context of the process.
    ///   - addresses: Where the broker is.
    ///   - database: With the schema `alerts` up to date.
    ///   - health: Gets the component `alerts`.
    ///   - instance: This process among others of the service; 1...60 bytes.
    ///   - logger: Carries the service's name.
    ///   - clock: The time of day; `nil` takes the machine's.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files, or the instance's name makes no topic.
    public static func services(
        configuration: AlertEvaluationConfiguration, context: BusContext, addresses: BusAddresses,
        database: Database, health: HealthRegistry, instance: String, logger: Logger,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws -> [any Service] {
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(
                producer: "\(Self.service)-\(instance)", addresses: addresses),
            logger: logger)
        let subscriber = try Subscriber(
            context: context,
            // Heartbeats say whether a producer is there that says nothing else; the topics of instruments
            // are added with the rules.
            configuration: SubscriberConfiguration(
                name: Self.service, addresses: addresses, prefixes: ["heartbeat."]),
            logger: logger)
        let evaluator = try AlertEvaluator(
            configuration: configuration, publisher: publisher, subscriber: subscriber, database: database,
            health: health.component("alerts"), instance: instance, logger: logger,
            clock: clock ?? { BusClock.wall() })
        return [publisher, evaluator]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try AlertEvaluationConfiguration(settings: process.settings)
        let addresses = try busAddresses(process.settings)
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw ConfigurationError.missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL", summary: "URL of PostgreSQL")
        }
        let database = try await openDatabase(url, logger: process.logger)
        let context = try BusContext()
        return try [context, database]
            + services(
                configuration: configuration, context: context, addresses: addresses, database: database,
                health: process.health, instance: process.instance, logger: process.logger)
    }

    /// Opens PostgreSQL and brings the schema `alerts`, and those that it refers to, up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func openDatabase(_ url: String, logger: Logger) async throws -> Database {
        do throws(StoreError) {
            var configuration = try StoreConfiguration(url: url)
            // A process that stands still in a commit keeps its leases from others until its session ends.
            configuration.idleInTransactionTimeout = .seconds(4)
            try await AlertSchema.migrate(configuration, logger: logger)
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
