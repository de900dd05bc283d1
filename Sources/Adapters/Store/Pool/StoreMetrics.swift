import Metrics

/// The metrics of one database pool, made once.
struct StoreMetrics: Sendable {
    private let succeeded = Timer(
        label: "store_query_duration_seconds", dimensions: [("outcome", "ok")], preferredDisplayUnit: .seconds
    )
    private let failed = Timer(
        label: "store_query_duration_seconds", dimensions: [("outcome", "error")],
        preferredDisplayUnit: .seconds)
    private let cancelled = Timer(
        label: "store_query_duration_seconds", dimensions: [("outcome", "cancelled")],
        preferredDisplayUnit: .seconds)
    private let connections = Gauge(label: "store_pool_connections")
    private let busy = Gauge(label: "store_pool_busy_connections")
    private let waiting = Gauge(label: "store_pool_waiting_calls")
    private let waitingHighest = Gauge(label: "store_pool_waiting_calls_max")
    let refused = Counter(label: "store_pool_refused_total")
    let timedOut = Counter(label: "store_pool_timed_out_total")
    let connects = Counter(label: "store_connects_total")
    let connectFailures = Counter(label: "store_connect_failures_total")
    let connectionsLost = Counter(label: "store_connections_lost_total")
    let retries = Counter(label: "store_transaction_retries_total")

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
