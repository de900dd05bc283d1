import Instruments
import Venues

/// What is to be sent on one connection, in order, no faster than the venue takes messages.
struct SendQueue: Sendable {
    private var waiting: [String] = []
    /// `nil` where the venue counts by address, or not.
    private var bucket: TokenBucket?

    init(_ limit: MessageLimit?) {
        guard let limit, !limit.isOfAddress else { return }
        bucket = TokenBucket(capacity: limit.rate.capacity, refillEvery: limit.rate.refillEvery)
    }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ text: String) { waiting.append(text) }

    /// What may be sent now.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - address: Takes the right to send one message from what all connections share.
    /// - Returns: In the order in which it was added.
    mutating func takeDue(at now: Timestamp, _ address: () -> Bool) -> [String] {
        bucket?.settle(at: now.nanoseconds)
        var count = 0
        while count < waiting.count, bucket?.take(at: now.nanoseconds) ?? true, address() { count += 1 }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }
}
