import Bus
import Glibc
import Instruments
import Logging
import Operations
import ServiceLifecycle
import UnixSignals
import Wire

/// A retained message of the broker, decoded.
struct RetainedEvent: Sendable {
    var topic: String
    var header: MessageHeader
    var event: WireEvent
}

/// The bus as a command uses it: asks for what is retained, or follows topics until it has seen enough.
struct BusClient: Sendable {
    let context: BusContext
    let addresses: BusAddresses
    let logger: Logger

    /// - Throws: `BusError` when the process may open no more files, or BITPAL_BUS_KEY_FILE is of no use.
    init(_ addresses: BusAddresses, context: BusContext? = nil, logger: Logger = .silent) throws {
        self.context = try context ?? BusContext(keys: Self.keys())
        self.addresses = addresses
        self.logger = logger
    }

    /// What commands show to an encrypted bus.
    private static func keys() throws -> BusKeys? {
        try Settings.ofCommand()[SharedSettings.busKeyFile].map { try BusKeys(file: $0) }
    }

    /// What the broker retains under some prefixes; messages that make no sense are left out.
    ///
    /// - Throws: ``CommandFailure`` when the broker does not answer.
    func state(
        _ prefixes: [String], timeout: Duration = .seconds(2)
    ) async throws -> (events: [RetainedEvent], incomplete: [String]) {
        let state: RetainedState
        do {
            state = try await StateClient(context: context, addresses: addresses).fetch(
                prefixes, timeout: timeout)
        } catch {
            guard case .stateUnavailable = error else { throw error }
            throw CommandFailure(
                .unreachable,
                "no bus answers at \(addresses.state); is `bitpal up` running?"
                    + (context.hasKeys ? " Does it know the key of BITPAL_BUS_KEY_FILE?" : ""))
        }
        let events = state.messages.compactMap { message -> RetainedEvent? in
            // What a newer version says is none of what is asked for here.
            guard let (header, event) = try? EnvelopeDecoder.decode(message.envelope) else { return nil }
            return RetainedEvent(topic: message.topic, header: header, event: event)
        }
        return (events, state.incomplete)
    }

    /// A subscriber of this client's bus.
    ///
    /// - Throws: `BusError` when the process may open no more files.
    func subscriber(_ prefixes: [String], name: String) throws -> Subscriber {
        try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(name: name, addresses: addresses, prefixes: prefixes),
            logger: logger)
    }

    /// Follows topics until the closure, which gets every batch, answers that it has seen enough, or until
    /// the time is over.
    ///
    /// - Throws: What the closure or the bus throws.
    func follow(
        _ prefixes: [String], atMost limit: Duration,
        _ take: (BusBatch, Subscriber) throws -> Bool
    ) async throws {
        let subscriber = try subscriber(prefixes, name: "bitpal-follow")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await subscriber.run() }
            group.addTask {
                try await Task.sleep(for: limit)
                subscriber.finish()
            }
            defer { group.cancelAll() }
            for await batch in subscriber.batches where try take(batch, subscriber) { return }
        }
    }

    /// Runs a subscriber and what consumes it until the consumer ends, or until Ctrl-C or SIGTERM.
    ///
    /// - Throws: What one of them throws.
    func run(_ subscriber: Subscriber, _ consumer: some Service) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: context), .init(service: subscriber),
                .init(
                    service: consumer, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: .silent)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        try await ServiceGroup(configuration: configuration).run()
    }
}

extension Logger {
    /// Says nothing: what a command has to say is its output.
    static var silent: Logger { Logger(label: "bitpal") { _ in SwiftLogNoOpLogHandler() } }
}

extension Timestamp {
    /// The time of day.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
