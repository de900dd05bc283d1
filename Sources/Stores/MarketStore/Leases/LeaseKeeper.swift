package import Logging
package import Store

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
    private let database: Database
    private let logger: Logger

    package init(database: Database, term: LeaseTerm, silence: Silence = .none, logger: Logger) {
        self.database = database
        self.term = term
        self.silence = silence
        self.logger = logger
        ownership = Ownership(service: term.service, instance: term.instance)
    }

    /// Tends again and again until it is cancelled; a round that fails is repeated soon.
    ///
    /// `tended` is called with what each round left, quiet or not; `changed` after each round, also one that
    /// failed since what is held may be over by now, and before anything is given back.
    package func run(
        _ tended: (LeaseClaims) async -> Void = { _ in }, changed: @escaping @Sendable () -> Void = {}
    ) async {
        var isTroubled = false
        while !Task.isCancelled {
            do {
                try await tend(tended, changed)
                if isTroubled { logger.notice("Leases are tended again") }
                isTroubled = false
            } catch {
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Leases could not be tended", metadata: ["error": "\(error)"])
                }
                isTroubled = true
            }
            try? await Task.sleep(for: isTroubled ? .milliseconds(250) : term.duration / 4)
        }
    }

    private func tend(
        _ tended: (LeaseClaims) async -> Void, _ changed: @escaping @Sendable () -> Void
    ) async throws(StoreError) {
        defer { changed() }
        let began = ContinuousClock.now
        let before = ownership.known
        let round = try await database.tendLeases(term) { [ownership] shards in
            ownership.give(up: shards)
            changed()
        }
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
            round.claims, until: hasOthers ? began + term.duration : nil, members: round.members.count,
            quietUntil: quietUntil)
        await tended(round.claims)
    }

    /// Gives all leases back.
    package func leave() async {
        ownership.renew(LeaseClaims(service: term.service, instance: term.instance), until: .now)
        var term = term
        term.isLeaving = true
        // If it fails they are over in some seconds.
        _ = try? await database.tendLeases(term)
    }
}
