package import Bus
package import Instruments
package import Logging
package import NIOCore
import NIOPosix
package import Operations
package import ServiceLifecycle
package import Store

/// What a service is given by the process that it runs in: everything but its own configuration.
///
/// Not everybody is on the bus, and not everybody stores: a frame has what its service asks for, and to ask
/// for more is a mistake of the programmer's.
package struct ServiceFrame: Sendable {
    private struct BusPlace {
        var context: BusContext
        var addresses: BusAddresses
    }

    /// This process among others of the service, another with each run; 1...60 bytes.
    package var instance: String
    /// Carries the service's name.
    package var logger: Logger
    /// Where the service says whether it is ready and its data fresh.
    package var health: HealthRegistry
    /// The event loops of the process, never to be shut down.
    package var eventLoopGroup: any EventLoopGroup
    /// The time of day; of a service with a database as PostgreSQL has it, see ``DatabaseClock``.
    package var clock: @Sendable () -> Timestamp
    /// The time since the machine was started, which nobody sets: for limits and pauses, and never shown.
    package var monotonic: @Sendable () -> Timestamp
    private var bus: BusPlace?
    private var store: Database?
    private var shared: DatabaseClock?

    /// A frame with neither bus nor database.
    ///
    /// - Parameters:
    ///   - instance: This process among others of the service; 1...60 bytes.
    ///   - logger: Carries the service's name.
    ///   - health: Gets the service's components.
    ///   - eventLoopGroup: `nil` takes the one that is never shut down.
    ///   - clock: The time of day; `nil` takes the machine's.
    ///   - monotonic: For limits and pauses; `nil` takes `clock` where that is given, else the machine's.
    package init(
        instance: String, logger: Logger, health: HealthRegistry = HealthRegistry(),
        eventLoopGroup: (any EventLoopGroup)? = nil, clock: (@Sendable () -> Timestamp)? = nil,
        monotonic: (@Sendable () -> Timestamp)? = nil
    ) {
        self.instance = instance
        self.logger = logger
        self.health = health
        self.eventLoopGroup = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        self.clock = clock ?? { BusClock.wall() }
        self.monotonic = monotonic ?? clock ?? { Timestamp(nanoseconds: BusClock.monotonic()) }
    }

    /// What a process gives to all of its services, without bus and database.
    package init(of process: ServiceProcess) {
        self.init(
            instance: process.instance, logger: process.logger, health: process.health,
            eventLoopGroup: process.eventLoopGroup)
    }

    /// The same on a bus.
    package func on(_ context: BusContext, at addresses: BusAddresses) -> ServiceFrame {
        var frame = self
        frame.bus = BusPlace(context: context, addresses: addresses)
        return frame
    }

    /// The same with a database, whose schemas are up to date; `nil` only for who stores nothing.
    package func with(_ database: Database?) -> ServiceFrame {
        var frame = self
        frame.store = database
        return frame
    }

    /// The same with the time of day as all instances have it, also on what is published.
    package func timed(by clock: DatabaseClock) -> ServiceFrame {
        var frame = self
        frame.clock = { clock.now() }
        frame.shared = clock
        return frame
    }

    /// PostgreSQL, with every schema of the service up to date.
    ///
    /// - Precondition: The frame has one.
    package var database: Database {
        guard let store else { preconditionFailure("storing needs a database") }
        return store
    }

    /// Bus context, database and its clock, as far as there are any: to run before whoever uses them.
    package var services: [any Service] {
        var services: [any Service] = []
        if let bus { services.append(bus.context) }
        if let store { services.append(store) }
        if let shared { services.append(shared) }
        return services
    }

    /// Somebody who publishes.
    ///
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: The frame is on a bus, and the producer's name has 1...127 bytes.
    package func publisher(_ producer: String) throws(BusError) -> Publisher {
        let bus = place
        var configuration = PublisherConfiguration(producer: producer, addresses: bus.addresses)
        if let shared { configuration.clock = { shared.now() } }
        return try Publisher(context: bus.context, configuration: configuration, logger: logger)
    }

    /// Somebody who hears.
    ///
    /// - Parameters:
    ///   - name: Names the thread and the metrics.
    ///   - prefixes: The topics that are wanted from the start, by their beginnings.
    ///   - asksForState: Whether what was said before is heard as well.
    /// - Returns: Who receives once it runs.
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: The frame is on a bus.
    package func subscriber(
        _ name: String, to prefixes: [String], asksForState: Bool = true
    ) throws(BusError) -> Subscriber {
        let bus = place
        var configuration = SubscriberConfiguration(
            name: name, addresses: bus.addresses, prefixes: prefixes)
        configuration.asksForState = asksForState
        return try Subscriber(context: bus.context, configuration: configuration, logger: logger)
    }

    private var place: BusPlace {
        guard let bus else { preconditionFailure("who speaks and hears needs a bus") }
        return bus
    }
}
