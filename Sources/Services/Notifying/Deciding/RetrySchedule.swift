/// When a delivery that failed is tried again: ten attempts over 75 hours.
///
/// Each wait is its step and jitter on top of it, drawn evenly from nothing to the whole step but at most ten
/// minutes: what failed together does not come back together, and the last attempt is never before its 75
/// hours are over. What a receiver asks for is waited for at least.
///
/// Source: Standard Webhooks 1.0 (2023), "Retry schedule": 0 s, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h,
/// 24 h, each after the one before.
struct RetrySchedule {
    /// Nanoseconds between an attempt and the next.
    static let steps: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map {
        $0 * 1_000_000_000
    }
    /// How often a delivery is tried before it is a dead letter.
    static var attempts: Int { steps.count + 1 }
    /// Nanoseconds.
    private static let longestJitter: Int64 = 600_000_000_000

    /// When to try again.
    ///
    /// - Parameters:
    ///   - failures: Attempts that were made and failed, from 1.
    ///   - asked: How long the receiver asks to wait.
    ///   - now: When the last attempt ended, nanoseconds.
    ///   - generator: For the jitter.
    /// - Returns: The time of the next attempt; `nil` when the last one was made.
    static func next(
        after failures: Int, asked: Duration?, at now: Int64,
        using generator: inout some RandomNumberGenerator
    ) -> Int64? {
        guard failures >= 1, failures <= steps.count else { return nil }
        let step = steps[failures - 1]
        let jitter = Int64.random(in: 0...min(step, longestJitter), using: &generator)
        return now + max(step, asked?.nanoseconds ?? 0) + jitter
    }
}

extension Duration {
    /// Whole nanoseconds, at most 146 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < 4_611_686_018 else { return seconds < 0 ? .min / 2 : .max / 2 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
