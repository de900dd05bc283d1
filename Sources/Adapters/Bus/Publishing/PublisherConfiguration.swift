public import Instruments

/// What a ``Publisher`` needs to know.
public struct PublisherConfiguration: Sendable {
    /// Who publishes: 1...127 bytes, the same in every life of the same service instance.
    public var producer: String
    /// Where the broker is; only `publish` is used.
    public var addresses: BusAddresses
    /// Which life this is; greater than all before.
    ///
    /// 0 takes the time of day in nanoseconds when the publisher is made, by ``clock``.
    public var epoch: UInt64 = 0
    /// Messages that may wait for the broker inside ZeroMQ, which drops silently past them; 0 means no limit.
    ///
    /// Bounds memory to about this many times the size of a message.
    public var sendHighWaterMark = 50_000
    /// Messages that may be on their way to the broker without its word that it has them; more wait in the
    /// queue.
    ///
    /// At most two fifths of ``sendHighWaterMark`` are taken: past that mark ZeroMQ drops, and it learns only
    /// after each half of it what has left. 0 means no limit.
    ///
    /// Source: libzmq 4.3.4, pipe.cpp, `compute_lwm`: the reader tells every (mark + 1) / 2 messages.
    public var maximumUnderWay = 16_000
    /// For how long a broker that is behind is waited for before sending on regardless.
    ///
    /// An answer that was lost with a broker's life would otherwise hold everything up for ever.
    public var brokerPatience: Duration = .seconds(2)
    /// Batches that may wait for the publisher's thread; a further one is refused.
    public var maximumWaitingBatches = 256
    /// Bytes that may wait for the publisher's thread; a batch beyond them is refused.
    public var maximumWaitingBytes = 32 << 20
    /// Topics that the publisher may have.
    public var maximumTopics = 200_000
    /// The time of day; a clock that all machines share lets a life on another one follow this one.
    public var clock: @Sendable () -> Timestamp = { BusClock.wall() }

    /// Describes a publisher with the default bounds.
    public init(producer: String, addresses: BusAddresses = .loopback) {
        self.producer = producer
        self.addresses = addresses
    }
}
