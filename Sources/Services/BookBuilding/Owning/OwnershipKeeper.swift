import Logging
import MarketStore
import Store

/// Keeps this instance a member of its service, and what it may publish and store.
struct OwnershipKeeper: Sendable {
    private let keeper: LeaseKeeper
    private let ownership: Ownership

    /// For how long what was won is not told yet: whoever had it is silent, and its last words are on their
    /// way.
    private static let quiet = Duration.milliseconds(200)

    init(database: Database, term: LeaseTerm, ownership: Ownership, logger: Logger) {
        keeper = LeaseKeeper(database: database, term: term, logger: logger)
        self.ownership = ownership
    }

    /// Runs until it is cancelled; `changed` is called after each round, and before anything is given back.
    func run(_ changed: @escaping @Sendable () -> Void) async {
        await keeper.run {
            // Also when it failed: what is held may be over by now.
            defer { changed() }
            let began = ContinuousClock.now
            let round = try await keeper.tend { shards in
                ownership.give(up: shards)
                changed()
            }
            let hasOthers = round.members.contains { $0 != keeper.term.instance }
            if !round.acquired.isEmpty { try? await Task.sleep(for: Self.quiet) }
            if Task.isCancelled { return }
            ownership.renew(
                round.claims, until: hasOthers ? began + keeper.term.duration : nil,
                members: round.members.count)
        }
    }

    /// Gives all leases back.
    func leave() async {
        await keeper.leave()
        let term = keeper.term
        ownership.renew(LeaseClaims(service: term.service, instance: term.instance), until: .now)
    }
}
