import Logging
import MarketStore
import PortfolioStore
import Store
import Synchronization

/// Which portfolios this instance values, by the leases of its service.
///
/// A lease counts from before it was asked for, by a clock that runs while the process stands still: an
/// instance that slept longer than its leases says nothing more before it holds new ones.
final class PortfolioLeases: Sendable {
    private struct State {
        var held: Set<Shard> = []
        var until: ContinuousClock.Instant?
        var isAlone = true
        /// What was won is told no earlier than whoever told it last could have told it again.
        var quietUntil = ContinuousClock.now
    }

    private let keeper: LeaseKeeper
    private let quiet: Duration
    private let state = Mutex(State())

    init(
        database: Database, instance: String, duration: Duration, quiet: Duration, logger: Logger
    ) {
        self.quiet = quiet
        keeper = LeaseKeeper(
            database: database,
            term: LeaseTerm(service: "portfolio-service", instance: instance, duration: duration),
            logger: logger)
    }

    /// What may be told now.
    var held: Set<Shard> {
        state.withLock { state in
            let now = ContinuousClock.now
            guard let until = state.until, now >= state.quietUntil else { return [] }
            // Whoever is alone tells on while PostgreSQL is away: nobody else can take a lease then.
            return state.isAlone || now < until ? state.held : []
        }
    }

    /// Runs until it is cancelled; `changed` is called when other shards are held than before.
    func run(_ changed: (Set<Shard>) async -> Void) async {
        var told: Set<Shard> = []
        await keeper.run {
            let began = ContinuousClock.now
            let before = state.withLock(\.held)
            let round = try await keeper.tend { shards in
                // Whoever takes them may speak as soon as PostgreSQL knows, and this round may end with no
                // word of it. A tick that looked before tells once more; the winner is quiet then.
                self.state.withLock { $0.held.subtract(shards) }
            }
            let held = Set(round.claims.epochs.keys)
            state.withLock { state in
                state.held = held
                state.until = began + keeper.term.duration
                state.isAlone = round.members.count < 2
                if !held.isSubset(of: before) { state.quietUntil = .now + quiet }
            }
            if held != told { await changed(held) }
            told = held
        }
    }

    /// Gives all leases back.
    func leave() async {
        state.withLock { $0 = State() }
        await keeper.leave()
    }
}

extension PortfolioID {
    /// The part of all portfolios that it belongs to: its last byte, which is made by chance.
    var shard: Shard { Shard(rawValue: UInt8(truncatingIfNeeded: rawValue.low)) }
}
