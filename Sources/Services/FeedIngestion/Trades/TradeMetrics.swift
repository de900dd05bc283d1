import Metrics

/// What an operator sees of the way to PostgreSQL.
struct TradeMetrics {
    let stored = Counter(label: "feed_trades_stored_total")
    let rejected = Counter(label: "feed_trades_rejected_total")
    let abandoned = Counter(label: "feed_trades_abandoned_total")
    let holes = Counter(label: "feed_store_holes_total")
    let retries = Counter(label: "feed_store_retries_total")
    let short = Gauge(label: "feed_store_disk_short")
    private let waiting = Gauge(label: "feed_trades_waiting")
    private let waitingMaximum = Gauge(label: "feed_trades_waiting_max")

    func report(_ figures: WriteQueue.Figures) {
        waiting.record(figures.waiting)
        waitingMaximum.record(figures.highWater)
    }
}
