import Metrics

/// The metrics of one publisher, by its name.
struct PublisherMetrics {
    private var sent: CounterFeed
    private var bytes: CounterFeed
    private var refused: CounterFeed
    private var unheard: CounterFeed
    private var failed: CounterFeed
    private let waiting: Gauge

    init(producer: String) {
        let dimensions = [("producer", producer)]
        sent = CounterFeed("bus_messages_sent_total", dimensions)
        bytes = CounterFeed("bus_bytes_sent_total", dimensions)
        refused = CounterFeed("bus_messages_refused_total", dimensions)
        unheard = CounterFeed("bus_messages_unheard_total", dimensions)
        failed = CounterFeed("bus_messages_failed_total", dimensions)
        waiting = Gauge(label: "bus_publisher_waiting_batches_max", dimensions: dimensions)
    }

    mutating func report(_ counters: PublisherCounters) {
        sent.report(counters.sent)
        bytes.report(counters.sentBytes)
        refused.report(counters.refused)
        unheard.report(counters.unheard)
        failed.report(counters.failed &+ counters.oversized)
        waiting.record(counters.waitingBatchesMaximum)
    }
}
