import Metrics

/// The metrics of one subscriber, by its name.
struct SubscriberMetrics {
    private var received: CounterFeed
    private var bytes: CounterFeed
    private var gaps: CounterFeed
    private var missing: CounterFeed
    private var dropped: CounterFeed
    private var malformed: CounterFeed
    private var recreated: CounterFeed
    private var forgottenTopics: CounterFeed
    private var forgottenProducers: CounterFeed
    private let waiting: Gauge

    init(name: String) {
        let dimensions = [("subscriber", name)]
        received = CounterFeed("bus_messages_received_total", dimensions)
        bytes = CounterFeed("bus_bytes_received_total", dimensions)
        gaps = CounterFeed("bus_gaps_total", dimensions)
        missing = CounterFeed("bus_messages_missing_total", dimensions)
        dropped = CounterFeed("bus_messages_dropped_total", dimensions)
        malformed = CounterFeed("bus_messages_malformed_total", dimensions)
        recreated = CounterFeed("bus_sockets_recreated_total", dimensions)
        forgottenTopics = CounterFeed("bus_topics_forgotten_total", dimensions)
        forgottenProducers = CounterFeed("bus_producers_forgotten_total", dimensions)
        waiting = Gauge(label: "bus_subscriber_waiting_messages_max", dimensions: dimensions)
    }

    mutating func report(_ counters: SubscriberCounters) {
        received.report(counters.received)
        bytes.report(counters.receivedBytes)
        gaps.report(counters.gaps)
        missing.report(counters.missing)
        dropped.report(counters.dropped)
        malformed.report(counters.malformed &+ counters.refused)
        recreated.report(counters.recreated)
        forgottenTopics.report(counters.forgottenTopics)
        forgottenProducers.report(counters.forgottenProducers)
        waiting.record(counters.waitingMessagesMaximum)
    }
}
