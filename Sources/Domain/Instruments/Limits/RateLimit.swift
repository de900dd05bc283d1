/// The generic cell rate algorithm: so many requests in a time, evenly, with a burst.
///
/// One number a caller, and no timer: the moment at which all that was taken will have been earned.
/// ``TokenBucket`` is one with its policy.
///
/// Source: ITU-T I.371 (2004), annex A, the virtual scheduling form.
package struct RateLimit: Hashable, Sendable {
    /// What is allowed.
    package struct Policy: Hashable, Sendable {
        /// Requests that may come at once, 1 or more.
        package let burst: Int64
        /// Nanoseconds in which one request is earned, 1 or more.
        package let interval: Int64

        /// Describes a policy.
        ///
        /// - Precondition: 1...1,000,000 requests at once; 1 ns...1 day for one.
        package init(burst: Int64, interval: Int64) {
            precondition((1...1_000_000).contains(burst), "a burst is 1...1000000 requests")
            precondition((1...86_400_000_000_000).contains(interval), "an interval is 1 ns...1 day")
            self.burst = burst
            self.interval = interval
        }

        /// Nanoseconds in which the whole burst is earned.
        fileprivate var capacity: Int64 { burst * interval }
    }

    /// What came of a request.
    package struct Decision: Hashable, Sendable {
        /// Whether it may go on.
        package var isAllowed: Bool
        /// Requests of weight one that may follow at once.
        package var remaining: Int64
        /// Nanoseconds until the request would be allowed; 0 when it was, and for one that never will be.
        package var retryAfter: Int64
        /// Nanoseconds until the whole burst is there again.
        package var resetAfter: Int64
    }

    /// When all that was taken is earned, in nanoseconds since 1970; the theoretical arrival time.
    private var earned: Int64 = .min

    /// Nothing taken yet.
    package init() {}

    /// Whether it is as good as new, so that it need not be kept.
    package func isIdle(at now: Timestamp) -> Bool { earned <= now.nanoseconds }

    /// Requests of weight one that may come at once, 0 or more.
    package func remaining(of policy: Policy, at now: Timestamp) -> Int64 {
        (policy.capacity - debt(of: policy, at: now)) / policy.interval
    }

    /// When a request is allowed.
    ///
    /// - Parameters:
    ///   - weight: What the request costs, 1...`policy.burst`.
    ///   - policy: The same at each call.
    ///   - now: The time.
    /// - Returns: Nanoseconds from now, at most what the request costs; 0 when it is allowed now.
    package func wait(for weight: Int64 = 1, of policy: Policy, at now: Timestamp) -> Int64 {
        max(debt(of: policy, at: now) - (policy.capacity - weight * policy.interval), 0)
    }

    /// Takes the cost of a request, if there is enough.
    ///
    /// - Parameters:
    ///   - weight: What the request costs, 1 or more; what is above the burst is never allowed.
    ///   - policy: The same at each call.
    ///   - now: The time; one before that of the last call earns nothing, see ``settle(of:at:)``.
    /// - Returns: Whether it was taken, and what is left.
    package mutating func take(_ weight: Int64 = 1, of policy: Policy, at now: Timestamp) -> Decision {
        settle(of: policy, at: now)
        let (weight, debt) = (max(weight, 1), debt(of: policy, at: now))
        let fits = weight <= policy.burst
        let wait = fits ? wait(for: weight, of: policy, at: now) : 0
        guard fits, wait == 0 else {
            return Decision(
                isAllowed: false, remaining: remaining(of: policy, at: now), retryAfter: wait,
                resetAfter: debt)
        }
        let cost = weight * policy.interval
        earned = now.adding(nanoseconds: debt + cost).nanoseconds
        return Decision(
            isAllowed: true, remaining: (policy.capacity - debt - cost) / policy.interval, retryAfter: 0,
            resetAfter: debt + cost)
    }

    /// Notes the time, so that a clock that was set back, however far, makes nobody wait for more than the
    /// whole burst.
    ///
    /// Nothing is earned by it: what there was is gone at the most. ``take(_:of:at:)`` does it by itself; who
    /// asks for ``wait(for:of:at:)`` and ``remaining(of:at:)`` alone has to, or goes on waiting.
    ///
    /// - Parameters:
    ///   - policy: The same at each call.
    ///   - now: The time.
    package mutating func settle(of policy: Policy, at now: Timestamp) {
        earned = min(earned, now.adding(nanoseconds: policy.capacity).nanoseconds)
    }

    /// Nanoseconds in which what was taken is earned, from now on; no more than for the burst, even before
    /// ``settle(of:at:)``.
    private func debt(of policy: Policy, at now: Timestamp) -> Int64 {
        min(max(Timestamp(nanoseconds: earned), now).nanoseconds(since: now), policy.capacity)
    }
}
