import Synchronization

/// One part of the process (a feed, the bus, the database) that says whether it is ready and its data fresh.
///
/// Setting is a short lock, so it may be done as often as the state changes or is renewed; looking happens
/// only when somebody asks.
package final class HealthComponent: Sendable {
    /// What it is called in `/health/…`.
    package let name: String
    private let state = Mutex(State())
    private let clock: @Sendable () -> Int64

    private struct State {
        var isReady = false
        var readyReason = "starting"
        /// `nil` until freshness is spoken of.
        var isFresh: Bool?
        var freshReason = ""
        var freshUntil: Int64?
    }

    init(name: String, clock: @escaping @Sendable () -> Int64) {
        self.name = name
        self.clock = clock
    }

    /// Says whether the component can do its work.
    package func setReady(_ isReady: Bool, _ reason: String = "") {
        state.withLock {
            $0.isReady = isReady
            $0.readyReason = reason
        }
    }

    /// Says whether the component's data is fresh.
    ///
    /// - Parameters:
    ///   - isFresh: Whether it is.
    ///   - duration: How long this holds without being said again; a component whose actor hangs then shows
    ///     as expired. `nil` holds until changed.
    ///   - reason: Why not.
    package func setFresh(_ isFresh: Bool, for duration: Duration? = nil, _ reason: String = "") {
        let until = duration.map { clock() + Int64($0 / .nanoseconds(1)) }
        state.withLock {
            $0.isFresh = isFresh
            $0.freshReason = reason
            $0.freshUntil = until
        }
    }

    /// Whether it is ready, and why not; the reason is empty while it is.
    package var readiness: (isReady: Bool, reason: String) {
        state.withLock { ($0.isReady, $0.isReady ? "" : $0.readyReason) }
    }

    /// What it says now.
    var report: HealthReport.Component {
        let now = clock()
        return state.withLock { state in
            var isFresh = state.isFresh
            var reason = state.freshReason
            if isFresh == true, let until = state.freshUntil, now >= until {
                isFresh = false
                reason = "expired: not renewed in time"
            }
            return HealthReport.Component(
                name: name, isReady: state.isReady, readyReason: state.readyReason, isFresh: isFresh,
                freshReason: reason)
        }
    }
}
