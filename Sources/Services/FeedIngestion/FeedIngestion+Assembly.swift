public import Bus
public import Instruments
public import Logging
import MarketStore
public import NIOCore
public import Operations
public import ServiceLifecycle
public import Store
public import Web

extension FeedIngestion {
    /// The services of a feed-ingestor in dependency order: to come after the bus context, the database and
    /// the broker.
    ///
    /// - Parameters:
    ///   - configuration: What to connect to, and the bounds.
    ///   - context: The bus context of the process.
    ///   - addresses: Where the broker is.
    ///   - database: Where trades go, with its schema up to date; `nil` only when nothing is to be stored.
    ///   - http: For REST requests.
    ///   - eventLoopGroup: Feeds are spread over its loops.
    ///   - health: Gets one component per venue, `feed.<venue>`.
    ///   - instance: This process among others of the service.
    ///   - logger: Carries the service's name.
    ///   - clock: The time of day; `nil` takes the machine's.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: `database` is there unless ``FeedIngestionConfiguration/isStoring`` is false.
    public static func services(
        configuration: FeedIngestionConfiguration, context: BusContext, addresses: BusAddresses,
        database: Database?,
        http: HTTPClient = HTTPClient(), eventLoopGroup: any EventLoopGroup, health: HealthRegistry,
        instance: String,
        logger: Logger, clock: (@Sendable () -> Timestamp)? = nil
    ) throws -> [any Service] {
        precondition(database != nil || !configuration.isStoring, "storing needs a database")
        let publisher = try Publisher(
            context: context,
            configuration: PublisherConfiguration(producer: configuration.producer, addresses: addresses),
            logger: logger)
        var listening = SubscriberConfiguration(
            name: "feed-control", addresses: addresses, prefixes: ControlDesk.prefixes)
        // A command is for now: what was asked before is not answered.
        listening.asksForState = false
        let control = try Subscriber(context: context, configuration: listening, logger: logger)
        let ingestion = FeedIngestion(
            configuration: configuration, publisher: publisher, control: control,
            database: configuration.isStoring ? database : nil, http: http, eventLoopGroup: eventLoopGroup,
            health: health, instance: instance, logger: logger,
            clock: clock ?? { Timestamp(nanoseconds: WallClock.nanoseconds()) })
        return [publisher, control, ingestion]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    public static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try FeedIngestionConfiguration(settings: process.settings)
        let addresses = try busAddresses(process.settings)
        let database = try await database(of: process, isStoring: configuration.isStoring)
        let context = try BusContext()
        var services: [any Service] = [context]
        if let database { services.append(database) }
        return try services
            + Self.services(
                configuration: configuration, context: context, addresses: addresses, database: database,
                eventLoopGroup: process.eventLoopGroup, health: process.health, instance: process.instance,
                logger: process.logger)
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
