/// What a publisher learns about the other side.
public enum PublisherEvent: Hashable, Sendable {
    /// A broker is there, for the first time or again.
    ///
    /// It may know nothing: publish snapshots and other state again.
    case brokerAppeared
    /// The broker is gone; what is sent now is lost and counted as unheard.
    case brokerLost
    /// The broker's state of a book has a hole or grows long: publish a fresh snapshot on this topic.
    case snapshotWanted(topic: String)
}

/// What a publisher has done since it was made.
public struct PublisherCounters: Hashable, Sendable {
    /// Messages taken from their owners.
    public var offered: UInt64 = 0
    /// Messages given to ZeroMQ while a broker was there.
    public var sent: UInt64 = 0
    /// Bytes of those messages, headers included and topics not.
    public var sentBytes: UInt64 = 0
    /// Messages not taken because too many were waiting: lost.
    public var refused: UInt64 = 0
    /// Messages that came while no broker was there: lost.
    public var unheard: UInt64 = 0
    /// Messages of a voice that had no say any more.
    public var silenced: UInt64 = 0
    /// Messages larger than a message may be: lost.
    public var oversized: UInt64 = 0
    /// Messages that ZeroMQ would not take: lost.
    public var failed: UInt64 = 0
    /// Times that a broker was behind for so long that it was not waited for any more.
    public var impatience: UInt64 = 0
    /// Heartbeats sent.
    public var heartbeats: UInt64 = 0
    /// Times that a broker appeared.
    public var brokerAppearances: UInt64 = 0
    /// The most batches that ever waited.
    public var waitingBatchesMaximum = 0

    public init() {}
}
