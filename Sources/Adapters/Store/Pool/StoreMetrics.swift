import Metrics

/// The metrics of one database pool, made once.
struct StoreMetrics: Sendable {
    private let succeeded: Timer
    private let failed: Timer
    private let cancelled: Timer
    private let connections: Gauge
    private let busy: Gauge
    private let waiting: Gauge
    private let waitingHighest: Gauge
    let refused: Counter
    let timedOut: Counter
    let connects: Counter
    let connectFailures: Counter
    let connectionsLost: Counter
    let retries: Counter

    /// - Parameter pool: Its label; without one where it is empty.
    init(pool: String) {
        let labels = pool.isEmpty ? [] : [("pool", pool)]
        func timer(_ outcome: String) -> Timer {
            Timer(
                label: "store_query_duration_seconds", dimensions: [("outcome", outcome)] + labels,
                preferredDisplayUnit: .seconds)
        }
        (succeeded, failed, cancelled) = (timer("ok"), timer("error"), timer("cancelled"))
        connections = Gauge(label: "store_pool_connections", dimensions: labels)
        busy = Gauge(label: "store_pool_busy_connections", dimensions: labels)
        waiting = Gauge(label: "store_pool_waiting_calls", dimensions: labels)
        waitingHighest = Gauge(label: "store_pool_waiting_calls_max", dimensions: labels)
        refused = Counter(label: "store_pool_refused_total", dimensions: labels)
        timedOut = Counter(label: "store_pool_timed_out_total", dimensions: labels)
        connects = Counter(label: "store_connects_total", dimensions: labels)
        connectFailures = Counter(label: "store_connect_failures_total", dimensions: labels)
        connectionsLost = Counter(label: "store_connections_lost_total", dimensions: labels)
        retries = Counter(label: "store_transaction_retries_total", dimensions: labels)
    }

    /// Notes one statement: how long it took and how it ended.
    func record(_ duration: Duration, _ error: StoreError?) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        switch error {
        case nil: succeeded.recordNanoseconds(nanoseconds)
        case .cancelled: cancelled.recordNanoseconds(nanoseconds)
        default: failed.recordNanoseconds(nanoseconds)
        }
    }

    /// Shows the pool's present state.
    func show(_ statistics: PoolStatistics) {
        connections.record(Int64(statistics.connections))
        busy.record(Int64(statistics.busy))
        waiting.record(Int64(statistics.waiting))
        waitingHighest.record(Int64(statistics.waitingHighest))
    }
}
