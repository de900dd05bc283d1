import AlertStore
package import Hosting
package import Operations
package import ServiceLifecycle

extension AlertEvaluator {
    /// The schema `alerts`, and those that it refers to.
    ///
    /// A process that stands still in a commit keeps its leases from others until its session ends.
    package static let schemas = RequiredSchemas(
        of: AlertSchema.migrators, idleInTransactionTimeout: .seconds(4))

    /// The services of an evaluator in dependency order: to come after the bus context, the database and the
    /// broker.
    ///
    /// - Parameters:
    ///   - configuration: The bounds and the times.
    ///   - frame: On the bus and with a database; its health gets the component `alerts`.
    /// - Returns: The publisher first, so that it is stopped last.
    /// - Throws: `BusError` when the process may open no more files, or the instance's name makes no topic.
    package static func services(
        _ configuration: AlertEvaluationConfiguration, in frame: ServiceFrame
    ) throws -> [any Service] {
        configuration.room?.report(to: frame.health, frame.logger)
        let publisher = try frame.publisher("\(service)-\(frame.instance)")
        // Heartbeats say whether a producer is there that says nothing else; the topics of instruments are
        // added with the rules.
        let subscriber = try frame.subscriber(service, to: ["heartbeat."])
        return [publisher, try AlertEvaluator(configuration, publisher, subscriber, in: frame)]
    }

    /// Everything that a process of its own needs, from its configuration.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    package static func services(of process: ServiceProcess) async throws -> [any Service] {
        let configuration = try AlertEvaluationConfiguration(settings: process.settings)
        let frame = try await ServiceFrame.open(process, schemas: schemas)
        return try frame.services + services(configuration, in: frame)
    }
}
