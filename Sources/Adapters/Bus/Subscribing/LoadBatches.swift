package import Instruments
package import Wire

/// Batches as a ``Subscriber`` delivers them, made without a socket: to measure what a consumer costs.
package struct LoadBatches {
    private var names = SubscriberNames()
    private let epoch: UInt64
    private let prefix: [UInt8]
    private var builder: BatchBuilder
    private var topics: [String: (index: BusTopicIndex, sequence: UInt64)] = [:]
    /// Numbers of topics that were forgotten.
    private var free: [BusTopicIndex] = []

    /// Messages of one life of a producer.
    package init(producer: String, epoch: UInt64) {
        self.epoch = epoch
        prefix = EnvelopeHeader.prefix(producer: producer, epoch: epoch)
        names.put(producer: producer, at: 0)
        builder = BatchBuilder(names: names)
    }

    /// Messages since the last batch.
    package var count: Int { builder.messageCount }

    /// Adds a message with the topic's next number, which it returns.
    @discardableResult
    package mutating func append(_ event: WireEvent, to topic: String, at time: Timestamp) -> UInt64 {
        var known = topics[topic] ?? (free.popLast() ?? BusTopicIndex(rawValue: Int32(topics.count)), 0)
        if known.sequence == 0 { names.put(topic: topic, at: Int(known.index.rawValue)) }
        known.sequence += 1
        topics[topic] = known
        let payload = EventEncoder.encode(event)
        var bytes = [UInt8](
            repeating: 0, count: EnvelopeHeader.size(prefixCount: prefix.count) + payload.count)
        bytes.withUnsafeMutableBytes { raw in
            let size = EnvelopeHeader.write(
                prefix: prefix, sequence: known.sequence, publishedTime: time, into: raw)
            UnsafeMutableRawBufferPointer(rebasing: raw[size...]).copyBytes(from: payload)
        }
        bytes.withUnsafeBytes { raw in
            // The header is of our own making, so that it can be read.
            guard let scan = EnvelopeScan(raw) else { return }
            builder.append(
                raw, scan, topic: known.index, producer: BusProducerIndex(rawValue: 0), isRetained: false)
        }
        return known.sequence
    }

    /// The messages since the last batch.
    package mutating func finish() -> BusBatch { builder.finish(after: []) }

    /// A topic was silent for long, or has ended: its number is the next new one's.
    package mutating func forget(_ topic: String) -> BusBatch {
        let gone = BusForgotten(topics: topics.removeValue(forKey: topic).map { [$0.index] } ?? [])
        free += gone.topics
        builder.append(.forgotten(gone))
        let batch = builder.finish(after: [])
        names = names.without(gone)
        builder = BatchBuilder(names: names)
        return batch
    }

    /// What a subscriber says first: the subscriptions hold, and all that is retained was delivered.
    package mutating func begin() -> BusBatch {
        builder.append(.synchronized([]))
        builder.append(.stateAnswered(BusStateAnswer(prefixes: [], messages: 0, incomplete: [])))
        return builder.finish(after: [])
    }
}
