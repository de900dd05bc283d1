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

        mutating func keep(_ epochs: [Shard: Int64]) {
            claims = LeaseClaims(service: claims.service, instance: claims.instance, epochs: epochs)
        }
    }

    private let state: Mutex<State>

    package init(service: String, instance: String) {
        state = Mutex(State(claims: LeaseClaims(service: service, instance: instance)))
    }

    /// What may be told of and written at an instant: now.
    package func claims(at now: ContinuousClock.Instant) -> LeaseClaims {
        state.withLock { state in
            if state.until.map({ $0 > now }) ?? true, state.quietUntil.map({ $0 <= now }) ?? true {
                return state.claims
            }
            return LeaseClaims(service: state.claims.service, instance: state.claims.instance)
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
    /// `quietUntil` nothing may be told; without one it stays as it is.
    package func renew(
        _ claims: LeaseClaims, until: ContinuousClock.Instant?, members: Int = 1,
        quietUntil: ContinuousClock.Instant? = nil
    ) {
        state.withLock { state in
            state.members = max(1, members)
            state.claims = claims
            state.until = until
            state.quietUntil = quietUntil ?? state.quietUntil
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
