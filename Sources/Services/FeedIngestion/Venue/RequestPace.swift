import Instruments
import Venues

/// How often one venue may be asked, by REST or for a connection, and when it has asked us to wait.
///
/// What is urgent (images, instruments) may use the whole budget; what can wait (missed trades, audits)
/// leaves a part of it to the urgent.
struct RequestPace: Sendable {
    private var bucket: TokenBucket
    private let reserve: Int
    private var pausedUntil: Int64 = 0
    /// How long the pause was that ends then; a clock that is set back makes none longer.
    private var pauseLength: Int64 = 0

    /// The pace of a venue with this limit.
    init(_ limit: RequestLimit) {
        bucket = TokenBucket(capacity: limit.capacity, refillEvery: limit.refillEvery)
        reserve = min(5, limit.capacity / 2)
    }

    /// Takes the right to ask now, or says how many nanoseconds to wait before trying again.
    mutating func take(isUrgent: Bool, at now: Timestamp) -> Int64 {
        pausedUntil = min(pausedUntil, now.adding(nanoseconds: pauseLength).nanoseconds)
        let now = now.nanoseconds
        bucket.settle(at: now)
        if pausedUntil > now { return pausedUntil - now }
        if !isUrgent, bucket.available(at: now) <= reserve { return bucket.refillEvery }
        return bucket.take(at: now) ? 0 : max(bucket.wait(at: now), 1)
    }

    /// Nobody asks for so many nanoseconds.
    mutating func pause(for nanoseconds: Int64, at now: Timestamp) {
        let left = max(min(pausedUntil - now.nanoseconds, pauseLength), 0)
        pauseLength = max(nanoseconds, left)
        pausedUntil = now.adding(nanoseconds: pauseLength).nanoseconds
    }
}
