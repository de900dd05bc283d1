import Synchronization
import Wire

/// In whose name a ``Publisher`` speaks: a producer in one of its lives, with the topics that it numbers.
///
/// A publisher has one of its own; further ones are begun and ended while it runs, such as one for what it
/// tells of only as long as it holds the lease. A later life of the same producer, whoever's publisher it is
/// of, takes the place of this one for everybody who listens.
package final class PublisherVoice: Sendable {
    private struct Topics {
        var byText: [String: PublisherTopic] = [:]
        /// Numbers of topics that have ended.
        var free: [Int] = []
        var ended = EndedTopics()
    }

    let life: PublisherLife
    private let queue: PublisherQueue
    private let maximumTopics: Int
    private let topics: Mutex<Topics>

    /// Begins with the topic of its heartbeats, which has the number 0.
    init(_ life: PublisherLife, heartbeat: PublisherTopic, _ queue: PublisherQueue, maximumTopics: Int) {
        self.life = life
        self.queue = queue
        self.maximumTopics = maximumTopics
        topics = Mutex(Topics(byText: [heartbeat.text: heartbeat]))
    }

    package var producer: String { life.producer }

    package var epoch: UInt64 { life.epoch }

    /// Whether nothing that it says is sent any more.
    package var isOver: Bool { life.isOver }

    /// Nothing more is sent of it, neither what waits nor a heartbeat.
    package func end() { life.end() }

    /// The topic with this text, the same object for the same text.
    ///
    /// - Throws: ``BusError/malformedTopic(_:)`` unless it has 1...255 bytes and ends in a dot;
    ///   ``BusError/tooManyTopics(limit:)``.
    package func topic(_ text: String) throws(BusError) -> PublisherTopic {
        guard text.utf8.last == UInt8(ascii: "."), text.utf8.count <= 255 else { throw .malformedTopic(text) }
        let topic: PublisherTopic? = topics.withLock { topics in
            if let known = topics.byText[text] { return known }
            guard topics.byText.count < maximumTopics else { return nil }
            let new = PublisherTopic(
                text: text, index: topics.free.popLast() ?? topics.byText.count, of: life,
                after: topics.ended.take(text))
            topics.byText[text] = new
            return new
        }
        guard let topic else { throw .tooManyTopics(limit: maximumTopics) }
        return topic
    }

    /// Hands a batch over, as ``Publisher/offer(_:)`` does.
    @discardableResult
    package func offer(_ batch: inout OutboundBatch) -> Bool { queue.offer(&batch) }

    /// Whether it has this topic.
    func has(_ text: String) -> Bool { topics.withLock { $0.byText[text] != nil } }

    /// Ends a topic of its own, see ``Publisher/end(_:)``.
    func end(_ topic: PublisherTopic) -> Bool {
        guard !topic.hasEnded else { return true }
        var batch = OutboundBatch()
        batch.append([UInt8](), to: topic)
        topic.hasEnded = true
        guard queue.offer(&batch) else {
            topic.hasEnded = false
            return false
        }
        topics.withLock { topics in
            topics.byText[topic.text] = nil
            topics.free.append(topic.index)
            topics.ended.note(text: topic.text, last: topic.lastSequence)
        }
        return true
    }
}
