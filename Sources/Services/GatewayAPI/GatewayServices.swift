import Bus
import Hosting
import Instruments
import Logging
import Operations
import Store

/// What routes work with.
struct GatewayServices: Sendable {
    /// What the process gives.
    var frame: ServiceFrame
    /// How the gateway serves.
    var configuration: GatewayConfiguration
    /// How often everybody asked.
    let rates: RateLimiter
    /// What is known of the market right now.
    var market: MarketView
    /// What instruments there are.
    var catalogue: CatalogueCache

    /// Joins what routes work with; market and catalogue are made of the rest.
    ///
    /// - Throws: `BusError` when the process may open no more files.
    init(_ configuration: GatewayConfiguration, in frame: ServiceFrame) throws(BusError) {
        self.frame = frame
        self.configuration = configuration
        rates = RateLimiter(perMinute: configuration.requestsPerMinute)
        market = try MarketView(in: frame, database: frame.database)
        catalogue = CatalogueCache(database: frame.database, clock: frame.monotonic)
    }

    /// With every schema up to date.
    var database: Database { frame.database }
    /// What the process says about itself.
    var health: HealthRegistry { frame.health }
    /// This process among others; no other run has the same.
    var instance: String { frame.instance }
    /// Carries the service's name.
    var logger: Logger { frame.logger }
    /// The time of day.
    var clock: @Sendable () -> Timestamp { frame.clock }
    /// The time since the machine was started, by which requests are counted: no step of the clock stops
    /// anybody.
    var monotonic: @Sendable () -> Timestamp { frame.monotonic }
}
