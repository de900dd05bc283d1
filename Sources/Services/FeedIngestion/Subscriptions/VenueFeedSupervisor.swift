import Instruments
import Metrics
import Operations
import Synchronization
import Venues

/// The place of one venue's feed: which one runs, and what the next one is to follow.
///
/// The feed that runs follows a change of what is wanted; it ends when nothing is wanted, and another begins
/// when something is again.
final class VenueFeedSupervisor: Sendable {
    let base: VenueConfiguration
    let health: HealthComponent
    /// What to follow, the latest only; ends with ``stop()``.
    let changes: AsyncStream<VenueSubscriptions>
    private let change: AsyncStream<VenueSubscriptions>.Continuation
    private let droppedCount: Gauge

    private struct State {
        var wants: VenueSubscriptions
        var feed: VenueFeed?
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ base: VenueConfiguration, limit: Int, health: HealthComponent) {
        self.base = base
        self.health = health
        let wants = VenueSubscriptions(base, limit: limit)
        state = Mutex(State(wants: wants))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        droppedCount = Gauge(label: "feed_instruments_dropped", dimensions: [("venue", base.venue.rawValue)])
        droppedCount.record(wants.dropped.count)
        change.yield(wants)
    }

    var venue: Venue { base.venue }

    /// The feed that runs, if any.
    var feed: VenueFeed? { state.withLock { $0.feed } }

    /// What is followed or about to be.
    var wants: VenueSubscriptions { state.withLock { $0.wants } }

    /// Makes a feed the one that runs; `false` when the desk is stopped or wants something else by now.
    func begin(_ feed: VenueFeed, for wants: VenueSubscriptions) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.wants.followsSame(as: wants) else { return false }
            state.feed = feed
            return true
        }
    }

    /// The feed has ended.
    func end() { state.withLock { $0.feed = nil } }

    /// Follows something else from now on, if it is something else.
    ///
    /// - Parameters:
    ///   - wants: What to follow.
    ///   - marks: As for ``VenueFeed/follow(_:after:)``.
    func follow(_ wants: VenueSubscriptions, after marks: [InstrumentID: TradeMark]?) async {
        droppedCount.record(wants.dropped.count)
        let running: VenueFeed? = state.withLock { state in
            let isSame = state.wants.followsSame(as: wants)
            state.wants = wants
            guard !state.isStopped, !isSame else { return nil }
            let feed = state.feed
            // The place is free at once: the next feed begins when this one has ended.
            if wants.wants.isEmpty { state.feed = nil }
            if wants.wants.isEmpty || feed == nil { change.yield(wants) }
            return feed
        }
        await running?.follow(wants.configuration(base), after: marks)
        if wants.wants.isEmpty { running?.stop() }
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
