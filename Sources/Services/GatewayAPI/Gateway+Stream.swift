import GatewayFrame
import GatewayStream
import ServiceLifecycle

extension Gateway {
    /// Adds the stream; the services that it needs beside the server, in the order of their dependencies.
    mutating func addStream(_ view: MarketView) -> [any Service] {
        let server = services.requests.configuration
        var sources = StreamSources(services.database, view)
        sources.names = services.names
        let limits = StreamLimits(services.configuration.budgets, connectionLimit: server.connectionLimit)
        let hub = StreamHub(
            view, sources, marketIsPublic: server.marketIsPublic, limits: limits, logger: services.logger)
        stream = hub
        return [view, hub, RevocationWatch(hub: hub, database: services.database, clock: services.clock)]
    }

    /// What becomes of requests to upgrade to a WebSocket.
    var streamUpgrade: ConnectionUpgrade? {
        stream.map { StreamUpgrade(to: $0, admission).connectionUpgrade }
    }
}
