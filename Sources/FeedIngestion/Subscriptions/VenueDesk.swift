import Instruments
import Operations
import Synchronization
import Venues

/// The place of one venue's feed: which one runs, and what the next one is to follow.
///
/// A change of what is followed ends the feed and starts another, since a session takes its instruments when
/// it begins.
final class VenueDesk: Sendable {
    let base: VenueConfiguration
    let health: HealthComponent
    /// What to follow, the latest only; ends with ``stop()``.
    let changes: AsyncStream<VenueWants>
    private let change: AsyncStream<VenueWants>.Continuation

    private struct State {
        var wants: VenueWants
        var feed: VenueFeed?
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ base: VenueConfiguration, limit: Int, health: HealthComponent) {
        self.base = base
        self.health = health
        let wants = VenueWants(base, limit: limit)
        state = Mutex(State(wants: wants))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield(wants)
    }

    var venue: Venue { base.venue }

    /// The feed that runs, if any.
    var feed: VenueFeed? { state.withLock { $0.feed } }

    /// What is followed or about to be.
    var wants: VenueWants { state.withLock { $0.wants } }

    /// Makes a feed the one that runs; `false` when the desk is stopped or wants something else by now.
    func begin(_ feed: VenueFeed, for wants: VenueWants) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.wants == wants else { return false }
            state.feed = feed
            return true
        }
    }

    /// The feed has ended.
    func end() { state.withLock { $0.feed = nil } }

    /// Follows something else from now on, if it is something else.
    func follow(_ wants: VenueWants) async {
        let (feed, dropped): (VenueFeed?, [String]) = state.withLock { state in
            guard !state.isStopped, !state.wants.followsSame(as: wants) else { return (nil, []) }
            let dropped = state.wants.symbols(missingIn: wants)
            state.wants = wants
            change.yield(wants)
            return (state.feed, dropped)
        }
        await feed?.stop(retiring: dropped)
    }

    /// Ends the feed, and starts no other.
    func stop() {
        let feed = state.withLock { state in
            state.isStopped = true
            return state.feed
        }
        change.finish()
        feed?.stop()
    }
}
