package import Hosting
package import Instruments
package import Logging
package import Operations
package import Store

/// What every request passes works with.
package struct RequestServices: Sendable {
    /// What the process gives.
    package var frame: ServiceFrame
    /// How requests are served.
    package let configuration: ServerConfiguration
    /// How often everybody asked.
    package let rates: RateLimiter

    package init(_ configuration: ServerConfiguration, in frame: ServiceFrame) {
        self.frame = frame
        self.configuration = configuration
        rates = RateLimiter(perMinute: configuration.requestsPerMinute)
    }

    /// With every schema up to date.
    package var database: Database { frame.database }
    /// What the process says about itself.
    package var health: HealthRegistry { frame.health }
    /// This process among others; no other run has the same.
    var instance: String { frame.instance }
    /// Carries the service's name.
    package var logger: Logger { frame.logger }
    /// The time of day.
    package var clock: @Sendable () -> Timestamp { frame.clock }
    /// The time since the machine was started, by which requests are counted: no step of the clock stops
    /// anybody.
    package var monotonic: @Sendable () -> Timestamp { frame.monotonic }
}
