package import Hosting
import MarketStore
package import Operations
package import ServiceLifecycle

extension FeedIngestion {
    /// The schema `market`.
    package static let schemas = RequiredSchemas(
        of: [MarketSchema.migrator], alternative: "set store.enabled to false")

    /// The services of a feed-ingestor in dependency order: to come after the bus context, the database and
    /// the broker.
    ///
    /// - Parameters:
    ///   - configuration: What to connect to, and the bounds.
    ///   - frame: On the bus; feeds are spread over its loops, and its health gets one component per venue,
    ///     `feed.<venue>`.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: The frame has a database unless ``FeedIngestionConfiguration/isStoring`` is false.
    package static func services(
        _ configuration: FeedIngestionConfiguration, in frame: ServiceFrame
    ) throws -> [any Service] {
        configuration.room?.report(to: frame.health, frame.logger)
        // Venues go from one instance to another: of each there is one producer, whoever holds it, and what
        // an instance says of itself has another.
        let publisher = try frame.publisher("\(configuration.producer)-\(frame.instance)")
        // A command is for now: what was asked before is not answered.
        let control = try frame.subscriber(
            "feed-control", to: BusCommandResponder.prefixes, asksForState: false)
        return [publisher, control, FeedIngestion(configuration, publisher, control, in: frame)]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try FeedIngestionConfiguration(settings: process.settings)
        let frame = try await ServiceFrame.open(process, schemas: configuration.isStoring ? schemas : nil)
        return try frame.services + services(configuration, in: frame)
    }
}
