public import Logging
public import ServiceLifecycle
import Synchronization
import Threads

/// Follows topics of the bus, from a thread of its own, and knows what it missed.
///
/// It always drains its socket. Messages come out in batches through ``batches``; past its bound they are
/// dropped, counted, and reported as gaps of their topics. After subscribing and after every reconnection it
/// asks the broker for the retained state by itself.
public final class Subscriber: Service {
    /// The batches; for one consumer.
    public let batches: BusBatches

    private let context: BusContext
    private let configuration: SubscriberConfiguration
    private let logger: Logger
    private let wakeup: Wakeup
    private let mailbox: SubscriberMailbox
    private let latest = Mutex(SubscriberCounters())
    private let hasRun = Atomic<Bool>(false)

    /// A subscriber that receives once ``run()`` runs.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when the process may open no more files.
    public init(context: BusContext, configuration: SubscriberConfiguration, logger: Logger) throws(BusError)
    {
        self.context = context
        self.configuration = configuration
        self.logger = logger
        let wakeup = try BusError.wrap { () throws(ThreadError) in try Wakeup() }
        self.wakeup = wakeup
        mailbox = SubscriberMailbox(wakeup: wakeup)
        batches = BusBatches(
            channel: BatchChannel(limit: configuration.maximumWaitingMessages, wakeup: wakeup))
    }

    /// What was seen so far; at most a second old.
    public var counters: SubscriberCounters { latest.withLock { $0 } }

    /// Ends ``batches`` after what is waiting there.
    ///
    /// The consumer calls it when it is to stop; ``run()`` returns later, at its own turn.
    public func finish() { batches.channel.finish() }

    /// Wants these topics too, by their beginnings.
    ///
    /// Retained state under them is asked for and delivered.
    public func subscribe(_ prefixes: [String]) { mailbox.post(.subscribe(prefixes)) }

    /// Wants these no longer; each as it was subscribed.
    public func unsubscribe(_ prefixes: [String]) { mailbox.post(.unsubscribe(prefixes)) }

    /// Asks the broker for the retained messages under these prefixes again, each ending in a dot, as after a
    /// gap, or for one who follows a topic later than another does.
    ///
    /// What is retained is delivered even if it was before. Questions are put together, and repeated until
    /// they are answered. A book needs both its snapshot and its delta topic.
    public func requestState(_ prefixes: [String]) { mailbox.post(.requestState(prefixes)) }

    /// Receives until the end of the program.
    ///
    /// - Throws: ``BusError/addressInvalid(_:reason:)``, ``BusError/socketFailed(operation:code:)``.
    /// - Precondition: One of the `run` functions is called, once.
    public func run() async throws {
        let channel = batches.channel
        try await receive(
            offer: { channel.offer($0) }, hasRoom: { channel.hasRoom },
            mayReadAnswer: { channel.isHalfFreeOrSignals() })
    }

    /// Receives until the end of the program and calls `deliver` on the socket's own thread: one waking of a
    /// thread less than ``batches``, for work that never blocks.
    ///
    /// - Throws: As ``run()``.
    /// - Precondition: One of the `run` functions is called, once.
    public func run(delivering deliver: @escaping @Sendable (BusBatch) -> Void) async throws {
        try await receive(
            offer: {
                deliver($0)
                return true
            }, hasRoom: { true }, mayReadAnswer: { true })
    }

    private func receive(
        offer: @escaping @Sendable (BusBatch) -> Bool, hasRoom: @escaping @Sendable () -> Bool,
        mayReadAnswer: @escaping @Sendable () -> Bool
    ) async throws {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a subscriber runs once")
        // Whatever ends the thread, the consumer must not wait for it for ever.
        defer { finish() }
        let channel = batches.channel
        let callbacks = SubscriberLoop.Callbacks(
            offer: offer, hasRoom: hasRoom, mayReadAnswer: mayReadAnswer, highWater: { channel.highWater },
            counters: { counters in self.latest.withLock { $0 = counters } },
            log: { self.logger.info("\($0)", metadata: ["subscriber": "\(self.configuration.name)"]) })
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await NamedThread.run(name: self.configuration.name) { () throws(BusError) in
                var loop = try SubscriberLoop(
                    context: self.context, configuration: self.configuration, mailbox: self.mailbox,
                    wakeup: self.wakeup, callbacks: callbacks)
                do throws(BusError) {
                    try loop.run()
                } catch .contextEnded {}
            }
        } onCancelOrGracefulShutdown: {
            self.mailbox.stop()
        }
    }
}
