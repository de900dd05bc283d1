public import Wire

/// Messages on their way to a ``Publisher``, numbered as they are appended.
///
/// A batch that is thrown away leaves a gap that every subscriber sees, because its numbers are used up.
public struct OutboundBatch: Sendable {
    struct Record: Sendable {
        let topic: PublisherTopic
        let sequence: UInt64
        let end: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var records: [Record] = []

    public init() {}

    /// Messages in the batch.
    public var count: Int { records.count }

    /// Bytes of all events in the batch, without topics and headers.
    public var byteCount: Int { bytes.count }

    /// Whether there is nothing to send.
    public var isEmpty: Bool { records.isEmpty }

    /// Adds an event and returns its number in the topic.
    @discardableResult
    public mutating func append(_ event: WireEvent, to topic: PublisherTopic) -> UInt64 {
        append(EventEncoder.encode(event), to: topic)
    }

    /// Adds the bytes of an event, as ``EventEncoder`` makes them, and returns its number in the topic.
    @discardableResult
    public mutating func append(_ payload: [UInt8], to topic: PublisherTopic) -> UInt64 {
        bytes.append(contentsOf: payload)
        return close(topic)
    }

    /// Adds the bytes of an event and returns its number in the topic.
    @discardableResult
    public mutating func append(_ payload: UnsafeRawBufferPointer, to topic: PublisherTopic) -> UInt64 {
        bytes.append(contentsOf: payload)
        return close(topic)
    }

    /// Lets `write` append the bytes of an event in place, and returns its number in the topic.
    ///
    /// - Precondition: `write` only appends.
    @discardableResult
    public mutating func append(to topic: PublisherTopic, _ write: (inout [UInt8]) -> Void) -> UInt64 {
        let start = bytes.count
        write(&bytes)
        precondition(bytes.count >= start, "an event is appended to a batch, nothing is removed")
        return close(topic)
    }

    /// Forgets all messages and keeps the memory.
    ///
    /// Their numbers stay used: subscribers see a gap.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
    }

    private mutating func close(_ topic: PublisherTopic) -> UInt64 {
        let sequence = topic.nextSequence()
        records.append(Record(topic: topic, sequence: sequence, end: bytes.count))
        return sequence
    }
}
