import Bus
import Instruments
import Version
import Wire

/// What the broker itself publishes: its heartbeat, its status, and the confirmation of subscriptions.
struct BrokerPublisher {
    /// A message ready to be sent.
    struct BrokerMessage {
        var topic: [UInt8]
        var envelope: [UInt8]
    }

    /// The broker's name as a producer.
    static let producer = "bus-broker"

    private let instance: String
    private let started: Timestamp
    private let prefix: [UInt8]
    private let heartbeatTopic: String
    private let statusTopic: String
    private var beats: UInt64 = 0
    private let emptyHeartbeat = EventEncoder.encode(.heartbeat(Bitpal_V1_Heartbeat()))

    init(instance: String, started: Timestamp) {
        self.instance = instance
        self.started = started
        prefix = EnvelopeHeader.prefix(producer: Self.producer, epoch: UInt64(clamping: started.nanoseconds))
        heartbeatTopic = Topic.heartbeat(producer: Self.producer)
        statusTopic = Topic.serviceStatus(service: Self.producer, instance: instance)
    }

    /// The status of this second and then the heartbeat that names it.
    mutating func beat(_ figures: BrokerFigures, _ store: RetainedStore, at time: Timestamp)
        -> [BrokerMessage]
    {
        beats += 1
        var heartbeat = Bitpal_V1_Heartbeat()
        heartbeat.topics = [statusTopic]
        heartbeat.sequences = [beats]
        heartbeat.topicCount = 1
        return [
            utter(
                EventEncoder.encode(.serviceStatus(status(figures, store))), Array(statusTopic.utf8), beats,
                time),
            utter(EventEncoder.encode(.heartbeat(heartbeat)), Array(heartbeatTopic.utf8), beats, time),
        ]
    }

    /// Tells the one subscriber of this topic that its subscriptions have arrived.
    func confirmation(on topic: UnsafeRawBufferPointer, at time: Timestamp) -> BrokerMessage {
        utter(emptyHeartbeat, Array(topic), 1, time)
    }

    private func status(_ figures: BrokerFigures, _ store: RetainedStore) -> Bitpal_V1_ServiceStatus {
        var status = Bitpal_V1_ServiceStatus()
        status.service = Self.producer
        status.instance = instance
        status.version = ProductVersion.text
        status.startedUnixNanos = started.nanoseconds
        status.isReady = true
        status.figures = [
            "messages_total": Int64(clamping: figures.messages),
            "bytes_total": Int64(clamping: figures.bytes),
            "messages_per_second": Int64(figures.messagesPerSecond),
            "bytes_per_second": Int64(figures.bytesPerSecond),
            "messages_malformed": Int64(clamping: figures.malformed),
            "messages_refused": Int64(clamping: figures.refused),
            "messages_missing": Int64(clamping: store.figures.missing),
            "topics": Int64(store.topicCount),
            "producers": Int64(store.producerCount),
            "topics_forgotten": Int64(clamping: store.figures.forgottenTopics),
            "producers_forgotten": Int64(clamping: store.figures.forgottenProducers),
            "subscriptions": Int64(figures.subscriptions),
            "books": Int64(store.bookCount),
            "books_incomplete": Int64(store.incompleteBookCount),
            "retained_messages": Int64(store.figures.retainedMessages),
            "retained_bytes": Int64(store.figures.retainedBytes),
            "retained_bytes_refused": Int64(clamping: store.figures.refusedBytes),
            "snapshots_asked": Int64(clamping: store.figures.snapshotsAsked),
            "state_requests": Int64(clamping: figures.stateRequests),
            "state_requests_malformed": Int64(clamping: figures.stateRequestsMalformed),
            "state_answers_abandoned": Int64(clamping: figures.stateAnswersAbandoned),
            "keys_refused": Int64(clamping: figures.refusals.strangers),
            "publications_refused": Int64(clamping: figures.refusals.publications),
            "subscriptions_refused": Int64(clamping: figures.refusals.subscriptions),
            "questions_refused": Int64(clamping: figures.refusals.questions),
            "names_refused": Int64(clamping: figures.refusals.names),
            "heartbeats_refused": Int64(
                clamping: figures.refusals.heartbeats &+ store.figures.foreignHeartbeats),
            "epochs_refused": Int64(clamping: store.figures.futureEpochs),
        ]
        return status
    }

    private func utter(_ payload: [UInt8], _ topic: [UInt8], _ sequence: UInt64, _ time: Timestamp)
        -> BrokerMessage
    {
        let headerSize = EnvelopeHeader.size(prefixCount: prefix.count)
        var envelope = [UInt8](repeating: 0, count: headerSize)
        envelope.withUnsafeMutableBytes {
            _ = EnvelopeHeader.write(prefix: prefix, sequence: sequence, publishedTime: time, into: $0)
        }
        return BrokerMessage(topic: topic, envelope: envelope + payload)
    }
}
