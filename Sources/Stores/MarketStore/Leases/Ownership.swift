package import Instruments
import Synchronization

/// Which shards this instance may tell of and store now, as all its parts see it.
///
/// Where others live, a claim is over when its time is, counted by a clock that runs while the process stands
/// still, and from before the round that won it began: whoever takes the lease then does so later. An
/// instance that was alone goes on telling while PostgreSQL cannot be asked, since nobody else can take a
/// lease then; what is written PostgreSQL checks anyway.
package final class Ownership: Sendable {
    private struct State {
        var claims: LeaseClaims
        var until: ContinuousClock.Instant?
        var quietUntil: ContinuousClock.Instant?
        var violations: UInt64 = 0
        var members = 1
        var leaving: Set<Shard> = []

        mutating func keep(_ epochs: [Shard: Int64]) { claims.epochs = epochs }

        func holds(at now: ContinuousClock.Instant) -> Bool {
            until.map { $0 > now } ?? true && quietUntil.map { $0 <= now } ?? true
        }
    }

    private let state: Mutex<State>

    package init(service: String, instance: String) {
        state = Mutex(State(claims: LeaseClaims(service: service, instance: instance)))
    }

    /// What may be told of and written at an instant: now.
    package func claims(at now: ContinuousClock.Instant) -> LeaseClaims {
        state.withLock { state in
            if state.holds(at: now) { return state.claims }
            return LeaseClaims(service: state.claims.service, instance: state.claims.instance)
        }
    }

    /// Whether a venue is held at an instant, under this very epoch.
    package func holds(_ venue: Venue, under epoch: Int64, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.holds(at: now) && $0.claims.epoch(of: venue) == epoch }
    }

    /// Whether a venue that is held is about to be given back: whoever does something under it is to end
    /// that.
    package func isLeaving(_ venue: Venue) -> Bool {
        state.withLock { state in
            state.claims.venues[venue].map(state.leaving.contains) ?? false
        }
    }

    /// What the last round left, also while nothing may be told of it.
    var known: LeaseClaims { state.withLock(\.claims) }

    /// Writes that PostgreSQL refused because another instance holds the lease.
    package var violations: UInt64 { state.withLock { $0.violations } }

    /// Instances that live, this one included.
    package var members: Int { state.withLock { $0.members } }

    /// A round of tending ended and left `claims`.
    ///
    /// Without an `until` they hold until the next round. `members` are the instances that live. Until
    /// `quietUntil` nothing may be told; without one it stays as it is. What is `leaving` is to be given
    /// back.
    package func renew(
        _ claims: LeaseClaims, until: ContinuousClock.Instant?, members: Int = 1,
        quietUntil: ContinuousClock.Instant? = nil, leaving: [Shard] = []
    ) {
        state.withLock { state in
            // Who was alone and awake all the time is not cut short by a round that took long.
            let isAlone = state.members == 1 && members <= 1
            let later = state.until.flatMap { old in until.map { max(old, $0) } }
            state.members = max(1, members)
            state.leaving = Set(leaving)
            state.claims = claims
            state.until = isAlone ? later ?? until : until
            state.quietUntil = quietUntil ?? state.quietUntil
        }
    }

    /// An instance that was alone when it last asked goes on for so long.
    ///
    /// If it should have asked again and its claims are not over yet: nobody else can take a lease as long
    /// as PostgreSQL cannot be asked, and where it can they are renewed before. A stall of less than half a
    /// lease costs nothing.
    ///
    /// Over they are where it stood still for longer than they last: meanwhile somebody may have come.
    package func goOn(at now: ContinuousClock.Instant, for duration: Duration) {
        state.withLock { state in
            guard state.members == 1, let until = state.until, until > now, until < now + duration * 5 / 8
            else { return }
            state.until = now + duration
        }
    }

    /// These are about to be given back: another instance may have them as soon as PostgreSQL knows.
    ///
    /// They stay given up when that fails, until the next round says otherwise: its outcome may be unknown.
    package func give(up shards: [Shard]) {
        state.withLock { state in
            var left = state.claims.epochs
            for shard in shards { left[shard] = nil }
            state.keep(left)
        }
    }

    /// A round ended that left no more than `claims`: what of before is not among them is no longer ours.
    func narrow(to claims: LeaseClaims) {
        state.withLock { state in
            state.keep(state.claims.epochs.filter { claims.epochs[$0.key] == $0.value })
        }
    }

    /// PostgreSQL says that these are no longer ours.
    package func lose(_ shards: [Shard], _ claims: LeaseClaims) {
        state.withLock { state in
            state.violations &+= 1
            var left = state.claims.epochs
            for shard in shards where left[shard] == claims.epochs[shard] { left[shard] = nil }
            state.keep(left)
        }
    }
}
