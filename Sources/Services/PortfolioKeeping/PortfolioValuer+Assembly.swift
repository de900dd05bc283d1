package import Hosting
package import Operations
import PortfolioStore
package import ServiceLifecycle

extension PortfolioValuer {
    /// The schema `portfolio`, and those that it refers to.
    package static let schemas = RequiredSchemas(of: PortfolioSchema.migrators)

    /// The services in dependency order: to come after the bus context, the database and the broker.
    ///
    /// - Parameters:
    ///   - configuration: What is said, and how often.
    ///   - frame: On the bus and with the database where portfolios are; its health gets the component
    ///     `portfolios`.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files.
    package static func services(
        _ configuration: PortfolioKeepingConfiguration, in frame: ServiceFrame
    ) throws -> [any Service] {
        let publisher = try frame.publisher("\(configuration.producer)-\(frame.instance)")
        // Heartbeats say whether the one who made a price is still there.
        let subscriber = try frame.subscriber(
            "portfolio-service", to: ["index.", "market.tickers.", "heartbeat."])
        return [publisher, PortfolioValuer(configuration, publisher, subscriber, in: frame)]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try PortfolioKeepingConfiguration(settings: process.settings)
        let frame = try await ServiceFrame.open(process, schemas: schemas)
        return try frame.services + services(configuration, in: frame)
    }
}
