/// Limits how often something happens: `capacity` at once, then one per `refillEvery`.
///
/// A ``RateLimit`` with its policy, at a time that may be that of any clock which counts nanoseconds; a step
/// backwards empties it at the most, it never mints tokens.
package struct TokenBucket: Sendable, Hashable {
    private let policy: RateLimit.Policy
    private var limit = RateLimit()

    /// Nanoseconds for one token to come back.
    package var refillEvery: Int64 { policy.interval }

    /// Creates a full bucket.
    ///
    /// - Precondition: As a ``RateLimit/Policy`` has.
    package init(capacity: Int, refillEvery: Int64) {
        policy = RateLimit.Policy(burst: Int64(capacity), interval: refillEvery)
    }

    /// Takes tokens when there are enough of them.
    ///
    /// - Parameters:
    ///   - count: Tokens to take, `1...capacity`.
    ///   - now: Nanoseconds of the caller's clock.
    /// - Returns: Whether they were taken; `false` changes nothing but what ``settle(at:)`` does.
    package mutating func take(_ count: Int = 1, at now: Int64) -> Bool {
        precondition(count >= 1 && count <= policy.burst, "more tokens than the bucket can ever hold")
        return limit.take(Int64(count), of: policy, at: Timestamp(nanoseconds: now)).isAllowed
    }

    /// How long until `take` succeeds, nanoseconds; 0 when it would now.
    ///
    /// - Precondition: `count` is in `1...capacity`.
    package func wait(for count: Int = 1, at now: Int64) -> Int64 {
        precondition(count >= 1 && count <= policy.burst, "more tokens than the bucket can ever hold")
        return limit.wait(for: Int64(count), of: policy, at: Timestamp(nanoseconds: now))
    }

    /// Notes the time: after a step backwards the bucket is full again when its capacity was earned anew.
    package mutating func settle(at now: Int64) { limit.settle(of: policy, at: Timestamp(nanoseconds: now)) }

    /// Tokens that can be taken now, `0...capacity`.
    package func available(at now: Int64) -> Int {
        Int(limit.remaining(of: policy, at: Timestamp(nanoseconds: now)))
    }
}
