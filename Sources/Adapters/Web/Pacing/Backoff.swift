/// Decides how long to wait before the next attempt: full jitter under a doubling ceiling.
///
/// The n-th wait in a row is uniform in `0...min(cap, base * 2^n)` nanoseconds, so that a thousand clients
/// that lost the same venue come back spread out. The ceiling starts again only after a connection was
/// healthy for `healthyAfter`: a venue that accepts and drops at once is not hammered.
///
/// Source: "full jitter" as described for AWS clients; RELIABILITY W2 for the numbers.
package struct Backoff: Sendable, Hashable {
    /// The first ceiling, nanoseconds, at least 1.
    package let base: Int64
    /// The highest ceiling, nanoseconds, at least `base`.
    package let cap: Int64
    /// How long a connection must have delivered data for the ceiling to start again, nanoseconds.
    package let healthyAfter: Int64
    /// Attempts since the last healthy connection, 0 or more.
    package private(set) var failures: Int = 0

    /// Creates a backoff that has not failed yet.
    ///
    /// - Parameters:
    ///   - base: The first ceiling, nanoseconds.
    ///   - cap: The highest ceiling, nanoseconds.
    ///   - healthyAfter: Nanoseconds of health that reset the ceiling.
    /// - Precondition: `1 <= base <= cap` and `healthyAfter >= 0`.
    package init(
        base: Int64 = 500_000_000, cap: Int64 = 60_000_000_000, healthyAfter: Int64 = 60_000_000_000
    ) {
        precondition(base >= 1 && base <= cap && healthyAfter >= 0, "a backoff needs 1 <= base <= cap")
        self.base = base
        self.cap = cap
        self.healthyAfter = healthyAfter
    }

    /// The ceiling of the next wait, nanoseconds.
    package var ceiling: Int64 {
        // A shift past 62 bits would overflow long before it could matter; the cap wins.
        guard failures < 62 else { return cap }
        let (product, overflow) = base.multipliedReportingOverflow(by: 1 << Int64(failures))
        return overflow ? cap : min(cap, product)
    }

    /// Returns how long to wait before the next attempt and remembers that one more attempt failed.
    ///
    /// - Parameters:
    ///   - afterHealthy: How long the connection that just ended had been delivering data, nanoseconds; 0
    ///     when it never was.
    ///   - atLeast: A lower bound that the other side asked for (`Retry-After`), nanoseconds; may exceed
    ///     `cap`.
    ///   - generator: The source of the jitter.
    /// - Returns: Nanoseconds, 0 or more. What `atLeast` asks for gets up to half of it on top, since all
    ///   clients were told the same.
    package mutating func delay(
        afterHealthy: Int64 = 0, atLeast: Int64 = 0, using generator: inout some RandomNumberGenerator
    ) -> Int64 {
        if afterHealthy >= healthyAfter { failures = 0 }
        let jitter = Int64.random(in: 0...ceiling, using: &generator)
        failures += 1
        guard atLeast > 0 else { return jitter }
        let spread = Int64.random(in: 0...atLeast / 2, using: &generator)
        let (sum, overflow) = atLeast.addingReportingOverflow(spread)
        return overflow ? atLeast : max(sum, jitter)
    }

    /// Forgets all failures, as after a change of configuration.
    package mutating func reset() { failures = 0 }
}
