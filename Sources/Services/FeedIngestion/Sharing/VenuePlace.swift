import Bus
import Instruments
import Operations
import Synchronization
import Venues

/// A venue's place in this process, whether it holds the venue or not.
///
/// What outlives a tenure is here: the way to the venue, whose limits go by address and not by tenure.
final class VenuePlace: Sendable {
    /// What is to be done about the venue now.
    enum Step: Hashable, Sendable {
        case nothing
        /// To be followed, under this epoch of its lease.
        case begin(epoch: Int64)
        /// To be given back in good order: its books are declared first.
        case end
        /// Lost: nothing more may be said of it.
        case drop
    }

    let base: VenueConfiguration
    let gate: VenueGate
    let health: HealthComponent

    private struct State {
        var tenure: VenueTenure?
        var isStopped = false
    }

    private let state = Mutex(State())

    init(_ base: VenueConfiguration, health: HealthComponent, clock: @escaping @Sendable () -> Timestamp) {
        self.base = base
        self.health = health
        gate = VenueGate(base.description, clock: clock)
    }

    var venue: Venue { base.venue }

    /// The present tenure; `nil` while somebody else holds the venue, or nobody.
    var tenure: VenueTenure? { state.withLock { $0.tenure } }

    /// What follows from the lease.
    ///
    /// - Parameters:
    ///   - epoch: Under which this process holds the venue; `nil` where it does not.
    ///   - isLeaving: Whether it is about to be given back.
    /// - Returns: What to do.
    func step(epoch: Int64?, isLeaving: Bool) -> Step {
        state.withLock { state in
            guard let tenure = state.tenure else {
                guard let epoch, !isLeaving, !state.isStopped else { return .nothing }
                return .begin(epoch: epoch)
            }
            if epoch != tenure.epoch || tenure.voice.isOver { return .drop }
            return isLeaving ? .end : .nothing
        }
    }

    /// A tenure begins; `false` when none may any more.
    func begin(_ tenure: VenueTenure) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.tenure == nil else { return false }
            state.tenure = tenure
            return true
        }
    }

    /// The tenure has ended: everything of it is closed.
    func end() { state.withLock { $0.tenure = nil } }

    /// Ends the tenure, and lets no other begin.
    func stop() {
        let tenure = state.withLock { state in
            state.isStopped = true
            return state.tenure
        }
        tenure?.desk.stop()
    }

    /// Somebody else's, or nobody's: here is nothing that could fail.
    func rest() {
        health.setReady(true)
        health.setFresh(true)
    }
}
