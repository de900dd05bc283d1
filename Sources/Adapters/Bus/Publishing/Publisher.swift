import Instruments
public import Logging
public import ServiceLifecycle
import Synchronization
import Threads
import Wire

/// Publishes messages to the bus, from a thread of its own.
///
/// Owners of topics append messages to an ``OutboundBatch``, which numbers them, and hand batches over here.
/// Nothing blocks: what cannot be taken is refused, counted, and a gap for every subscriber. A heartbeat goes
/// out every second.
public final class Publisher: Service {
    /// Who publishes.
    public let producer: String
    /// Which life of the producer this is.
    public let epoch: UInt64
    /// What the publisher learns about the broker.
    ///
    /// For one consumer; holds the oldest 256 events.
    public let events: AsyncStream<PublisherEvent>

    private struct Topics {
        var byText: [String: PublisherTopic] = [:]
        /// Numbers of topics that have ended.
        var free: [Int] = []
        var ended = EndedTopics()
    }

    private struct Shared {
        var counters = PublisherCounters()
        var isPresent = false
        /// An appearance that found the stream full: it is said again with the next beat.
        var owesAppearance = false
    }

    private let context: BusContext
    private let configuration: PublisherConfiguration
    private let logger: Logger
    private let queue: PublisherQueue
    private let wakeup: Wakeup
    private let heartbeatTopic: PublisherTopic
    private let eventContinuation: AsyncStream<PublisherEvent>.Continuation
    private let topics = Mutex(Topics())
    private let shared = Mutex(Shared())
    private let hasRun = Atomic<Bool>(false)

