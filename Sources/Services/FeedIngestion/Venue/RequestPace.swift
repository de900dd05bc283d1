import Instruments
import Venues

/// How often one venue may be asked, by REST or for a connection, and when it has asked us to wait.
///
/// What is urgent (images, instruments) may use the whole budget; what can wait (missed trades, audits)
/// leaves a part of it to the urgent.
struct RequestPace: Sendable {
    private var bucket: TokenBucket
    private let capacity: Int
    private let reserve: Int
    private var pausedUntil: Int64 = 0
    /// How long the pause was that ends then; a clock that is set back makes none longer.
    private var pauseLength: Int64 = 0

    /// The pace of a venue with this limit.
    init(_ limit: RequestLimit) { self.init(limit, dividedBy: 1) }

    /// The pace of who may take one of so many parts of a limit.
    init(_ limit: RequestLimit, dividedBy parts: Int) {
        capacity = max(limit.capacity / parts, 1)
        bucket = TokenBucket(capacity: capacity, refillEvery: limit.refillEvery * Int64(parts))
        reserve = max(min(5, capacity / 2), capacity / 4)
    }

    /// Takes the right to ask now, or says how many nanoseconds to wait before trying again.
    ///
    /// - Parameters:
    ///   - weight: What that takes of the budget; more than all of it is all of it.
    ///   - isUrgent: Whether it may take from what is left to the urgent.
    ///   - now: The time.
    /// - Returns: 0 when the right is taken.
    mutating func take(_ weight: Int = 1, isUrgent: Bool, at now: Timestamp) -> Int64 {
        let weight = min(max(weight, 1), isUrgent ? capacity : capacity - reserve)
        pausedUntil = min(pausedUntil, now.adding(nanoseconds: pauseLength).nanoseconds)
        let now = now.nanoseconds
        bucket.settle(at: now)
        if pausedUntil > now { return pausedUntil - now }
        let least = isUrgent ? weight : weight + reserve
        guard bucket.available(at: now) >= least else { return max(bucket.wait(for: least, at: now), 1) }
        return bucket.take(weight, at: now) ? 0 : bucket.refillEvery
    }

    /// Nobody asks for so many nanoseconds.
    mutating func pause(for nanoseconds: Int64, at now: Timestamp) {
        let left = max(min(pausedUntil - now.nanoseconds, pauseLength), 0)
        pauseLength = max(nanoseconds, left)
        pausedUntil = now.adding(nanoseconds: pauseLength).nanoseconds
    }
}
