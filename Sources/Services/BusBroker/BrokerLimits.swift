/// The bounds of what the broker remembers.
package struct BrokerLimits: Hashable, Sendable {
    /// Topics followed; messages on further ones are not forwarded and counted.
    package var topics = 200_000
    /// Bytes of all retained messages; past them books are marked to be asked for again and other state is
    /// not kept.
    package var bytes = 512 << 20
    /// Deltas kept of one book since its snapshot.
    package var bookDeltas = 20_000
    /// Bytes of the deltas kept of one book since its snapshot.
    package var bookBytes = 4 << 20
    /// Answers about retained state in work at one time; further questions wait.
    package var answers = 64
    /// A producer that was not heard for so long is forgotten with what it said; nanoseconds.
    ///
    /// A night, so that who looks in the morning still sees what failed.
    package var silence: Int64 = 720 * minute

    /// Nanoseconds.
    static let minute: Int64 = 60_000_000_000

    package init() {}

    var book: BookRetention.Limits { BookRetention.Limits(deltas: bookDeltas, bytes: bookBytes) }
}
