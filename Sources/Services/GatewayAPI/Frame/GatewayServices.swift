import Bus
import Instruments
import Logging
import Operations
import Store

/// What routes work with.
struct GatewayServices: Sendable {
    /// With every schema up to date.
    var database: Database
    /// The bus's sockets of this process.
    var bus: BusContext
    /// Where the bus is.
    var addresses: BusAddresses
    /// How the gateway serves.
    var configuration: GatewayConfiguration
    /// What the process says about itself.
    var health: HealthRegistry
    /// This process among others; no other run has the same.
    var instance: String
    /// Carries the service's name.
    var logger: Logger
    /// The time of day.
    var clock: @Sendable () -> Timestamp
    /// How often everybody asked.
    let rates: RateKeeper
    /// What is known of the market right now.
    var market: MarketView
    /// What instruments there are.
    var catalogue: CatalogueKeeper

    /// Joins what routes work with; market and catalogue are made of the rest.
    ///
    /// - Throws: `BusError` when the process may open no more files.
    init(
        database: Database, bus: BusContext, addresses: BusAddresses, configuration: GatewayConfiguration,
        health: HealthRegistry, instance: String, logger: Logger, clock: @escaping @Sendable () -> Timestamp
    ) throws(BusError) {
        self.database = database
        self.bus = bus
        self.addresses = addresses
        self.configuration = configuration
        self.health = health
        self.instance = instance
        self.logger = logger
        self.clock = clock
        rates = RateKeeper(perMinute: configuration.requestsPerMinute)
        market = try MarketView(
            context: bus, addresses: addresses, database: database, logger: logger, clock: clock)
        catalogue = CatalogueKeeper(database: database, clock: clock)
    }
}
