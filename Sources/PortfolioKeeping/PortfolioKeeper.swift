import Bus
import Instruments
import Logging
import Operations
import Portfolio
import PortfolioStore
public import ServiceLifecycle
import Store
import Synchronization

/// Follows every portfolio and every index price; says what each portfolio is worth when that changes, and
/// keeps its daily history.
///
/// One instance is enough, and two say the same twice: portfolios are not shared out.
public final class PortfolioKeeper: Service {
    private let core: Mutex<KeeperCore>
    private let configuration: PortfolioKeepingConfiguration
    private let subscriber: Subscriber
    private let publisher: Publisher
    private let ledgers: LedgerReader
    private let database: Database
    private let health: HealthComponent
    private let status: KeeperStatus
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    init(
        configuration: PortfolioKeepingConfiguration, publisher: Publisher, subscriber: Subscriber,
        database: Database, health: HealthComponent, instance: String, logger: Logger,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.configuration = configuration
        self.publisher = publisher
        self.subscriber = subscriber
        self.database = database
        self.health = health
        self.logger = logger
        self.clock = clock
        ledgers = LedgerReader(database: database)
        core = Mutex(KeeperCore(publisher))
        status = KeeperStatus(publisher: publisher, instance: instance, started: clock())
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow() }
            group.addTask { await self.followBroker() }
            group.addTask { await self.followPortfolios() }
            group.addTask { await self.tick() }
            group.addTask { await self.keepHistory() }
            // The subscriber ends with graceful shutdown, the others with it.
            try await group.next()
            group.cancelAll()
        }
        core.withLock { $0.tell(at: clock()) }
        health.setReady(false, "stopped")
    }

    private func follow() async throws {
        try await subscriber.run { batch in self.core.withLock { $0.take(batch) } }
    }

    private func followBroker() async {
        for await event in publisher.events where event == .brokerAppeared {
            core.withLock { $0.forgetTold() }
        }
        // The stream ends with the publisher, which outlives us, or with our own cancellation.
        await pause(.seconds(86_400))
    }

    private func tick() async {
        var ticks = 0
        while !Task.isCancelled {
            await pause(configuration.publishInterval)
            let figures = core.withLock { core in
                core.tell(at: clock())
                return KeeperFigures(core)
            }
            ticks += 1
            if ticks % 2 == 0 { status.report(figures, publisher.counters, ledgers.failures) }
            let isReady = figures.isSynchronized && ledgers.isCurrent
            health.setReady(
                isReady, isReady ? "" : "waiting for \(figures.isSynchronized ? "PostgreSQL" : "the bus")")
        }
    }

    // MARK: Portfolios

    private func followPortfolios() async {
        for await event in database.listen(to: [PortfolioSchema.changeChannel]) {
            switch event {
            case .listening: await readAll()
            case .notification(_, let payload):
                guard let id = UniqueID(payload) else { continue }
                await read([PortfolioID(rawValue: id)])
            case .lost: ledgers.setCurrent(false)
            }
        }
    }

    /// Everything may have changed; tried again until it is known.
    private func readAll() async {
        while !Task.isCancelled {
            do {
                let all = try await ledgers.portfolios()
                core.withLock { $0.keep(only: Set(all.map(\.id))) }
                for portfolio in all { try await put(portfolio) }
                return ledgers.setCurrent(true)
            } catch {
                note(error)
                await pause(.seconds(1))
            }
        }
    }

    private func read(_ ids: [PortfolioID]) async {
        do {
            let found = try await ledgers.portfolios(ids)
            for id in ids where !found.contains(where: { $0.id == id }) {
                core.withLock { $0.remove(id) }
            }
            for portfolio in found { try await put(portfolio) }
        } catch {
            note(error)
            await readAll()
        }
    }

    private func put(_ portfolio: StoredPortfolio) async throws {
        guard core.withLock({ $0.change(of: portfolio.id) }) != portfolio.change else { return }
        let holdings = try await ledgers.holdings(of: portfolio.id)
        core.withLock { $0.put(portfolio, holdings) }
    }

    private func note(_ error: any Error) {
        ledgers.count()
        ledgers.setCurrent(false)
        logger.warning("A portfolio could not be read", metadata: ["error": "\(error)"])
    }

    // MARK: History

    /// Makes the days that are missing; a change of the past has removed those that it touched.
    private func keepHistory() async {
        // What was looked at is looked at again after a change, and once an hour: prices may have come.
        var seen: [PortfolioID: (change: Int64, hour: Int64)] = [:]
        while !Task.isCancelled {
            await pause(configuration.historyInterval)
            guard let all = try? await ledgers.portfolios() else { continue }
            let hour = clock().nanoseconds / 3_600_000_000_000
            for portfolio in all where !Task.isCancelled {
                if let last = seen[portfolio.id], last == (portfolio.change, hour) { continue }
                do {
                    try await ledgers.completeDays(of: portfolio, until: clock())
                    seen[portfolio.id] = (portfolio.change, hour)
                } catch {
                    logger.warning(
                        "The history of a portfolio could not be kept",
                        metadata: ["portfolio": "\(portfolio.id)", "error": "\(error)"])
                }
            }
        }
    }

    private func pause(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
