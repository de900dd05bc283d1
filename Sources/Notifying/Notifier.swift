import AlertStore
import Alerting
import Channels
import Instruments
import Logging
import Metrics
import Operations
import Sending
public import ServiceLifecycle
import Store

/// Tells people what is in the outbox: claims what is due, sends it, and writes what came of it.
///
/// A delivery is told at least once and perhaps more often, always under the same id: whoever sends it may
/// die after the receiver got it and before the database knows. No transaction is open while something is
/// sent; a claim is a lease that ends by itself.
public actor Notifier: Service {
    private let database: Database
    private let sender: Sender
    private let composer: Composer
    private let configuration: NotifierConfiguration
    private let claimant: String
    private let health: HealthComponent
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp
    private let zones: @Sendable (String) -> ZoneOffsets
    private var generator: any RandomNumberGenerator & Sendable
    private var dispatch: Dispatch<Delivery>
    private var pacing = Pacing()
    /// The channels of each receiver, as far as they were seen; for the claims that leave some out.
    private var channels: [String: Set<UniqueID>] = [:]
    /// Letters that have their place and nobody yet who sends them.
    private var ready: [Letter<Delivery>] = []
    private var finished: [Finished] = []
    private var isStopping = false
    private let metrics = NotifierMetrics()
    private let work: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// An attempt that is over and not written yet.
    private struct Finished: Sendable {
        var delivery: Delivery
        var outcome: AttemptOutcome
    }

    private static let knownReceivers = 100_000

    init(
        database: Database, sender: Sender, composer: Composer, configuration: NotifierConfiguration,
        claimant: String, health: HealthComponent, logger: Logger,
        zones: @escaping @Sendable (String) -> ZoneOffsets = { _ in .utc },
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.sender = sender
        self.composer = composer
        self.configuration = configuration
        self.claimant = claimant
        self.health = health
        self.logger = logger
        self.zones = zones
        self.generator = generator
        self.clock = clock
        dispatch = Dispatch(configuration.dispatch)
        (work, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs until graceful shutdown; what is under way then has a moment to end.
    ///
    /// - Throws: Nothing but what cancellation brings.
    public func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.writeOutcomes() }
                group.addTask { await self.watchStop() }
                while !isStopping, !Task.isCancelled {
                    let isBusy = await claim()
                    while let letter = nextReady() { group.addTask { await self.tell(letter) } }
                    if isBusy { continue }
                    try? await Task.sleep(for: pause)
                    enqueue(dispatch.release(at: clock().nanoseconds))
                }
                await giveBack()
            }
        } onGracefulShutdown: {
            self.signal.yield()
        }
        health.setReady(false, "stopped")
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
        let room = min(dispatch.room, 200)
        guard room > 0 else { return false }
        let now = clock().nanoseconds
        let full = dispatch.blocked(at: now).flatMap { channels[$0] ?? [] }
        let claimed: [Delivery]
        do {
            claimed = try await database.rows(
                ClaimDeliveries(by: claimant, limit: room, for: configuration.lease, except: full))
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
        let leaseEnd = now.adding(nanoseconds: configuration.lease.nanoseconds).nanoseconds
        var gathered: [UniqueID: (ids: [UniqueID], at: Timestamp)] = [:]
        for delivery in claimed {
            let destination: String
            do throws(ChannelFault) {
                destination = try composer.settings(of: delivery.channel).destination
            } catch {
                finish(delivery, AttemptOutcome(end: .dead(error: error.description), label: "refused"))
                continue
            }
            if channels.count >= Self.knownReceivers { channels = [:] }
            channels[destination, default: []].insert(delivery.channel.id)
            let zone = zones(delivery.channel.manners.timeZone)
            switch decision(delivery, zone, at: now) {
            case .tell:
                let letter = Letter(destination: destination, leaseEnd: leaseEnd, content: delivery)
                enqueue(dispatch.take(letter, at: now.nanoseconds))
            case .gather(let time):
                gathered[delivery.channel.id, default: ([], time)].ids.append(delivery.id)
            case .hold(let until, let isNews):
                finish(delivery, AttemptOutcome(end: held(delivery, until), label: "held"))
                if isNews { await sayQuieted(delivery.channel, until: until) }
            }
        }
        for (channel, parts) in gathered { await gather(parts.ids, of: channel, at: parts.at) }
    }

    private func held(_ delivery: Delivery, _ until: Timestamp) -> EndAttempt.Outcome {
        if case .firing = delivery.subject { return .held(until: until) }
        return .postponed(until: until, error: nil)
    }

    private func decision(_ delivery: Delivery, _ zone: ZoneOffsets, at now: Timestamp) -> Pacing.Decision {
        switch delivery.subject {
        // Counted at its first attempt already.
        case .firing where delivery.failures > 0: return .tell
        case .firing: return pacing.decide(delivery.channel, isHeld: delivery.isHeld, zone: zone, at: now)
        // Whoever asks for a test wants it now.
        case .notice(let notice) where notice.kind == .test: return .tell
        case .notice:
            let end = Pacing.quietEnd(delivery.channel.manners, zone, at: now)
            return end.map { .hold(until: $0, isNews: false) } ?? .tell
        }
    }

    private func gather(_ ids: [UniqueID], of channel: UniqueID, at time: Timestamp) async {
        let digest = UniqueID(version7At: clock().nanoseconds, using: &generator)
        do {
            let count = try await database.execute(
                GatherFirings(for: channel, claimedBy: claimant, ids, into: digest, at: time))
            metrics.gathered.increment(by: count)
        } catch {
            // Their claims end by themselves, and then they come again.
            logger.warning("Firings cannot be gathered", metadata: ["error": "\(error)"])
        }
    }

    private func sayQuieted(_ channel: Channel, until: Timestamp) async {
        let id = UniqueID(version7At: clock().nanoseconds, using: &generator)
        var notice = OutboxNotice(
            .quieted, time: clock(),
            reason: "more than \(channel.manners.perHour) an hour: quiet until \(until.iso8601)")
        notice.count = Int64(channel.manners.perHour)
        do {
            try await database.execute(AddNotice(id, to: channel.id, notice: notice))
        } catch {
            logger.warning("A quieted notice cannot be stored", metadata: ["error": "\(error)"])
        }
    }

    private func enqueue(_ moves: [Dispatch<Delivery>.Move]) {
        for move in moves {
            switch move {
            case .send(let letter): ready.append(letter)
            case .postpone(let letter, let until):
                let end = EndAttempt.Outcome.postponed(
                    until: Timestamp(nanoseconds: until), error: "its receiver is left alone after failures")
                finish(letter.content, AttemptOutcome(end: end, label: "postponed"))
            case .drop: metrics.dropped.increment()
            }
        }
    }

    private func nextReady() -> Letter<Delivery>? { ready.isEmpty ? nil : ready.removeFirst() }
}

