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

    private struct Voices {
        /// By the place of their lives; the first is the publisher's own, a place that is free is `nil`.
        var all: [PublisherVoice?] = []
        /// The last life of each producer that was given a voice.
        var epochs: [String: UInt64] = [:]
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
    /// In its own name.
    package let voice: PublisherVoice
    private let eventContinuation: AsyncStream<PublisherEvent>.Continuation
    private let voices: Mutex<Voices>
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
        let life = PublisherLife(producer, epoch: epoch) { true }
        heartbeatTopic = PublisherTopic(text: Topic.heartbeat(producer: producer), index: 0, of: life)
        let voice = PublisherVoice(
            life, heartbeat: heartbeatTopic, queue, maximumTopics: configuration.maximumTopics)
        self.voice = voice
        voices = Mutex(Voices(all: [voice]))
        (events, eventContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    /// Whether a broker takes the messages now.
    public var isBrokerPresent: Bool { shared.withLock { $0.isPresent } }

    /// What was done so far; at most a second old.
    public var counters: PublisherCounters { shared.withLock { $0.counters } }

    /// The topic with this text, the same object for the same text.
    ///
    /// - Throws: ``BusError/malformedTopic(_:)`` unless it has 1...255 bytes and ends in a dot;
    ///   ``BusError/tooManyTopics(limit:)``.
    public func topic(_ text: String) throws(BusError) -> PublisherTopic { try voice.topic(text) }

    /// Begins to speak in another name as well, in a life that is later than all before.
    ///
    /// - Parameters:
    ///   - producer: Its name, 1...127 bytes.
    ///   - mayGoOn: Whether it has a say, asked before each batch of it is sent, on the publisher's thread.
    ///     Once it has not, nothing more of it is sent, whatever waits: others may speak for it.
    /// - Returns: The voice.
    package func begin(
        _ producer: String, while mayGoOn: @escaping @Sendable () -> Bool = { true }
    ) -> PublisherVoice {
        let now = UInt64(clamping: configuration.clock().nanoseconds)
        return voices.withLock { voices in
            // A name has one life at a time, also where the lease of the former one still holds.
            for old in voices.all where old?.producer == producer { old?.end() }
            let slot =
                voices.all.indices.first { voices.all[$0]?.isOver ?? true } ?? voices.all.count
            let last = voices.epochs[producer] ?? epoch
            let life = PublisherLife(producer, epoch: max(now, last + 1), slot: slot, while: mayGoOn)
            voices.epochs[producer] = life.epoch
            let heartbeat = PublisherTopic(text: Topic.heartbeat(producer: producer), index: 0, of: life)
            let voice = PublisherVoice(
                life, heartbeat: heartbeat, queue, maximumTopics: configuration.maximumTopics)
            if slot == voices.all.count { voices.all.append(voice) } else { voices.all[slot] = voice }
            return voice
        }
    }

    /// Ends a topic with a message that holds no event: the broker keeps nothing of it any more, and
    /// everybody forgets its name.
    ///
    /// For what does not come again, such as the valuation of a portfolio that was deleted. The topic's owner
    /// calls it after the last batch with a message of it; asked for again, the text is another topic. Of
    /// topics of the publisher's own voice only.
    ///
    /// - Returns: False when too much is waiting already: it has not ended then.
    @discardableResult
    public func end(_ topic: PublisherTopic) -> Bool { voice.end(topic) }

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
            context: context, configuration: configuration, heartbeatTopic: heartbeatTopic,
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
        guard voices.withLock({ $0.all.contains { $0?.has(topic) == true } }) else { return }
        say(.snapshotWanted(topic: topic))
    }
}
