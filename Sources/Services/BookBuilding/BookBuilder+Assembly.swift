public import Bus
public import Instruments
public import Logging
import MarketStore
public import Operations
public import ServiceLifecycle
public import Store

extension BookBuilder {
    /// The services of a book-builder in dependency order: to come after the bus context, the database and
    /// the broker.
    ///
    /// - Parameters:
    ///   - configuration: What is published and stored, and the bounds.
    ///   - context: The bus context of the process.
    ///   - addresses: Where the broker is.
    ///   - database: Where books go, with its schema up to date; `nil` only when nothing is to be stored.
    ///   - health: Gets the component `books`.
    ///   - instance: This process among others of the service; 1...60 bytes.
    ///   - logger: Carries the service's name.
    ///   - clock: The time of day; `nil` takes the machine's.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: `database` is there unless ``BookBuildingConfiguration/isStoring`` is false.
    public static func services(
        configuration: BookBuildingConfiguration, context: BusContext, addresses: BusAddresses,
        database: Database?,
        health: HealthRegistry, instance: String, logger: Logger, clock: (@Sendable () -> Timestamp)? = nil
    ) throws -> [any Service] {
        precondition(database != nil || !configuration.isStoring, "storing needs a database")
        let publisher = try Publisher(
            context: context,
            // A topic may move between instances: each numbers its messages for itself.
            configuration: PublisherConfiguration(
                producer: "\(configuration.producer)-\(instance)", addresses: addresses),
            logger: logger)
        let subscriber = try Subscriber(
            context: context,
            // Heartbeats say whether a producer of books is there that says nothing else.
            configuration: SubscriberConfiguration(
                name: "book-builder", addresses: addresses,
                prefixes: ["book.delta.", "book.snapshot.", "trade.", "ticker.day.", "heartbeat."]),
            logger: logger)
        let builder = BookBuilder(
            configuration: configuration, publisher: publisher, subscriber: subscriber,
            database: configuration.isStoring ? database : nil, health: health.component("books"),
            instance: instance,
            logger: logger, clock: clock ?? { BusClock.wall() })
        return [publisher, builder]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Parameters:
    ///   - process: What every process has.
    ///   - others: Makes further services of the process that use the same database; not asked without one.
    /// - Returns: All of them, in dependency order.
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func services(
        of process: ServiceProcess,
        and others: (BusContext, BusAddresses, Database) throws -> [any Service] = { _, _, _ in [] }
    ) async throws -> [any Service] {
        let configuration = try BookBuildingConfiguration(settings: process.settings)
        let addresses = try busAddresses(process.settings)
        let database = try await database(of: process, isStoring: configuration.isStoring)
        let context = try BusContext()
        var services: [any Service] = [context]
        if let database { services.append(database) }
        services += try Self.services(
            configuration: configuration, context: context, addresses: addresses, database: database,
            health: process.health, instance: process.instance, logger: process.logger)
        if let database { services += try others(context, addresses, database) }
        return services
    }

    /// Opens PostgreSQL and brings the schema `market` up to date.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func openDatabase(_ url: String, logger: Logger) async throws -> Database {
        do throws(StoreError) {
            let configuration = try StoreConfiguration(url: url)
            _ = try await MarketSchema.migrator.migrate(configuration, logger: logger)
            return Database(configuration: configuration, logger: logger)
        } catch {
            throw ConfigurationError.unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
        }
    }

    private static func database(of process: ServiceProcess, isStoring: Bool) async throws -> Database? {
        guard isStoring else { return nil }
        guard let url = process.settings[SharedSettings.databaseURL] else {
            throw ConfigurationError.missing(
                key: "database.url", variable: "BITPAL_DATABASE_URL",
                summary: "URL of PostgreSQL; or set store.enabled to false")
        }
        return try await openDatabase(url, logger: process.logger)
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
