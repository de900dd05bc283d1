public import MarketData
import Synchronization

/// One topic of one publisher, with the counter that numbers its messages.
///
/// A topic has one owner: the one actor that appends its messages to batches and offers them in that order.
/// Numbers rise by one per message from 1 and start again with the publisher's next life; a topic that is
/// begun again after its end goes on where it ended.
public final class PublisherTopic: Sendable {
    /// The topic, ending in a dot.
    public let text: String
    /// Dense among the topics of the publisher, from 0.
    public let index: Int

    let bytes: [UInt8]
    /// Whose messages it numbers.
    let life: PublisherLife
    // Written by the owner only; atomic because others may look.
    private let sequence: Atomic<UInt64>
    private let hasLoss = Atomic<Bool>(false)
    private let ended = Atomic<Bool>(false)

    /// A topic whose first message has the number after `last`.
    init(text: String, index: Int, of life: PublisherLife, after last: UInt64 = 0) {
        self.text = text
        self.index = index
        self.life = life
        bytes = Array(text.utf8)
        sequence = Atomic(last)
    }

    /// The number of the last message that was appended; 0 before the first.
    public var lastSequence: UInt64 { sequence.load(ordering: .relaxed) }

    /// Where the stream stands: what a `BookSnapshot` of this delta topic continues; `nil` before the first
    /// message.
    public var lastPosition: StreamPosition? {
        let last = lastSequence
        guard last != 0 else { return nil }
        return StreamPosition(producer: life.producer, epoch: life.epoch, sequence: last)
    }

    /// Whether messages of the topic were refused since the last call: its followers need a snapshot.
    public func takeLoss() -> Bool { hasLoss.exchange(false, ordering: .relaxed) }

    /// Whether its last message was handed over.
    var hasEnded: Bool {
        get { ended.load(ordering: .acquiring) }
        set { ended.store(newValue, ordering: .releasing) }
    }

    func markLoss() { hasLoss.store(true, ordering: .relaxed) }

    func nextSequence() -> UInt64 {
        // Two plain accesses instead of one locked addition: there is a single owner.
        let next = sequence.load(ordering: .relaxed) &+ 1
        sequence.store(next, ordering: .relaxed)
        return next
    }
}

extension PublisherTopic: Hashable {
    /// Equal when it is the same object.
    public static func == (left: PublisherTopic, right: PublisherTopic) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
