import Bus
import Hosting
import Instruments
import Logging
import MarketStore
import Operations
import ServiceLifecycle
import Store
import Synchronization
import Wire

/// Follows every book and every trade of the bus; of the instruments that it owns it publishes the best
/// prices, depth, whole books, candles and tickers, and stores candles and the last book of each minute.
///
/// On graceful shutdown everything that was received is applied, told and stored.
package final class BookBuilder: Service {
    // Batches are taken on the subscriber's own thread, with the state behind a lock, and not handed to an
    // actor: waking a second thread costs some 20 µs where a delta costs one, and the lock, which nobody
    // else holds but for a tick four times a second, costs 10 ns a batch.
    private let core: Mutex<BuilderCore>
    private let subscriber: Subscriber
    private let publisher: Publisher
    private let storage: BuilderStorage?
    private let health: HealthComponent
    private let status: BuilderStatus
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    private static let tickInterval = Duration.milliseconds(100)

    init(
        _ configuration: BookBuildingConfiguration, _ publisher: Publisher, _ subscriber: Subscriber,
        in frame: ServiceFrame
    ) {
        self.publisher = publisher
        self.subscriber = subscriber
        health = frame.health.component("books")
        logger = frame.logger
        clock = frame.clock
        let storage =
            configuration.isStoring
            ? BuilderStorage(
                frame.database, configuration, member: "\(frame.instance)-\(publisher.epoch)",
                logger: frame.logger)
            : nil
        self.storage = storage
        status = BuilderStatus(publisher: publisher, instance: frame.instance, started: clock())
        core = Mutex(
            BuilderCore(
                configuration: configuration, publisher: publisher, archive: storage?.books,
                candles: storage?.candles, reads: storage?.reads, mends: storage?.mends,
                requestState: { subscriber.requestState($0) }))
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    package func run() async throws {
        if storage == nil { logger.warning("No books and candles are stored: store.enabled is false.") }
        async let storing: Void = store()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.follow() }
                group.addTask { await self.tick() }
                group.addTask { await self.followBroker() }
                group.addTask { await self.keepUp() }
                // The subscriber ends with graceful shutdown, the others with it.
                try await group.next()
                group.cancelAll()
            }
        } catch {
            storage?.finish()
            throw error
        }
        core.withLock { $0.finish(at: clock()) }
        storage?.finish()
        await storing
        await storage?.keeper.leave()
        health.setReady(false, "stopped")
    }

    private func store() async { await storage?.write() }

    /// Everything that PostgreSQL is asked besides storing.
    private func keepUp() async {
        guard let storage else {
            // Nothing to do until the others end.
            try? await Task.sleep(for: .seconds(86_400 * 365))
            return
        }
        await storage.keepUp { word in
            let now = self.clock()
            self.core.withLock { core in
                switch word {
                case .claims: core.own(storage.ownership.claims(at: .now), at: now)
                case .answer(let answer): core.take(answer, at: now)
                case .reading(let request, let reading): core.take(reading, to: request, at: now)
                case .instruments(let instruments): core.describe(instruments)
                case .tapes(let ids): core.meet(ids)
                }
            }
        } needsInstruments: {
            self.core.withLock { $0.hasUndescribed }
        }
    }

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
                // Asked under the lock: what was given up meanwhile must not be owned once more.
                if let claims = storage?.ownership.claims(at: .now) { core.own(claims, at: now) }
                core.tick(at: now)
                return ticks % 10 == 0 ? BuilderFigures(core, at: now) : nil
            }
            ticks += 1
            guard var figures else { continue }
            figures.archive = storage?.books.figures ?? .init()
            figures.candleArchive = storage?.candles.figures ?? .init()
            figures.violations = storage?.ownership.violations ?? 0
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
