import Instruments
import Synchronization

/// Keeps requests to one provider apart, whoever makes them.
final class RequestSpacing: Sendable {
    private static let policy = RateLimit.Policy(burst: 1, interval: MarketsPage.interval)

    private let limit = Mutex(RateLimit())

    /// Takes the next place.
    ///
    /// - Returns: Nanoseconds until it, at most ``MarketsPage/interval``, also when the clock was set back.
    func reserve(at now: Timestamp) -> Int64 {
        limit.withLock { limit in
            let wait = limit.take(of: Self.policy, at: now).retryAfter
            if wait > 0 { _ = limit.take(of: Self.policy, at: now.adding(nanoseconds: wait)) }
            return wait
        }
    }
}
