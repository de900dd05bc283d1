import Instruments
import Synchronization
import Venues

/// The place of one part of a venue's feed: which one runs, and what the next one is to follow.
///
/// The feed that runs follows a change of what is wanted; it ends when nothing is wanted, and another begins
/// when something is again.
final class VenueFeedSupervisor: Sendable {
    /// What is wanted of one part.
    typealias Wants = [VenueSubscriptions.SymbolSubscription]

    let base: VenueConfiguration
    /// Which part of the venue's feed it is.
    let number: Int
    /// What to follow, the latest only; ends with ``stop()``.
    let changes: AsyncStream<Wants>
    private let change: AsyncStream<Wants>.Continuation

    private struct State {
        var wants: Wants
        var feed: VenueFeed?
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ base: VenueConfiguration, number: Int, following wants: Wants) {
        self.base = base
        self.number = number
        state = Mutex(State(wants: wants))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield(wants)
    }

    var venue: Venue { base.venue }

    /// The feed that runs, if any.
    var feed: VenueFeed? { state.withLock { $0.feed } }

    /// Makes a feed the one that runs; `false` when the place is given up or wants something else by now.
    func begin(_ feed: VenueFeed, for wants: Wants) -> Bool {
        state.withLock { state in
            guard !state.isStopped, Set(state.wants) == Set(wants) else { return false }
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
    func follow(_ wants: Wants, after marks: [InstrumentID: TradeMark]?) async {
        let running: VenueFeed? = state.withLock { state in
            let isSame = Set(state.wants) == Set(wants)
            state.wants = wants
            guard !state.isStopped, !isSame else { return nil }
            let feed = state.feed
            // The place is free at once: the next feed begins when this one has ended.
            if wants.isEmpty { state.feed = nil }
            if wants.isEmpty || feed == nil { change.yield(wants) }
            return feed
        }
        await running?.follow(configuration(wants), after: marks)
        if wants.isEmpty { running?.stop() }
    }

    /// The configuration that follows this.
    func configuration(_ wants: Wants) -> VenueConfiguration {
        var configuration = base
        configuration.subscriptions = wants.map { (symbol: $0.symbol, channels: $0.channels) }
        // Parts that lose their connections at once do not come back at once.
        configuration.seed &+= UInt64(number)
        return configuration
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
