import AlertStore
import Alerting
import Channels
import Credentials
import Hosting
import Instruments
import Logging
import MarketStore
import Metrics
import Operations
import Sending
import ServiceLifecycle
import Store

/// Tells people what is in the outbox: claims what is due, sends it, and writes what came of it.
///
/// A delivery is told at least once and perhaps more often, always under the same id: whoever sends it may
/// die after the receiver got it and before the database knows. No transaction is open while something is
/// sent; a claim is a lease that ends by itself.
package actor Notifier: Service {
    /// Under which its instances are known in `market.member`.
    package static let service = "notifier"

    let database: Database
    let sender: Sender
    let composer: Composer
    let configuration: NotifierConfiguration
    let claimant: String
    private let health: HealthComponent
    let logger: Logger
    let clock: @Sendable () -> Timestamp
    private let zones: @Sendable (String) -> ZoneOffsets
    var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    var dispatch: Dispatch<UniqueID, PreparedDelivery>
    var signing = Signing()
    /// Letters that have their place and nobody yet who sends them.
    var ready: [QueuedDelivery<UniqueID, PreparedDelivery>] = []
    var finished: [Finished] = []
    var isStopping = false
    /// When the last sign of life was given, or tried.
    private var saidAlive: Timestamp?
    let metrics = NotifierMetrics()
    let work: AsyncStream<Void>
    let signal: AsyncStream<Void>.Continuation

    /// An attempt that is over and not written yet.
    struct Finished: Sendable {
        var delivery: Delivery
        var outcome: AttemptOutcome
        /// What ends its channel, if anything does.
        var channelEnd: Query?
    }

    init(
        _ configuration: NotifierConfiguration, _ composer: Composer,
        zones: @escaping @Sendable (String) -> ZoneOffsets, in frame: ServiceFrame
    ) {
        self.configuration = configuration
        self.composer = composer
        self.zones = zones
        sender = Sender(configuration: configuration.sender, policy: configuration.policy)
        database = frame.database
        claimant = "\(Self.service)-\(frame.instance)"
        health = frame.health.component("deliveries")
        logger = frame.logger
        clock = frame.clock
        dispatch = Dispatch(configuration.dispatch)
        signing.apns = configuration.signing.apns.map(APNsTokens.init)
        (work, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs until graceful shutdown; what is under way then has a moment to end.
    ///
    /// - Throws: Nothing but what cancellation brings.
    package func run() async throws {
        // A hint says "look now" and nothing else: one waiting says as much as many.
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await sealSecrets()
        await withGracefulShutdownHandler {
            async let _ = listen(hint)
            await withDiscardingTaskGroup { group in
                group.addTask { await self.writeOutcomes() }
                group.addTask { await self.watchStop() }
                var next = hints.makeAsyncIterator()
                while !isStopping, !Task.isCancelled {
                    await sayAlive()
                    let isBusy = await claim()
                    while let letter = nextReady() { group.addTask { await self.deliver(letter) } }
                    if isBusy { continue }
                    async let _ = remind(hint, after: pause)
                    await next.next(isolation: self)
                    enqueue(dispatch.release(at: clock().nanoseconds))
                }
                await giveBack()
            }
            await sayGone()
        } onGracefulShutdown: {
            self.signal.yield()
            hint.yield()
        }
        health.setReady(false, "stopped")
    }

    /// Every two seconds; whoever says nothing for eight is not shown as running any more.
    private func sayAlive() async {
        let now = clock()
        guard saidAlive.map({ now.nanoseconds(since: $0) >= 2_000_000_000 }) ?? true else { return }
        saidAlive = now
        // Only for who looks; that the database is away is found out by the claims.
        let term = LeaseTerm(service: Self.service, instance: claimant)
        try? await database.transaction(.undurable) { session in try session.sayAlive(term) }
    }

    private func sayGone() async {
        var term = LeaseTerm(service: Self.service, instance: claimant)
        term.isLeaving = true
        let last = term
        // If it fails, it is taken for gone when its term is over.
        try? await database.transaction(.undurable) { session in try session.sayAlive(last) }
    }

    /// Hands on what others say of the outbox, until the task is cancelled.
    private func listen(_ hint: AsyncStream<Void>.Continuation) async {
        for await event in database.listen(to: [AlertSchema.outboxChannel]) {
            if event != .lost { hint.yield() }
        }
    }

    private func remind(_ hint: AsyncStream<Void>.Continuation, after pause: Duration) async {
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        hint.yield()
    }
}

// MARK: Claiming

extension Notifier {
    /// How long to rest before the next look.
    private var pause: Duration {
        let now = clock().nanoseconds
        guard let next = dispatch.nextRelease(at: now) else { return configuration.pollInterval }
        return min(configuration.pollInterval, max(.nanoseconds(next - now), .milliseconds(1)))
    }

    /// Claims what there is room for; `false` when there was nothing, or no room.
    private func claim() async -> Bool {
        // What is over and not written yet is a load as well.
        let room = min(dispatch.room, 200, configuration.unwrittenLimit - finished.count)
        guard room > 0 else { return false }
        let now = clock().nanoseconds
        let claimed: [Delivery]
        do {
            claimed = try await database.claim(
                by: claimant, limit: room, for: configuration.lease,
                except: Array(dispatch.blocked(at: now)))
            health.setReady(true)
            health.setFresh(true, for: .seconds(30))
        } catch {
            health.setReady(false, "the database: \(error)")
            if !Task.isCancelled {
                logger.warning("Deliveries cannot be claimed", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .milliseconds(500))
            return false
        }
        metrics.claimed.increment(by: claimed.count)
        await admit(claimed)
        metrics.record(
            running: dispatch.running, waiting: dispatch.waiting, open: dispatch.leftAlone(at: now))
        return claimed.count == room
    }

    /// Decides about what was claimed.
    private func admit(_ claimed: [Delivery]) async {
        let now = clock()
        var admission = Admission(perUser: configuration.perUser, at: now)
        var settings: [ChannelSettings] = []
        for delivery in claimed {
            let channel: Channel
            do throws(SealingFault) {
                channel = try delivery.channel.opened(by: composer.vault)
            } catch {
                finish(delivery, sealed(error))
                continue
            }
            do throws(FieldFault) {
                settings.append(try composer.settings(of: channel))
                let preferences = delivery.channel.preferences
                admission.add(
                    delivery, zones(preferences.quiet?.timeZone ?? preferences.timeZone), using: &generator)
            } catch {
                finish(delivery, AttemptOutcome(end: .dead(error: error.description), label: "refused"))
            }
        }
        let decisions: [Pacing.Decision]
        do throws(StoreError) {
            decisions = try await admission.decisions(in: database)
        } catch {
            // Their claims end by themselves, and then they come again.
            if !Task.isCancelled {
                logger.warning("Deliveries cannot be counted", metadata: ["error": "\(error)"])
            }
            return
        }
        let deliveries = admission.deliveries.map(\.delivery)
        await carryOut(zip(zip(deliveries, settings), decisions).map { ($0.0, $0.1, $1) }, at: now)
    }

    private func carryOut(
        _ decided: [(Delivery, ChannelSettings, Pacing.Decision)], at now: Timestamp
    ) async {
        let leaseEnd = now.adding(nanoseconds: configuration.lease.nanoseconds).nanoseconds
        var gathered: [UniqueID: (ids: [UniqueID], at: Timestamp)] = [:]
        for (delivery, settings, decision) in decided {
            switch decision {
            case .deliver:
                let letter = QueuedDelivery(
                    channel: delivery.channel.id, host: settings.host, leaseEnd: leaseEnd,
                    content: PreparedDelivery(delivery: delivery, settings: settings))
                enqueue(dispatch.take(letter, at: now.nanoseconds))
            case .gather(let time):
                gathered[delivery.channel.id, default: ([], time)].ids.append(delivery.id)
            case .hold(let hold):
                finish(delivery, AttemptOutcome(end: end(delivery, hold), label: "held"))
            }
        }
        for (channel, parts) in gathered { await gather(parts.ids, of: channel, at: parts.at) }
    }

    private func end(_ delivery: Delivery, _ hold: Pacing.Hold) -> Delivery.Outcome {
        if case .firing = delivery.subject { return .held(until: hold.until, reason: hold.reason) }
        return .postponed(until: hold.until, error: nil)
    }

    private func gather(_ ids: [UniqueID], of channel: UniqueID, at time: Timestamp) async {
        let digest = UniqueID(version7At: clock().nanoseconds, using: &generator)
        do {
            let count = try await database.withSession { [claimant] session in
                try session.gatherFirings(for: channel, claimedBy: claimant, ids, into: digest, at: time)
            }
            metrics.gathered.increment(by: count)
        } catch {
            // Their claims end by themselves, and then they come again.
            if !Task.isCancelled {
                logger.warning("Firings cannot be gathered", metadata: ["error": "\(error)"])
            }
        }
    }

    func enqueue(_ moves: [Dispatch<UniqueID, PreparedDelivery>.Move]) {
        for move in moves {
            switch move {
            case .send(let letter): ready.append(letter)
            case .postpone(let letter, let until):
                let end = Delivery.Outcome.postponed(
                    until: Timestamp(nanoseconds: until), error: "its receiver is left alone after failures")
                finish(letter.content.delivery, AttemptOutcome(end: end, label: "postponed"))
            case .drop: metrics.dropped.increment()
            }
        }
    }

    func nextReady() -> QueuedDelivery<UniqueID, PreparedDelivery>? {
        ready.isEmpty ? nil : ready.removeFirst()
    }
}
