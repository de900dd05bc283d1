import Bus
import BusBroker
import Hosting
import Instruments
import Logging
import MarketData
import Operations
import ServiceLifecycle
import Store
import Support
import Synchronization
import Wire

@testable import BookBuilding

/// A broker on free ports of loopback, a feed that the test speaks for, and a reader of what the builder
/// says.
struct BuilderFixture: Sendable {
    let context: BusContext
    let addresses: BusAddresses

    /// Runs a broker while `body` runs.
    static func run(_ body: (BuilderFixture) async throws -> Void) async throws {
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "test",
            logger: TestDatabase.logger)
        try await running([broker]) {
            try await body(BuilderFixture(context: context, addresses: broker.bound()))
        }
    }

    /// The services of a builder, with its health.
    func builder(
        database: Database? = nil, health: HealthRegistry = HealthRegistry(),
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> [any Service] {
        var configuration = BookBuildingConfiguration()
        configuration.isStoring = database != nil
        configuration.isBackfilling = false
        let frame = ServiceFrame(
            instance: "test", logger: TestDatabase.logger, health: health, clock: clock)
        return try BookBuilder.services(
            configuration, in: frame.on(context, at: addresses).with(database))
    }

    func publisher(_ name: String, epoch: UInt64 = 0) throws -> Publisher {
        var configuration = PublisherConfiguration(producer: name, addresses: addresses)
        configuration.epoch = epoch
        return try Publisher(context: context, configuration: configuration, logger: TestDatabase.logger)
    }

    /// Reads live messages under the prefixes while `body` runs.
    func reading(_ prefixes: [String], _ body: (inout BookReader) async throws -> Void) async throws {
        let subscriber = try Subscriber(
            context: context,
            configuration: SubscriberConfiguration(name: "reader", addresses: addresses, prefixes: prefixes),
            logger: TestDatabase.logger)
        try await running([subscriber]) {
            var reader = BookReader(subscriber)
            try await reader.synchronized()
            try await body(&reader)
        }
    }

    /// What the broker keeps, decoded.
    func retained(_ prefixes: [String]) async throws -> [WireEvent] {
        let state = try await StateClient(context: context, addresses: addresses)
            .fetch(prefixes, timeout: .seconds(60))
        return try state.messages.map { try EnvelopeDecoder.decode($0.envelope).1 }
    }
}

/// Reads what is said about books, message by message.
struct BookReader {
    private var iterator: BusBatches.Iterator
    private var said: [(producer: String, event: WireEvent)] = []

    init(_ subscriber: Subscriber) { iterator = subscriber.batches.makeAsyncIterator() }

    /// Waits until nothing that is said from here on can be missed.
    mutating func synchronized() async throws {
        while let batch = await iterator.next() {
            for case .synchronized in batch.events { return }
        }
        throw PropertyFailure("the subscriber ended")
    }

    /// The next live message that `read` makes something of; it is told who said it.
    mutating func first<Value>(_ read: (String, WireEvent) -> Value?) async throws -> Value {
        while true {
            while !said.isEmpty {
                let (producer, event) = said.removeFirst()
                if let value = read(producer, event) { return value }
            }
            guard let batch = await iterator.next() else { throw PropertyFailure("the subscriber ended") }
            for case .message(let message) in batch.events where !message.isRetained {
                said.append((batch.producer(message.producer), try batch.decode(message)))
            }
        }
    }

    /// The next top, as in `live 100×2 101×1`.
    mutating func top() async throws -> String {
        try await first { _, event in
            guard case .bookTop(_, let top) = event else { return nil }
            func text(_ level: BookLevel?) -> String {
                level.map { " \($0.price.text(top.priceScale))×\($0.size.text(top.sizeScale))" } ?? ""
            }
            return top.state.name + text(top.bid) + text(top.ask)
        }
    }

    /// Waits for changed levels.
    mutating func delta() async throws {
        _ = try await first { _, event -> Bool? in
            if case .bookDelta = event { return true }
            return nil
        }
    }

    /// Skips tops until this one: a broker that has just appeared is told everything again.
    mutating func top(_ text: String) async throws {
        while try await top() != text {}
    }
}

/// A feed that says what the test wants.
struct TestFeed {
    let id: InstrumentID
    let publisher: Publisher
    private let delta: PublisherTopic
    private let whole: PublisherTopic

    init(_ id: InstrumentID, _ publisher: Publisher) throws {
        self.id = id
        self.publisher = publisher
        delta = try publisher.topic(Topic.bookDelta(id))
        whole = try publisher.topic(Topic.bookSnapshot(id))
    }

    /// Empties the book and says a whole one.
    func image(_ text: String, at seconds: Int64 = 1) throws {
        var batch = OutboundBatch()
        append(.syncing, .snapshotPending, to: &batch)
        var snapshot = try BookText(text).snapshot()
        snapshot.continues = delta.lastPosition
        snapshot.venueTime = Timestamp(nanoseconds: seconds * 1_000_000_000)
        batch.append(.bookSnapshot(id, snapshot), to: whole)
        publisher.offer(&batch)
    }

    func change(_ text: String, at seconds: Int64 = 1) throws {
        var batch = OutboundBatch()
        var message = try BookText(text).delta()
        message.venueTime = Timestamp(nanoseconds: seconds * 1_000_000_000)
        batch.append(.bookDelta(id, message), to: delta)
        publisher.offer(&batch)
    }

    /// Says changed levels that never arrive.
    func lose(_ text: String) throws {
        var batch = OutboundBatch()
        batch.append(.bookDelta(id, try BookText(text).delta()), to: delta)
        batch.removeAll()
    }

    /// Says something that is too large to be sent: its number is used up, and only a heartbeat tells of it.
    func sayTooMuch() {
        var batch = OutboundBatch()
        batch.append([UInt8](repeating: 0, count: 5 << 20), to: delta)
        publisher.offer(&batch)
    }

    func declare(_ state: BookState, _ reason: BookStateReason) {
        var batch = OutboundBatch()
        append(state, reason, to: &batch)
        publisher.offer(&batch)
    }

    private func append(_ state: BookState, _ reason: BookStateReason, to batch: inout OutboundBatch) {
        batch.append(
            .bookStateChange(id, BookStateChange(state: state, reason: reason, receivedTime: .zero)),
            to: delta)
    }
}

extension Publisher {
    /// Waits until a broker takes messages.
    func waitForBroker() async throws {
        for await event in events where event == .brokerAppeared { return }
        throw PropertyFailure("the publisher ended before a broker appeared")
    }
}

/// A clock that the test moves.
final class TestClock: Sendable {
    private let time = Atomic<Int64>(1_000_000_000_000)

    var now: @Sendable () -> Timestamp { { Timestamp(nanoseconds: self.time.load(ordering: .relaxed)) } }

    func advance(seconds: Int64) { time.add(seconds * 1_000_000_000, ordering: .relaxed) }
}
