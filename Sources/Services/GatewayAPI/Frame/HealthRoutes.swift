import Hummingbird
import Operations

/// What the gateway says of itself on the public port: no more than whether.
private struct HealthAnswer: Encodable {
    var status: String
}

extension Gateway {
    /// `/health/live`, `/health/ready`, `/health/fresh`; reasons are on the operations port.
    func addHealthRoutes(to routes: RouteTable) {
        let health = services.health
        routes.get("/health/live", .anonymous, query: nil) { _, _ in .json(HealthAnswer(status: "live")) }
        routes.get("/health/ready", .anonymous, query: nil) { _, _ in
            let isReady = health.report.isReady
            return .json(
                HealthAnswer(status: isReady ? "ready" : "not ready"),
                status: isReady ? .ok : .serviceUnavailable)
        }
        routes.get("/health/fresh", .anonymous, query: nil) { _, _ in
            let isFresh = health.report.isFresh
            return .json(
                HealthAnswer(status: isFresh ? "fresh" : "not fresh"),
                status: isFresh ? .ok : .serviceUnavailable)
        }
    }
}
