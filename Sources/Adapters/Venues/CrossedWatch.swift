import Instruments

/// How long a book has been crossed, on venues whose messages change one level each.
///
/// There a trade through several levels takes several messages, and the book may be crossed between them
/// although no message is missing. It is `suspect` meanwhile; only one that does not heal is fetched again.
struct CrossedWatch: Sendable {
    /// How long a book may stay crossed.
    ///
    /// Nanoseconds.
    static let limit: Int64 = 1_000_000_000

    private var since: Timestamp?

    /// Takes down whether the book is crossed after a message; returns whether it has been for too long.
    @inline(__always)
    mutating func isStuck(_ isCrossed: Bool, at time: Timestamp) -> Bool {
        guard isCrossed else {
            since = nil
            return false
        }
        guard let since else {
            self.since = time
            return false
        }
        return time.nanoseconds(since: since) > Self.limit
    }

    /// Begins anew, with a book that was thrown away or came whole.
    mutating func reset() { since = nil }
}
