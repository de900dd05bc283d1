import AlertStore
import Channels
import Instruments
import Metrics

/// What a notifier counts.
struct NotifierMetrics {
    let claimed = Counter(label: "notifier_deliveries_claimed_total")
    let gathered = Counter(label: "notifier_firings_gathered_total")
    let dropped = Counter(label: "notifier_claims_dropped_total")
    let attemptTime = Timer(label: "notifier_attempt_duration_seconds")
    private let running = Gauge(label: "notifier_attempts_running")
    private let waiting = Gauge(label: "notifier_deliveries_waiting")
    private let open = Gauge(label: "notifier_receivers_left_alone")

    func record(running: Int, waiting: Int, open: Int) {
        self.running.record(running)
        self.waiting.record(waiting)
        self.open.record(open)
    }

    /// Both labels are of a few words.
    func count(_ outcome: String, _ delivery: Delivery) {
        Counter(
            label: "notifier_attempts_total",
            dimensions: [("outcome", outcome), ("kind", delivery.channel.kind.rawValue)]
        ).increment()
    }
}
