import Instruments

/// How often one venue's REST interface may be asked, and when it has asked us to wait.
///
/// What is urgent (images, instruments) may use the whole budget; what can wait (missed trades, audits)
/// leaves a part of it to the urgent.
struct RequestPace: Sendable {
    private var bucket: TokenBucket
    private let reserve: Int
    private var pausedUntil: Int64 = 0

    /// A venue's pace, well below its published limits.
    ///
    /// Source: BitMEX "Rate limits": 30 requests a minute without a key. Kraken "API rate limits": about one
    /// public request a second. Binance "Limits": 6,000 units of weight a minute (spot), 2,400 (USD-M), 50 or
    /// 20 for an image. Read 2026-11.
    init(_ venue: Venue) {
        switch venue {
        case .bitmex: bucket = TokenBucket(capacity: 15, refillEvery: 2_000_000_000)
        case .kraken: bucket = TokenBucket(capacity: 10, refillEvery: 1_000_000_000)
        default: bucket = TokenBucket(capacity: 20, refillEvery: 500_000_000)
        }
        reserve = 5
    }

    /// Takes the right to ask now, or says how many nanoseconds to wait before trying again.
    mutating func take(isUrgent: Bool, at now: Timestamp) -> Int64 {
        let now = now.nanoseconds
        if pausedUntil > now { return pausedUntil - now }
        if !isUrgent, bucket.available(at: now) <= reserve { return bucket.refillEvery }
        return bucket.take(at: now) ? 0 : max(bucket.wait(at: now), 1)
    }

    /// Nobody asks for so many nanoseconds.
    mutating func pause(for nanoseconds: Int64, at now: Timestamp) {
        pausedUntil = max(pausedUntil, now.adding(nanoseconds: nanoseconds).nanoseconds)
    }
}
