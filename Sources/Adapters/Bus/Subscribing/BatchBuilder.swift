import Instruments

/// Collects one batch on the socket's thread.
struct BatchBuilder {
    private let names: SubscriberNames
    private var events: [BusEvent] = []
    private var storage = BatchStorage()

    /// Messages so far; notices are not counted.
    private(set) var messageCount = 0

    init(names: SubscriberNames) { self.names = names }

    var isEmpty: Bool { events.isEmpty }

    /// Bytes of the messages so far.
    var byteCount: Int { storage.count }

    func name(_ producer: BusProducerIndex) -> String { names.producer(producer) }

    /// Adds a message, copying its bytes.
    mutating func append(
        _ envelope: UnsafeRawBufferPointer, _ scan: EnvelopeScan, topic: BusTopicIndex,
        producer: BusProducerIndex,
        isRetained: Bool
    ) {
        let start = storage.append(envelope)
        events.append(
            .message(
                BusMessage(
                    topic: topic, producer: producer, epoch: scan.epoch, sequence: scan.sequence,
                    publishedTime: scan.publishedTime, isRetained: isRetained, start: Int32(start),
                    count: Int32(envelope.count))))
        messageCount += 1
    }

    /// Adds what is no message.
    mutating func append(_ event: BusEvent) { events.append(event) }

    /// The batch, with these events before all others; the builder is empty afterwards.
    mutating func finish(after leading: [BusEvent]) -> BusBatch {
        let batch = BusBatch(
            events: leading.isEmpty ? events : leading + events, storage: storage, names: names)
        events = []
        storage = BatchStorage()
        messageCount = 0
        return batch
    }
}