    /// A publisher that sends once ``run()`` runs.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when the process may open no more files.
    /// - Precondition: The producer's name has 1...127 bytes.
    public init(context: BusContext, configuration: PublisherConfiguration, logger: Logger) throws(BusError) {
        precondition(
            (1...127).contains(configuration.producer.utf8.count), "a producer's name is 1...127 bytes")
        self.context = context
        self.configuration = configuration
        self.logger = logger
        producer = configuration.producer
        let started = UInt64(clamping: configuration.clock().nanoseconds)
        epoch = configuration.epoch != 0 ? configuration.epoch : started
        wakeup = try BusError.wrap { () throws(ThreadError) in try Wakeup() }
        queue = PublisherQueue(
            maximumBatches: configuration.maximumWaitingBatches,
            maximumBytes: configuration.maximumWaitingBytes,
            wakeup: wakeup)
        heartbeatTopic = PublisherTopic(
            text: Topic.heartbeat(producer: producer), index: 0, producer: producer, epoch: epoch)
        (events, eventContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
        topics.withLock { $0.byText[heartbeatTopic.text] = heartbeatTopic }
    }

    /// Whether a broker takes the messages now.
    public var isBrokerPresent: Bool { shared.withLock { $0.isPresent } }

    /// What was done so far; at most a second old.
    public var counters: PublisherCounters { shared.withLock { $0.counters } }

    /// The topic with this text, the same object for the same text.
    ///
    /// - Throws: ``BusError/malformedTopic(_:)`` unless it has 1...255 bytes and ends in a dot;
    ///   ``BusError/tooManyTopics(limit:)``.
    public func topic(_ text: String) throws(BusError) -> PublisherTopic {
        guard text.utf8.last == UInt8(ascii: "."), text.utf8.count <= 255 else { throw .malformedTopic(text) }
        let topic: PublisherTopic? = topics.withLock { topics in
            if let known = topics.byText[text] { return known }
            guard topics.byText.count < configuration.maximumTopics else { return nil }
            let new = PublisherTopic(
                text: text, index: topics.free.popLast() ?? topics.byText.count, producer: producer,
                epoch: epoch, after: topics.ended.take(text))
            topics.byText[text] = new
            return new
        }
        guard let topic else { throw .tooManyTopics(limit: configuration.maximumTopics) }
        return topic
    }

    /// Ends a topic with a message that holds no event: the broker keeps nothing of it any more, and
    /// everybody forgets its name.
    ///
    /// For what does not come again, such as the valuation of a portfolio that was deleted. The topic's owner
    /// calls it after the last batch with a message of it; asked for again, the text is another topic.
    ///
    /// - Returns: False when too much is waiting already: it has not ended then.
    @discardableResult
    public func end(_ topic: PublisherTopic) -> Bool {
        guard !topic.hasEnded else { return true }
        var batch = OutboundBatch()
        batch.append([UInt8](), to: topic)
        topic.hasEnded = true
        guard queue.offer(&batch) else {
            topic.hasEnded = false
            return false
        }
        topics.withLock { topics in
            topics.byText[topic.text] = nil
            topics.free.append(topic.index)
            topics.ended.note(text: topic.text, last: topic.lastSequence)
        }
        return true
    }

    /// Hands a batch over without ever waiting, and leaves it empty with memory for the next one.
    ///
    /// - Returns: False when too much is waiting already: the messages are lost and counted, subscribers will
    ///   see a gap, and ``PublisherTopic/takeLoss()`` of every topic in the batch answers true once.
    @discardableResult
    public func offer(_ batch: inout OutboundBatch) -> Bool { queue.offer(&batch) }

    /// Hands a batch over as soon as there is room, while ``run()`` runs.
    ///
    /// - Returns: False when the publisher has ended: the messages are lost.
    @discardableResult
    public func publish(_ batch: consuming OutboundBatch) async -> Bool { await queue.waitToOffer(batch) }

    /// Throws away what waits: for measurements of what is offered, without ``run()``.
    package func discard() {
        guard let drained = queue.takeAll(orSleep: false) else { return }
        for batch in drained.batches { queue.recycle(batch) }
    }

    /// Sends until the end of the program; what was offered before that is still sent.
    ///
    /// - Throws: ``BusError/addressInvalid(_:reason:)``, ``BusError/socketFailed(operation:code:)``.
    /// - Precondition: Called once.
    public func run() async throws {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a publisher runs once")
        defer { eventContinuation.finish() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await NamedThread.run(name: "bus-publish") { () throws(BusError) in try self.send() }
        } onCancelOrGracefulShutdown: {
            self.queue.close()
        }
    }

    private func send() throws(BusError) {
        // Whoever waits for room must not wait for a thread that is gone.
        defer { queue.close() }
        var loop = try PublisherLoop(
            context: context, configuration: configuration, epoch: epoch, heartbeatTopic: heartbeatTopic,
            queue: queue, wakeup: wakeup,
            report: PublisherLoop.Report(
                counters: { counters in self.shared.withLock { $0.counters = counters } },
                presence: { self.note(isPresent: $0) },
                snapshotWanted: { self.wanted($0) },
                beat: { self.repeatAppearance() },
                refused: {
                    self.logger.error(
                        "The bus refuses this service's keys; look at BITPAL_BUS_KEY_FILE and `bitpal keys list`",
                        metadata: ["address": "\(self.configuration.addresses.publish)"])
                }))
        do {
            try loop.run()
        } catch .contextEnded {}
    }

    private func note(isPresent: Bool) {
        shared.withLock { $0.isPresent = isPresent }
        logger.info(
            isPresent ? "Broker appeared" : "Broker lost",
            metadata: ["address": "\(configuration.addresses.publish)"])
        say(isPresent ? .brokerAppeared : .brokerLost)
    }

    private func say(_ event: PublisherEvent) {
        guard case .dropped = eventContinuation.yield(event), event == .brokerAppeared else { return }
        shared.withLock { $0.owesAppearance = true }
    }

    private func repeatAppearance() {
        let owes = shared.withLock { shared in
            let owes = shared.owesAppearance && shared.isPresent
            shared.owesAppearance = false
            return owes
        }
        if owes { say(.brokerAppeared) }
    }

    /// The broker asks all publishers; only the one that has the topic passes it on.
    private func wanted(_ topic: String) {
        guard topics.withLock({ $0.byText[topic] != nil }) else { return }
        say(.snapshotWanted(topic: topic))
    }
}
