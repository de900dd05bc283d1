import Bus
import Hosting
import Instruments
import Logging
import MarketStore
import Operations
import Portfolio
import PortfolioStore
import ServiceLifecycle
import Store
import Synchronization

/// Follows every portfolio and every index price; says what each portfolio is worth when that changes, and
/// keeps its daily history.
///
/// Instances share all portfolios by leases: one that dies is followed by the others within seconds.
package final class PortfolioValuer: Service {
    private let core: Mutex<ValuationCore>
    private let configuration: PortfolioKeepingConfiguration
    private let subscriber: Subscriber
    private let publisher: Publisher
    private let ledgers: LedgerReader
    private let keeper: LeaseKeeper
    private let rates: EuroRateUpdate
    private let backfill: DayBackfill?
    /// Asks for everything to be read again.
    private let rereading = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let database: Database
    private let health: HealthComponent
    private let status: ValuationStatus
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp

    init(
        _ configuration: PortfolioKeepingConfiguration, _ publisher: Publisher, _ subscriber: Subscriber,
        in frame: ServiceFrame
    ) {
        let (database, logger) = (frame.database, frame.logger)
        self.configuration = configuration
        self.publisher = publisher
        self.subscriber = subscriber
        self.database = database
        self.logger = logger
        health = frame.health.component("portfolios")
        clock = frame.clock
        ledgers = LedgerReader(database: database)
        // What was won is told no earlier than whoever told it last could have told it again.
        keeper = LeaseKeeper(
            database: database,
            term: LeaseTerm(
                service: "portfolio-service", instance: "\(frame.instance)-\(publisher.epoch)",
                duration: configuration.leaseDuration),
            silence: .ofAll(configuration.publishInterval), logger: logger)
        rates = EuroRateUpdate(
            database: database, address: configuration.ratesAddress, logger: logger, clock: clock)
        backfill =
            configuration.isBackfilling
            ? DayBackfill(database: database, root: configuration.backfillURL, logger: logger) : nil
        core = Mutex(ValuationCore(publisher))
        status = ValuationStatus(publisher: publisher, instance: frame.instance, started: clock())
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow() }
            group.addTask { await self.followBroker() }
            group.addTask { await self.followPortfolios() }
            group.addTask { await self.tick() }
            group.addTask { await self.keepHistory() }
            group.addTask { await self.keepLeases() }
            group.addTask { for await _ in self.rereading.stream { await self.readAll() } }
            group.addTask { await self.keepRates() }
            group.addTask { await self.keepMarkets() }
            // The subscriber ends with graceful shutdown, the others with it.
            try await group.next()
            group.cancelAll()
        }
        await keeper.leave()
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
                // The time is that of the look at the leases or before: what stands still in between says
                // nothing of later, when somebody else tells.
                let now = clock()
                core.publish(Set(keeper.ownership.claims(at: .now).epochs.keys), at: now)
                return ValuationFigures(core)
            }
            ticks += 1
            if core.withLock({ $0.fallDue(at: clock()) }) { rereading.continuation.yield() }
            if ticks % 2 == 0 { status.report(figures, publisher.counters, ledgers.failures) }
            let isReady = figures.isSynchronized && ledgers.isCurrent
            health.setReady(
                isReady, isReady ? "" : "waiting for \(figures.isSynchronized ? "PostgreSQL" : "the bus")")
        }
    }

    private func keepRates() async {
        let first = Shard(rawValue: 0)
        await rates.run(isMine: { keeper.ownership.claims(at: .now).epochs[first] != nil }) { newest in
            core.withLock { $0.take(newest, at: clock()) }
        }
    }

    /// Looks for the markets of what is held and no index prices: when that changes, and now and then, since
    /// venues list new ones.
    private func keepMarkets() async {
        var (last, rounds): (Set<Asset>?, Int) = (nil, 0)
        while !Task.isCancelled {
            let wanted = core.withLock { $0.unpriced }
            if wanted != last || rounds % 10 == 0 {
                let bases = wanted.map(\.rawValue).sorted()
                // What cannot be read now is asked for again with the next round.
                let markets = try? await database.withSession { session in
                    try session.instruments(ofBases: bases, .spot)
                }
                if let markets { core.withLock { $0.look(at: markets) } }
                last = markets == nil ? nil : wanted
            }
            rounds += 1
            await pause(.seconds(1))
        }
    }

    // MARK: Portfolios

    /// Takes note of leases, and has what was won read.
    private func keepLeases() async {
        var held: Set<Shard> = []
        await keeper.run { claims in
            let shards = Set(claims.epochs.keys)
            guard shards != held else { return }
            held = shards
            core.withLock { $0.hold(shards) }
            rereading.continuation.yield()
        }
    }

    private func followPortfolios() async {
        for await event in database.listen(to: [PortfolioSchema.changeChannel]) {
            switch event {
            case .listening:
                // What happened before nobody has told us: the database may even have been restored.
                core.withLock { $0.doubtAll() }
                rereading.continuation.yield()
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
                for portfolio in all where !Task.isCancelled { try await put(portfolio) }
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
                core.withLock { $0.forget(id) }
            }
            for portfolio in found { try await put(portfolio) }
        } catch {
            note(error)
            rereading.continuation.yield()
        }
    }

    private func put(_ portfolio: StoredPortfolio) async throws {
        let isKnown = core.withLock { core in
            !core.holds(portfolio.id) || core.isCurrent(portfolio)
        }
        guard !isKnown else { return }
        // Who made it another's has told so.
        guard let contents = try await ledgers.contents(of: portfolio, at: clock()) else { return }
        core.withLock { $0.put(portfolio, contents) }
    }

    private func note(_ error: any Error) {
        guard !Task.isCancelled else { return }
        ledgers.count()
        ledgers.setCurrent(false)
        logger.warning("A portfolio could not be read", metadata: ["error": "\(error)"])
    }

    // MARK: History

    /// Makes the days that are missing; a change of the past has removed those that it touched.
    private func keepHistory() async {
        // What was looked at is looked at again after a change, and once an hour: prices may have come.
        var seen: [PortfolioID: (portfolio: StoredPortfolio, hour: Int64)] = [:]
        while !Task.isCancelled {
            await pause(configuration.historyInterval)
            // What cannot be read now is asked for again the next time.
            guard let all = try? await ledgers.portfolios() else { continue }
            await compareAnew()
            let hour = clock().nanoseconds / 3_600_000_000_000
            for portfolio in all where !Task.isCancelled && core.withLock({ $0.holds(portfolio.id) }) {
                if let last = seen[portfolio.id], last == (portfolio, hour) { continue }
                do {
                    try await ledgers.completeDays(of: portfolio, until: clock()) { since in
                        try await backfill?.fetch(since, in: portfolio.base, at: clock())
                    }
                    seen[portfolio.id] = (portfolio, hour)
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.warning(
                        "The history of a portfolio could not be kept",
                        metadata: ["portfolio": "\(portfolio.id)", "error": "\(error)"])
                }
            }
        }
    }

    /// Another day has begun, or prices have come.
    private func compareAnew() async {
        for portfolio in core.withLock({ $0.lackingDay(at: clock()) }) where !Task.isCancelled {
            do {
                if let basis = try await ledgers.basis(of: portfolio, at: clock()) {
                    core.withLock { $0.compare(portfolio.id, with: basis) }
                } else {
                    await read([portfolio.id])
                }
            } catch {
                // Tried again with the next round.
                continue
            }
        }
    }

    private func pause(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
