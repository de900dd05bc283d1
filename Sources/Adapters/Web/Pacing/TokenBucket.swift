/// Limits how often something happens: `capacity` at once, then one per `refillEvery`.
///
/// It keeps one number, the time at which the bucket would be full again, so that it is exact in integers and
/// needs no timer. Time is passed in and may be any clock that counts nanoseconds; a step backwards only
/// makes the caller wait, it never mints tokens.
public struct TokenBucket: Sendable, Hashable {
    /// The most tokens that can be taken at once, 1 or more.
    public let capacity: Int
    /// Nanoseconds for one token to come back, 1 or more.
    public let refillEvery: Int64
    /// When every token taken so far will have come back, or `nil` while none was taken.
    private var fullAt: Int64?

    /// Creates a full bucket.
    ///
    /// - Precondition: Both are at least 1, and `capacity * refillEvery` fits an `Int64`.
    public init(capacity: Int, refillEvery: Int64) {
        precondition(capacity >= 1 && refillEvery >= 1, "a token bucket needs a capacity and a refill time")
        precondition(
            !Int64(capacity).multipliedReportingOverflow(by: refillEvery).overflow,
            "the bucket takes longer to fill than time can tell")
        self.capacity = capacity
        self.refillEvery = refillEvery
    }

    /// Takes tokens when there are enough of them.
    ///
    /// - Parameters:
    ///   - count: Tokens to take, `1...capacity`.
    ///   - now: Nanoseconds of the caller's clock.
    /// - Returns: Whether they were taken; `false` changes nothing.
    public mutating func take(_ count: Int = 1, at now: Int64) -> Bool {
        guard wait(for: count, at: now) == 0 else { return false }
        fullAt = max(fullAt ?? now, now) + Int64(count) * refillEvery
        return true
    }

    /// How long until `take` succeeds, nanoseconds; 0 when it would now.
    ///
    /// - Precondition: `count` is in `1...capacity`.
    public func wait(for count: Int = 1, at now: Int64) -> Int64 {
        precondition(count >= 1 && count <= capacity, "more tokens than the bucket can ever hold")
        guard let fullAt, fullAt > now else { return 0 }
        // With f nanoseconds to full, f / refillEvery tokens are missing, rounded up.
        return max(0, fullAt - now - Int64(capacity - count) * refillEvery)
    }

    /// Tokens that can be taken now, `0...capacity`.
    public func available(at now: Int64) -> Int {
        guard let fullAt, fullAt > now else { return capacity }
        let missing = (fullAt - now + refillEvery - 1) / refillEvery
        return missing >= Int64(capacity) ? 0 : capacity - Int(missing)
    }
}
