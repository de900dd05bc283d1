import Alerting
import AlertStore
import Bus
import Hosting
import Instruments
import Logging
import MarketStore
import Operations
import ServiceLifecycle
import Store
import Synchronization
import Zones

/// Decides which rules fire, of the instruments that it owns, and commits each firing once with what it knows
/// from then on.
///
/// On graceful shutdown everything that was received is decided and committed.
package final class AlertEvaluator: Service {
    // Batches are taken on the subscriber's own thread, with the state behind a lock, and not handed to an
    // actor: as in the book-builder, waking a second thread costs more than the evaluation.
    private let core: Mutex<EvaluatorCore>
    private let subscriber: Subscriber
    let database: Database
    private let queue: CommitQueue
    private let reads: HistoryReads
    private let committer: Committer
    private let keeper: LeaseKeeper
    let configuration: AlertEvaluationConfiguration
    private let health: HealthComponent
    private let status: EvaluatorStatus
    let logger: Logger
    let clock: @Sendable () -> Timestamp

    static let service = "alert-evaluator"
    private static let tickInterval = Duration.milliseconds(100)

    init(
        _ configuration: AlertEvaluationConfiguration, _ publisher: Publisher, _ subscriber: Subscriber,
        in frame: ServiceFrame
    ) throws(BusError) {
        let (database, logger) = (frame.database, frame.logger)
        self.configuration = configuration
        self.subscriber = subscriber
        self.database = database
        self.logger = logger
        health = frame.health.component("alerts")
        clock = frame.clock
        let queue = CommitQueue(limit: configuration.maximumWaitingFirings)
        let reads = HistoryReads(database: database, logger: logger)
        self.queue = queue
        self.reads = reads
        let term = LeaseTerm(
            service: Self.service, instance: "\(frame.instance)-\(publisher.epoch)",
            duration: configuration.leaseDuration)
        keeper = LeaseKeeper(database: database, term: term, logger: logger)
        committer = Committer(
            database: database, queue: queue, term: term, logger: logger,
            figures: CommitFigures(clock: clock))
        status = try EvaluatorStatus(publisher: publisher, instance: frame.instance, started: clock())
        core = Mutex(
            EvaluatorCore(
                queue: queue, limits: configuration.limits,
                pendingRequests: EvaluatorCore.Requests(
                    subscribe: { subscriber.subscribe($0) }, unsubscribe: { subscriber.unsubscribe($0) },
                    requestState: { subscriber.requestState($0) }, read: { reads.offer($0) },
                    zone: { ZoneDirectory.system.offsets(of: $0) })))
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.commit()
                return true
            }
            // The leases are kept until everything is committed under them: what a lost lease would take
            // along is stored nowhere else, such as the last index price.
            group.addTask {
                // Everything that is told is stored under a lease, so nobody needs to know here when one is
                // over: a writer that slept is refused by PostgreSQL.
                await self.keeper.run { await self.hold($0) }
                return false
            }
            // Whatever ends the evaluation, nothing more is to be committed then.
            defer { queue.finish() }
            try await evaluate()
            core.withLock { $0.stop(at: clock()) }
            queue.finish()
            while try await group.next() == false {}
            group.cancelAll()
        }
        await keeper.leave()
        health.setReady(false, "stopped")
    }

    private func evaluate() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow() }
            group.addTask { await self.tick() }
            group.addTask { await self.watchRules() }
            group.addTask { await self.readTapes() }
            group.addTask { await self.watchListings() }
            group.addTask { await self.watchUnfollowed() }
            group.addTask { await self.sweepHistory() }
            // Whoever ends first ends all: nobody who has nothing to do may be among them.
            if let room = configuration.room { group.addTask { await self.watch(room) } }
            // The subscriber ends with graceful shutdown, the others with it.
            try await group.next()
            group.cancelAll()
        }
    }

    private func follow() async throws {
        try await subscriber.run { batch in
            self.core.withLock { $0.take(batch, at: self.clock()) }
        }
    }

    private func commit() async {
        await committer.run { shard, epoch in
            self.logger.notice(
                "A shard is read again: another state is stored", metadata: ["shard": "\(shard)"])
            self.core.withLock { $0.end(shard, epoch: epoch) }
        }
    }

    private func readTapes() async {
        await reads.run { request, answer in
            self.core.withLock { $0.take(answer, to: request, at: self.clock()) }
        }
    }

    private func watchRules() async {
        let watch = RuleWatch(database: database, interval: configuration.rulePoll, logger: logger) {
            self.core.withLock { $0.knownChange }
        }
        await watch.run { rules, change in
            self.core.withLock { $0.change(rules, upTo: change, at: self.clock()) }
        }
    }

    /// Looks for what venues list as often as for rules.
    private func watchListings() async {
        let reads = ListingReads(database: database)
        while !Task.isCancelled {
            try? await Task.sleep(for: configuration.rulePoll)
            for request in core.withLock({ $0.listingRequests }) {
                do throws(StoreError) {
                    guard let found = try await reads.read(request) else { continue }
                    core.withLock { $0.take(found, to: request, at: clock()) }
                } catch {
                    if Task.isCancelled { return }
                    logger.debug("Listings cannot be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    private func watchUnfollowed() async {
        let watch = UnfollowedWatch(database: database, interval: configuration.rulePoll, logger: logger) {
            self.core.withLock { $0.subscriptionLimits }
        }
        await watch.run { left in self.core.withLock { $0.leaveOut(left, at: self.clock()) } }
    }

    /// Takes note of leases, and reads what was won.
    private func hold(_ claims: LeaseClaims) async {
        let (wanted, lacksPairs) = core.withLock { ($0.hold(claims), !$0.lacksPair.isEmpty) }
        guard !wanted.isEmpty || lacksPairs else { return }
        do {
            let instruments = try await database.instruments()
            let loaded = wanted.isEmpty ? [] : try await LoadShards(epochs: wanted)(database)
            for shard in loaded where shard.isStateLost {
                logger.error(
                    "What was known of a shard cannot be read: its rules begin now",
                    metadata: ["shard": "\(shard.shard)"])
            }
            tellShortCooldowns(loaded)
            core.withLock { core in
                core.describe(instruments)
                for shard in loaded { core.adopt(shard, at: clock()) }
            }
        } catch {
            // Tried again with the next round.
            logger.warning("Rules could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Says once of each shard that was read that rules of it are given a longer cooldown than they have.
    private func tellShortCooldowns(_ loaded: [LoadedShard]) {
        let least = configuration.limits.leastCooldown
        for shard in loaded {
            let short = shard.rules.count { !$0.rule.cools(for: least) }
            guard short > 0 else { continue }
            logger.notice(
                "Rules with a shorter cooldown are evaluated with the least",
                metadata: [
                    "shard": "\(shard.shard)", "rules": "\(short)", "least": "\(configuration.leastCooldown)",
                ])
        }
    }

    private func tick() async {
        var ticks = 0
        let ticksPerCheckpoint = max(1, Int(configuration.checkpointInterval / Self.tickInterval))
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tickInterval)
            let now = clock()
            ticks += 1
            let figures = core.withLock { core in
                core.tick(at: now)
                if ticks % ticksPerCheckpoint == 0 { core.checkpoint(at: now) }
                return ticks % 10 == 0 ? EvaluatorFigures(core) : nil
            }
            guard var figures else { continue }
            figures.commits = committer.figures.latest
            figures.queue = queue.figures
            figures.gaps = subscriber.counters.gaps
            status.report(figures)
            judge(figures)
        }
    }

    private func judge(_ figures: EvaluatorFigures) {
        let isReady = figures.isSynchronized && figures.shards > 0
        health.setReady(
            isReady, isReady ? "" : figures.isSynchronized ? "waiting for leases" : "waiting for the bus")
        if figures.blind > 0 {
            health.setFresh(
                false, "\(figures.blind) of \(figures.instruments) instruments cannot be believed")
        } else {
            health.setFresh(true, for: .seconds(5))
        }
    }
}
