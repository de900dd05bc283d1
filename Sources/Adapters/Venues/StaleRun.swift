import Instruments

/// Changes in a row that are older than the book they are about.
///
/// A few are normal: an image may be newer than what is under way, and all that waited for it comes in one
/// moment. Many of them for long with nothing new between say that the venue counts anew, and that the
/// book, which passes them over, stands still.
struct StaleRun: Sendable {
    /// How many it takes at the least.
    static let least = 100
    /// How long it takes at the least, in nanoseconds.
    static let length: Int64 = 30_000_000_000

    private var last: Int64 = .min
    private var count = 0
    private var since = Timestamp.zero

    /// Takes one in that is not newer than the book's last change; returns whether it is too many.
    mutating func isTooLong(behind last: Int64, at time: Timestamp) -> Bool {
        if last != self.last {
            self.last = last
            count = 0
            since = time
        }
        count += 1
        return count >= Self.least && time.nanoseconds(since: since) >= Self.length
    }
}