// MARK: Telling

extension Notifier {
    /// Sends a letter, and then others that have their turn by its end.
    private func tell(_ first: Letter<Delivery>) async {
        var next: Letter<Delivery>? = first
        while let letter = next {
            let outcome = await attempt(letter.content)
            finish(letter.content, outcome)
            enqueue(
                dispatch.ended(
                    letter.destination, at: clock().nanoseconds, failed: outcome.isReceiverFailing,
                    asked: outcome.asked))
            next = isStopping ? nil : nextReady()
        }
    }

    private func attempt(_ delivery: Delivery) async -> AttemptOutcome {
        let composition: Composition
        do {
            composition = try composer.compose(delivery, try await gathered(in: delivery), at: clock())
        } catch let error as ChannelFault {
            return AttemptOutcome(end: .dead(error: error.description), label: "refused")
        } catch {
            let again = clock().adding(nanoseconds: 1_000_000_000)
            return AttemptOutcome(end: .postponed(until: again, error: nil), label: "postponed")
        }
        let started = clock()
        let answered: Result<Answer, SendFailure>
        do throws(SendFailure) {
            answered = .success(try await sender.send(composition.outgoing))
        } catch {
            answered = .failure(error)
        }
        let now = clock()
        metrics.attemptTime.recordNanoseconds(now.nanoseconds(since: started))
        return AttemptOutcome(
            answered, composition.settings, failures: Int(delivery.failures), at: now, using: &generator)
    }

    private func gathered(in delivery: Delivery) async throws(StoreError) -> [GatheredFirings.Row] {
        guard case .notice(let notice) = delivery.subject, notice.kind == .digest else { return [] }
        return try await database.rows(GatheredFirings(in: delivery.id, limit: Notice.itemLimit))
    }

    private func finish(_ delivery: Delivery, _ outcome: AttemptOutcome) {
        metrics.count(outcome.label, delivery)
        finished.append(Finished(delivery: delivery, outcome: outcome))
        signal.yield()
    }
}

// MARK: Writing and stopping

extension Notifier {
    /// Writes outcomes as they come, all that there are at once, until the end.
    private func writeOutcomes() async {
        for await _ in work {
            await flush()
            if isStopping, dispatch.running == 0, finished.isEmpty { return }
        }
    }

    private func flush() async {
        while !finished.isEmpty {
            let batch = finished
            finished = []
            do throws(StoreError) {
                try await database.transaction { session in
                    var statements = StatementBatch()
                    for entry in batch {
                        statements.append(EndAttempt(entry.delivery, entry.outcome.end))
                        if entry.outcome.gone != nil {
                            statements.append(DisableChannel(entry.delivery.channel.id))
                        }
                    }
                    try session.send(statements)
                }
                report(batch)
            } catch {
                logger.warning("Outcomes cannot be written", metadata: ["error": "\(error)"])
                // While we wait nothing is lost: a claim that ends unheard of is told again.
                guard !isStopping, !Task.isCancelled else { return }
                finished = batch + finished
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func report(_ batch: [Finished]) {
        for entry in batch {
            guard case .dead(let reason) = entry.outcome.end else { continue }
            logger.error(
                "A delivery is dead",
                metadata: [
                    "delivery": "\(entry.delivery.id)", "channel": "\(entry.delivery.channel.id)",
                    "kind": "\(entry.delivery.channel.kind.rawValue)", "reason": "\(reason)",
                    "channel.disabled": "\(entry.outcome.gone != nil)",
                ])
        }
    }

    /// Begins nothing new when asked to stop, and ends what takes too long.
    private func watchStop() async {
        try? await gracefulShutdown()
        isStopping = true
        let deadline = ContinuousClock.now + configuration.stopGrace
        while dispatch.running > 0, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
        sender.close()
        signal.yield()
    }

    /// Gives back what was claimed and not begun, so that another one need not wait for the claims to end.
    private func giveBack() async {
        let now = clock()
        for letter in dispatch.close() + ready {
            finish(letter.content, AttemptOutcome(end: .postponed(until: now, error: nil), label: "postponed"))
        }
        for letter in ready { _ = dispatch.ended(letter.destination, at: now.nanoseconds, failed: false) }
        ready = []
        await flush()
        signal.yield()
    }
}
