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
    let database: Database
    let sender: Sender
    let composer: Composer
    let configuration: NotifierConfiguration
    let claimant: String
    private let health: HealthComponent
    let logger: Logger
    let clock: @Sendable () -> Timestamp
    private let zones: @Sendable (String) -> ZoneOffsets
    var generator: any RandomNumberGenerator & Sendable
    var dispatch: Dispatch<UniqueID, Errand>
    private var pacing = Pacing()
    var signing = Signing()
    /// Letters that have their place and nobody yet who sends them.
    var ready: [Letter<UniqueID, Errand>] = []
    var finished: [Finished] = []
    var isStopping = false
    let metrics = NotifierMetrics()
    let work: AsyncStream<Void>
    let signal: AsyncStream<Void>.Continuation

    /// An attempt that is over and not written yet.
    struct Finished: Sendable {
        var delivery: Delivery
        var outcome: AttemptOutcome
        var channelEnd: EndChannel?
    }

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
        signing.apns = configuration.signing.apns.map(APNsTokens.init)
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
        // What is over and not written yet is a load as well.
        let room = min(dispatch.room, 200, configuration.unwrittenLimit - finished.count)
        guard room > 0 else { return false }
        let now = clock().nanoseconds
        let claimed: [Delivery]
        do {
            claimed = try await database.rows(
                ClaimDeliveries(
                    by: claimant, limit: room, for: configuration.lease,
                    except: Array(dispatch.blocked(at: now))))
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
            let settings: ChannelSettings
            do throws(ChannelFault) {
                settings = try composer.settings(of: delivery.channel)
            } catch {
                finish(delivery, AttemptOutcome(end: .dead(error: error.description), label: "refused"))
                continue
            }
            let zone = zones(delivery.channel.manners.timeZone)
            switch decision(delivery, zone, at: now) {
            case .tell:
                let letter = Letter(
                    channel: delivery.channel.id, host: settings.host, leaseEnd: leaseEnd,
                    content: Errand(delivery: delivery, settings: settings))
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

    func enqueue(_ moves: [Dispatch<UniqueID, Errand>.Move]) {
        for move in moves {
            switch move {
            case .send(let letter): ready.append(letter)
            case .postpone(let letter, let until):
                let end = EndAttempt.Outcome.postponed(
                    until: Timestamp(nanoseconds: until), error: "its receiver is left alone after failures")
                finish(letter.content.delivery, AttemptOutcome(end: end, label: "postponed"))
            case .drop: metrics.dropped.increment()
            }
        }
    }

    func nextReady() -> Letter<UniqueID, Errand>? { ready.isEmpty ? nil : ready.removeFirst() }
}
