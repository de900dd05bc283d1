public import Instruments

/// The generic cell rate algorithm: so many requests in a time, evenly, with a burst.
///
/// One number a caller, and no timer: the moment at which all that was taken will have been earned.
///
/// Source: ITU-T I.371 (2004), annex A, the virtual scheduling form.
public struct RateLimit: Hashable, Sendable {
    /// What is allowed.
    public struct Policy: Hashable, Sendable {
        /// Requests that may come at once, 1 or more.
        public let burst: Int64
        /// Nanoseconds in which one request is earned, 1 or more.
        public let interval: Int64

        /// Describes a policy.
        ///
        /// - Precondition: 1...1,000,000 requests at once; 1 ns...1 day for one.
        public init(burst: Int64, interval: Int64) {
            precondition((1...1_000_000).contains(burst), "a burst is 1...1000000 requests")
            precondition((1...86_400_000_000_000).contains(interval), "an interval is 1 ns...1 day")
            self.burst = burst
            self.interval = interval
        }
    }

    /// What came of a request.
    public struct Decision: Hashable, Sendable {
        /// Whether it may go on.
        public var isAllowed: Bool
        /// Requests of weight one that may follow at once.
        public var remaining: Int64
        /// Nanoseconds until the request would be allowed; 0 when it was, and for one that never will be.
        public var retryAfter: Int64
        /// Nanoseconds until the whole burst is there again.
        public var resetAfter: Int64
    }

    /// When all that was taken is earned, in nanoseconds since 1970; the theoretical arrival time.
    private var earned: Int64 = .min

    /// Nothing taken yet.
    public init() {}

    /// Whether it is as good as new, so that it need not be kept.
    public func isIdle(at now: Timestamp) -> Bool { earned <= now.nanoseconds }

    /// Takes the cost of a request, if there is enough.
    ///
    /// - Parameters:
    ///   - weight: What the request costs, 1 or more; what is above the burst is never allowed.
    ///   - policy: The same at each call.
    ///   - now: The time; one before that of the last call earns nothing.
    /// - Returns: Whether it was taken, and what is left.
    public mutating func take(_ weight: Int64 = 1, of policy: Policy, at now: Timestamp) -> Decision {
        let capacity = policy.burst * policy.interval
        let held = min(max(earned, now.nanoseconds), now.nanoseconds.addingClamped(capacity))
        let debt = held - now.nanoseconds
        let fits = weight <= policy.burst
        let cost = fits ? max(weight, 1) * policy.interval : capacity
        guard fits, debt <= capacity - cost else {
            return Decision(
                isAllowed: false, remaining: (capacity - debt) / policy.interval,
                retryAfter: fits ? debt - (capacity - cost) : 0, resetAfter: debt)
        }
        earned = held.addingClamped(cost)
        return Decision(
            isAllowed: true, remaining: (capacity - debt - cost) / policy.interval, retryAfter: 0,
            resetAfter: debt + cost)
    }
}

extension Int64 {
    /// The sum, or the largest number.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
