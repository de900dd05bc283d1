/// The bounds of what the broker remembers.
public struct BrokerLimits: Hashable, Sendable {
    /// Topics followed; messages on further ones are not forwarded and counted.
    public var topics = 200_000
    /// Bytes of all retained messages; past them books are marked to be asked for again and other state is
    /// not kept.
    public var bytes = 512 << 20
    /// Deltas kept of one book since its snapshot.
    public var bookDeltas = 20_000
    /// Bytes of the deltas kept of one book since its snapshot.
    public var bookBytes = 4 << 20
    /// Answers about retained state in work at one time; further questions wait.
    public var answers = 64

    /// The defaults.
    public init() {}

    var book: BookRetention.Limits { BookRetention.Limits(deltas: bookDeltas, bytes: bookBytes) }
}
