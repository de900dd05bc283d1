import CoreMetrics
import Logging
import Synchronization

/// The process's logger and metrics, which swift-log and swift-metrics allow to be set once.
enum Backends {
    private static let started = Mutex<MetricsRegistry?>(nil)

    /// Sets both backends, or returns them when that was done already.
    static func start(service: String, level: Logger.Level) -> (logger: Logger, metrics: MetricsRegistry) {
        let metrics = started.withLock { started in
            if let started { return started }
            let registry = MetricsRegistry()
            MetricsSystem.bootstrap(registry)
            LoggingSystem.bootstrap { _ in LogfmtHandler(service: service, level: level) }
            started = registry
            return registry
        }
        return (Logger(label: service), metrics)
    }
}
