package import Logging
package import NIOCore
import NIOPosix
package import ServiceLifecycle

/// What every long-running process has, handed to the closure that assembles its services.
package struct ServiceProcess: Sendable {
    /// The service's name, such as `feed-ingestor`.
    package let name: String
    /// This run of it: a random UUID.
    package let instance: String
    /// The checked configuration.
    package let settings: Settings
    package let logger: Logger
    /// Where services say whether they are ready and their data fresh.
    package let health: HealthRegistry
    /// The metrics that `/metrics` shows; already the backend of swift-metrics.
    package let metrics: MetricsRegistry
    /// One event loop for all sockets of the process; never shut it down.
    package let eventLoopGroup: any EventLoopGroup
    /// What is done when the services do not stop in time, just before the process ends without them.
    package let lastDeeds = ExitActions()
    let environment: [String: String]

    /// Makes a process for tests of an assembly; executables get theirs from
    /// ``run(_:keys:arguments:overrides:assemble:)``.
    package init(
        name: String, settings: Settings, logger: Logger, health: HealthRegistry = HealthRegistry(),
        metrics: MetricsRegistry = MetricsRegistry(),
        eventLoopGroup: (any EventLoopGroup)? = nil
    ) {
        self.init(
            name: name, settings: settings, logger: logger, health: health, metrics: metrics,
            eventLoopGroup: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton, environment: [:])
    }

    init(
        name: String, settings: Settings, logger: Logger, health: HealthRegistry, metrics: MetricsRegistry,
        eventLoopGroup: any EventLoopGroup, environment: [String: String]
    ) {
        var random = SystemRandomNumberGenerator()
        self.name = name
        instance = InstanceID.make(using: &random)
        self.settings = settings
        self.logger = logger
        self.health = health
        self.metrics = metrics
        self.eventLoopGroup = eventLoopGroup
        self.environment = environment
    }

    /// The settings of a service that runs inside this process: its own variables and the shared ones over
    /// its defaults; no file, because one process has one file.
    ///
    /// - Parameters:
    ///   - service: The service's name in ``ServiceCatalogue``.
    ///   - keys: What it declares.
    ///   - overrides: Values by key that win over the environment.
    /// - Returns: The checked settings.
    /// - Throws: The first ``ConfigurationError`` found.
    package func settings(
        for service: String, keys: [ConfigurationKey], overrides: [String: String] = [:]
    ) throws(ConfigurationError) -> Settings {
        try Settings.load(service: service, keys: keys, environment: environment, overrides: overrides)
    }

    /// Runs a process from its arguments to its exit status.
    ///
    /// It reads the configuration, starts logging, metrics and the operations server, calls `assemble`, and
    /// runs the services until one ends or a signal comes. It exits with 0 after SIGTERM or SIGINT, with 78
    /// and one line on standard error for a ``ConfigurationError`` from wherever, with 70 and one critical
    /// log line otherwise.
    ///
    /// - Parameters:
    ///   - name: The service's name in ``ServiceCatalogue``.
    ///   - keys: The keys that it reads, shared ones excepted.
    ///   - arguments: Without the program's name; `nil` takes the process's.
    ///   - overrides: Values by key that win over environment and file.
    ///   - assemble: Makes the services in the order of their dependencies; they are stopped backwards.
    package static func run(
        _ name: String, keys: [ConfigurationKey] = [], arguments: [String]? = nil,
        overrides: [String: String] = [:],
        assemble: @escaping @Sendable (ServiceProcess) async throws -> [any Service]
    ) async -> Never {
        let launch = ProcessLaunch(
            name: name, keys: keys, arguments: arguments ?? Array(CommandLine.arguments.dropFirst()),
            overrides: overrides)
        ProcessExit.now(await launch.run(assemble: assemble))
    }

    /// The same for a program that takes arguments of its own.
    ///
    /// - Parameters:
    ///   - name: The service's name in ``ServiceCatalogue``.
    ///   - keys: The keys that it reads, shared ones excepted.
    ///   - options: Its arguments, each of which sets a key.
    ///   - assemble: Makes the services in the order of their dependencies; they are stopped backwards.
    package static func run(
        _ name: String, keys: [ConfigurationKey], options: [ProcessOption],
        assemble: @escaping @Sendable (ServiceProcess) async throws -> [any Service]
    ) async -> Never {
        let launch = ProcessLaunch(
            name: name, keys: keys, arguments: Array(CommandLine.arguments.dropFirst()), overrides: [:],
            options: options)
        ProcessExit.now(await launch.run(assemble: assemble))
    }
}
