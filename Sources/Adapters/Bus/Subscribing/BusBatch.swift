public import MarketData
public import Wire

/// Messages and notices in the order in which they came, with one shared buffer.
public struct BusBatch: Sendable {
    /// What happened, in order.
    public let events: [BusEvent]

    private let storage: BatchStorage
    private let names: SubscriberNames

    init(events: [BusEvent], storage: BatchStorage, names: SubscriberNames) {
        self.events = events
        self.storage = storage
        self.names = names
    }

    /// The names that hold after these are forgotten.
    func names(without forgotten: BusForgotten) -> SubscriberNames { names.without(forgotten) }

    /// The text of a topic.
    ///
    /// Takes a lock: keep it by its number instead of asking for each message.
    public func topic(_ index: BusTopicIndex) -> String { names.topic(index) }

    /// The name of a producer.
    ///
    /// Takes a lock, as ``topic(_:)``.
    public func producer(_ index: BusProducerIndex) -> String { names.producer(index) }

    /// Who published the message, in which life, and its number.
    public func position(of message: BusMessage) -> StreamPosition {
        StreamPosition(producer: producer(message.producer), epoch: message.epoch, sequence: message.sequence)
    }

    /// Reads the bytes of a message's whole envelope in place; the pointer is valid inside `body` only.
    ///
    /// - Precondition: The message is of this batch.
    public func withPayload<Value, Failure: Error>(
        of message: BusMessage, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(storage.bytes(Int(message.start), Int(message.count)))
    }

    /// A copy of the bytes of a message's whole envelope.
    ///
    /// - Precondition: The message is of this batch.
    public func payload(of message: BusMessage) -> [UInt8] { withPayload(of: message) { Array($0) } }

    /// What the message says.
    ///
    /// - Throws: `WireError`; the consumer counts it and goes on with the next message.
    public func decode(_ message: BusMessage) throws(WireError) -> WireEvent {
        try withPayload(of: message) { (bytes) throws(WireError) in try EnvelopeDecoder.decode(bytes).1 }
    }
}
