package import Hosting
import MarketStore
package import Operations
package import ServiceLifecycle

extension BookBuilder {
    /// The schema `market`.
    package static let schemas = RequiredSchemas(
        of: [MarketSchema.migrator], alternative: "set store.enabled to false")

    /// The services of a book-builder in dependency order: to come after the bus context, the database and
    /// the broker.
    ///
    /// - Parameters:
    ///   - configuration: What is published and stored, and the bounds.
    ///   - frame: On the bus; its health gets the component `books`.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    /// - Precondition: The frame has a database unless ``BookBuildingConfiguration/isStoring`` is false.
    package static func services(
        _ configuration: BookBuildingConfiguration, in frame: ServiceFrame
    ) throws -> [any Service] {
        configuration.room?.report(to: frame.health, frame.logger)
        // A topic may move between instances: each numbers its messages for itself.
        let publisher = try frame.publisher("\(configuration.producer)-\(frame.instance)")
        // Heartbeats say whether a producer of books is there that says nothing else.
        let subscriber = try frame.subscriber(
            "book-builder", to: ["book.delta.", "book.snapshot.", "trade.", "ticker.day.", "heartbeat."])
        var services: [any Service] = [
            publisher, BookBuilder(configuration, publisher, subscriber, in: frame),
        ]
        if configuration.isStoring, configuration.fillsHistory {
            services.append(
                HistoryFill(
                    database: frame.database, restURL: configuration.backfillURL, now: frame.clock,
                    logger: frame.logger))
        }
        return services
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Parameters:
    ///   - process: What every process has.
    ///   - others: Makes further services of the process that use the same database; not asked without one.
    /// - Returns: All of them, in dependency order.
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func services(
        of process: ServiceProcess, and others: (ServiceFrame) throws -> [any Service] = { _ in [] }
    ) async throws -> [any Service] {
        let configuration = try BookBuildingConfiguration(settings: process.settings)
        let isStoring = configuration.isStoring
        let frame = try await ServiceFrame.open(process, schemas: isStoring ? schemas : nil)
        return try frame.services + services(configuration, in: frame) + (isStoring ? others(frame) : [])
    }
}
