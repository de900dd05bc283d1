package import Instruments
package import Logging
package import Store
import Synchronization

/// Keeps an instance a member of its service, its leases, and what it may tell of by them.
///
/// It tends them four times as often as they would be over, by default every two seconds: the shards of an
/// instance that dies are owned elsewhere within ten. An instance that goes in good order gives them back.
package struct LeaseKeeper: Sendable {
    /// How silent it is about what was won: whoever had it may have last words on their way.
    package enum Silence: Sendable {
        /// Not at all: what is told is stored under the lease first.
        case none
        /// For so long it is not owned yet; what was held before is.
        case ofWon(Duration)
        /// It is known at once, so that it can be read, but for so long nothing at all is owned.
        case ofAll(Duration)
    }

    package let ownership: Ownership
    private let term: LeaseTerm
    private let silence: Silence
    private let standsStill: Bool
    private let haste = Haste()
    private let database: Database
    private let logger: Logger

    /// - Parameters:
    ///   - database: Where the leases are.
    ///   - term: Who tends them.
    ///   - silence: How silent it is about what was won.
    ///   - standsStill: Whether an instance that is alone holds what it has also when it stood still for
    ///     longer than a lease, until PostgreSQL says otherwise; where not, it has to have been awake.
    ///   - logger: Is told when they cannot be tended.
    package init(
        database: Database, term: LeaseTerm, silence: Silence = .none, standsStill: Bool = true,
        logger: Logger
    ) {
        self.database = database
        self.term = term
        self.silence = silence
        self.standsStill = standsStill
        self.logger = logger
        ownership = Ownership(service: term.service, instance: term.instance)
    }

    /// Tends again and again until it is cancelled; a round that fails is repeated soon.
    ///
    /// `tended` is called with what each round left, quiet or not; `changed` after each round, also one that
    /// failed since what is held may be over by now, and before anything is given back. A venue for which
    /// something `isBusy` is given back only when that has ended.
    package func run(
        _ tended: (LeaseClaims) async -> Void = { _ in }, changed: @escaping @Sendable () -> Void = {},
        isBusy: @escaping @Sendable (Venue) -> Bool = { _ in false }
    ) async {
        async let watching: Void = watch()
        var isTroubled = false
        while !Task.isCancelled {
            do {
                try await tend(tended, changed, isBusy)
                if isTroubled { logger.notice("Leases are tended again") }
                isTroubled = false
            } catch {
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Leases could not be tended", metadata: ["error": "\(error)"])
                }
                isTroubled = true
            }
            await pause(isTroubled ? .milliseconds(250) : term.duration / 4)
        }
        await watching
    }

    /// The next round begins at once.
    package func hurry() { haste.isWanted.store(true, ordering: .relaxed) }

    /// In short steps where somebody may be in a hurry: where venues are shared.
    private func pause(_ time: Duration) async {
        guard !term.venues.isEmpty else {
            try? await Task.sleep(for: time)
            return
        }
        let end = ContinuousClock.now + time
        while !Task.isCancelled, ContinuousClock.now < end {
            if haste.isWanted.exchange(false, ordering: .relaxed) { return }
            try? await Task.sleep(for: min(.milliseconds(50), time))
        }
    }

    /// Notes again and again that the process does not stand still, also while a round takes long.
    private func watch() async {
        while !standsStill, !Task.isCancelled {
            ownership.goOn(at: .now, for: term.duration)
            try? await Task.sleep(for: term.duration / 32)
        }
    }

    private func tend(
        _ tended: (LeaseClaims) async -> Void, _ changed: @escaping @Sendable () -> Void,
        _ isBusy: (Venue) -> Bool
    ) async throws(StoreError) {
        defer { changed() }
        let began = ContinuousClock.now
        let before = ownership.known
        let done = Set(before.venues.filter { !isBusy($0.key) }.values)
        let round = try await database.tendLeases(term, done: done) { [ownership] shards in
            ownership.give(up: shards)
            changed()
        }
        // At once, also where what was won is to be waited for.
        ownership.narrow(to: round.claims)
        var quietUntil: ContinuousClock.Instant?
        switch silence {
        case .none: break
        case .ofWon(let time):
            if !round.acquired.isEmpty { try? await Task.sleep(for: time) }
            if Task.isCancelled { return }
        case .ofAll(let time):
            let isNew = round.claims.epochs.keys.contains { before.epochs[$0] == nil }
            if isNew { quietUntil = .now + time }
        }
        let hasOthers = round.members.contains { $0 != term.instance }
        ownership.renew(
            round.claims, until: hasOthers || !standsStill ? began + term.duration : nil,
            members: round.members.count, quietUntil: quietUntil, leaving: round.leaving)
        await tended(round.claims)
    }

    /// Gives all leases back.
    ///
    /// - Parameter hasEnded: Nothing new is told any more: what was told last may still be on its way, and is
    ///   waited for by whoever is next as by ``Silence/ofWon(_:)``.
    package func leave(hasEnded: Bool = false) async {
        if !hasEnded {
            ownership.renew(LeaseClaims(service: term.service, instance: term.instance), until: .now)
        }
        var term = term
        term.isLeaving = true
        // If it fails they are over in some seconds.
        _ = try? await database.tendLeases(term)
    }
}

/// Whether the next round is wanted sooner.
private final class Haste: Sendable {
    let isWanted = Atomic<Bool>(false)
}
