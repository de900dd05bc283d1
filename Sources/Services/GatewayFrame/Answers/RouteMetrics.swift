import Metrics
import Synchronization

/// How often each route was asked, how long it took, and how it ended.
final class RouteMetrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var method: String
        var outcome: Int
    }

    private let timers = Mutex<[Key: Timer]>([:])

    /// Counts an answer; the routes are ours, so that the labels are bounded.
    func record(route: String, method: String, status: Int, nanoseconds: Int64) {
        // Methods are anybody's words where no route was found.
        let key = Key(route: route, method: route == "none" ? "any" : method, outcome: status / 100)
        let timer = timers.withLock { timers in
            if let timer = timers[key] { return timer }
            let timer = Timer(
                label: "gateway_request_duration_seconds",
                dimensions: [
                    ("route", key.route), ("method", key.method), ("status", "\(key.outcome)xx"),
                ])
            timers[key] = timer
            return timer
        }
        timer.recordNanoseconds(nanoseconds)
    }
}
