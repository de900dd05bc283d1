import Bus
import Instruments
import Logging
import MarketStore
import Operations
public import ServiceLifecycle
import Store
import Synchronization
import Wire

/// Follows every book of the bus and publishes its best prices, at intervals the whole of it, and stores the
/// last of each minute.
///
/// On graceful shutdown everything that was received is applied, told and stored.
public final class BookBuilder: Service {
    // Batches are taken on the subscriber's own thread, with the state behind a lock, and not handed to an
    // actor: waking a second thread costs some 20 µs where a delta costs one, and the lock, which nobody
    // else holds but for a tick four times a second, costs 10 ns a batch.
    private let core: Mutex<BuilderCore>
    private let subscriber: Subscriber
    private let publisher: Publisher
    private let archive: SnapshotArchive?
    private let queue: ArchiveQueue?
    private let health: HealthComponent
    private let status: BuilderStatus
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    private static let tickInterval = Duration.milliseconds(250)

    init(
        configuration: BookBuildingConfiguration, publisher: Publisher, subscriber: Subscriber,
        database: Database?,
        health: HealthComponent, instance: String, logger: Logger, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.publisher = publisher
        self.subscriber = subscriber
        self.health = health
        self.logger = logger
        self.clock = clock
        let queue = database == nil ? nil : ArchiveQueue(maximumLevels: configuration.maximumWaitingLevels)
        self.queue = queue
        archive = database.flatMap { database in
            queue.map { SnapshotArchive(database: database, queue: $0, logger: logger) }
        }
        status = BuilderStatus(publisher: publisher, instance: instance, started: clock())
        core = Mutex(
            BuilderCore(
                configuration: configuration, publisher: publisher, archive: queue,
                requestState: { subscriber.requestState($0) }))
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    public func run() async throws {
        if archive == nil { logger.warning("No books are stored: store.enabled is false.") }
        async let storing: Void = store()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.follow() }
                group.addTask { await self.tick() }
                group.addTask { await self.followBroker() }
                // The subscriber ends with graceful shutdown, the others with it.
                try await group.next()
                group.cancelAll()
            }
        } catch {
            queue?.finish()
            throw error
        }
        core.withLock { $0.finish(at: clock()) }
        queue?.finish()
        await storing
        health.setReady(false, "stopped")
    }

    private func store() async { await archive?.run() }

    private func follow() async throws {
        try await subscriber.run { batch in
            self.core.withLock { $0.take(batch, at: self.clock()) }
        }
    }

    private func followBroker() async {
        for await event in publisher.events {
            core.withLock { $0.take(event, at: clock()) }
        }
        // The stream ends with the publisher, which outlives us, or with our own cancellation.
        try? await Task.sleep(for: .seconds(86_400))
    }

    private func tick() async {
        var ticks = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tickInterval)
            let now = clock()
            let figures = core.withLock { core in
                core.tick(at: now)
                return ticks % 4 == 0 ? BuilderFigures(core, at: now) : nil
            }
            ticks += 1
            guard var figures else { continue }
            figures.archive = queue?.figures ?? .init()
            figures.gaps = subscriber.counters.gaps
            status.report(figures, publisher.counters)
            judge(figures)
        }
    }

    private func judge(_ figures: BuilderFigures) {
        health.setReady(figures.isSynchronized, figures.isSynchronized ? "" : "waiting for the bus")
        if let first = figures.unexplained.first {
            let others = figures.unexplained.count - 1
            health.setFresh(false, "\(first)\(others > 0 ? " and \(others) more" : "")")
        } else {
            health.setFresh(true, for: .seconds(5))
        }
    }
}
