import Bus
import Metrics

/// What the broker has done since it was started, apart from what it remembers.
struct BrokerFigures: Hashable, Sendable {
    var messages: UInt64 = 0
    var bytes: UInt64 = 0
    var malformed: UInt64 = 0
    var refused: UInt64 = 0
    var subscriptions = 0
    var synchronizations: UInt64 = 0
    var stateRequests: UInt64 = 0
    var stateRequestsMalformed: UInt64 = 0
    var stateAnswersAbandoned: UInt64 = 0
    var messagesPerSecond = 0
    var bytesPerSecond = 0
    /// Of an encrypted bus.
    var refusals = BrokerGuard.Figures()
}

struct BrokerMetrics {
    private var messages = CounterFeed("bus_broker_messages_total", [])
    private var bytes = CounterFeed("bus_broker_bytes_total", [])
    private var malformed = CounterFeed("bus_broker_malformed_total", [])
    private var refused = CounterFeed("bus_broker_refused_total", [])
    private var missing = CounterFeed("bus_broker_missing_total", [])
    private var requests = CounterFeed("bus_broker_state_requests_total", [])
    private var malformedRequests = CounterFeed("bus_broker_state_requests_malformed_total", [])
    private var abandoned = CounterFeed("bus_broker_state_answers_abandoned_total", [])
    private var asked = CounterFeed("bus_broker_snapshots_asked_total", [])
    private var strangers = CounterFeed("bus_broker_keys_refused_total", [])
    private var publications = CounterFeed("bus_broker_publications_refused_total", [])
    private var subscriptions = CounterFeed("bus_broker_subscriptions_refused_total", [])
    private var questions = CounterFeed("bus_broker_questions_refused_total", [])
    private var names = CounterFeed("bus_broker_names_refused_total", [])
    private var heartbeats = CounterFeed("bus_broker_heartbeats_refused_total", [])
    private var epochs = CounterFeed("bus_broker_epochs_refused_total", [])
    private var forgottenTopics = CounterFeed("bus_broker_topics_forgotten_total", [])
    private var forgottenProducers = CounterFeed("bus_broker_producers_forgotten_total", [])
    private let topics = Gauge(label: "bus_broker_topics")
    private let producers = Gauge(label: "bus_broker_producers")
    private let retainedMessages = Gauge(label: "bus_broker_retained_messages")
    private let retainedBytes = Gauge(label: "bus_broker_retained_bytes")
    private let incompleteBooks = Gauge(label: "bus_broker_books_incomplete")

    mutating func report(_ figures: BrokerFigures, _ store: RetainedStore) {
        messages.report(figures.messages)
        bytes.report(figures.bytes)
        malformed.report(figures.malformed)
        refused.report(figures.refused)
        missing.report(store.figures.missing)
        requests.report(figures.stateRequests)
        malformedRequests.report(figures.stateRequestsMalformed)
        abandoned.report(figures.stateAnswersAbandoned)
        asked.report(store.figures.snapshotsAsked)
        strangers.report(figures.refusals.strangers)
        publications.report(figures.refusals.publications)
        subscriptions.report(figures.refusals.subscriptions)
        questions.report(figures.refusals.questions)
        names.report(figures.refusals.names)
        heartbeats.report(figures.refusals.heartbeats &+ store.figures.foreignHeartbeats)
        epochs.report(store.figures.futureEpochs)
        forgottenTopics.report(store.figures.forgottenTopics)
        forgottenProducers.report(store.figures.forgottenProducers)
        topics.record(store.topicCount)
        producers.record(store.producerCount)
        retainedMessages.record(store.figures.retainedMessages)
        retainedBytes.record(store.figures.retainedBytes)
        incompleteBooks.record(store.incompleteBookCount)
    }
}
