public import Instruments

/// A topic by a small number: dense from 0, the same for one ``Subscriber`` until the topic is
/// ``BusEvent/forgotten(_:)``.
public struct BusTopicIndex: RawRepresentable, Hashable, Sendable {
    /// The number, from 0.
    public let rawValue: Int32

    /// Wraps a number that came from a ``Subscriber``.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A producer by a small number: dense from 0, the same for one ``Subscriber`` until the producer is
/// ``BusEvent/forgotten(_:)``.
public struct BusProducerIndex: RawRepresentable, Hashable, Sendable {
    /// The number, from 0.
    public let rawValue: Int32

    /// Wraps a number that came from a ``Subscriber``.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// One message of a ``BusBatch``; its bytes lie in the batch.
public struct BusMessage: Hashable, Sendable {
    /// The topic; the batch knows its text.
    public let topic: BusTopicIndex
    /// The producer; the batch knows its name.
    public let producer: BusProducerIndex
    /// Which life of the producer it is from.
    public let epoch: UInt64
    /// The message's number in (producer, epoch, topic).
    public let sequence: UInt64
    /// When the publisher handed it to the bus.
    public let publishedTime: Timestamp
    /// Whether it was kept by the broker and asked for; false for a live message.
    public let isRetained: Bool

    let start: Int32
    let count: Int32

    /// Bytes of the whole envelope.
    public var byteCount: Int { Int(count) }
}

/// Messages that were published on a topic and did not arrive, or were dropped here.
///
/// The topic must resync.
public struct BusGap: Hashable, Sendable {
    /// How the loss was found.
    public enum Cause: UInt8, Sendable {
        /// A later message arrived.
        case sequence
        /// A heartbeat names a number that never arrived.
        case heartbeat
        /// The consumer was too slow and the hand-over full.
        case overflow
    }

    /// The topic with the loss.
    public let topic: BusTopicIndex
    /// Who published what is missing.
    public let producer: BusProducerIndex
    /// The number of the first missing message.
    public let expected: UInt64
    /// The number of the message that arrived instead; `nil` when none did.
    public let received: UInt64?
    /// How the loss was found.
    public let cause: Cause
}

/// The end of one answer about retained state.
public struct BusStateAnswer: Hashable, Sendable {
    /// What was asked for.
    public let prefixes: [String]
    /// Retained messages of the answer.
    public let messages: Int
    /// Topics, or prefixes, that the broker could not answer whole.
    ///
    /// It has asked the publishers for snapshots.
    public let incomplete: [String]
}

/// Topics and producers that were silent for long or have ended: whoever keeps something by their numbers
/// forgets it now, because from the next batch on the numbers may mean others.
///
/// Of a topic that comes back nobody knows what was missed meanwhile. The batch still knows the names.
public struct BusForgotten: Hashable, Sendable {
    /// Topics that are not known any more.
    public internal(set) var topics: [BusTopicIndex] = []
    /// Producers that are not known any more.
    public internal(set) var producers: [BusProducerIndex] = []

    var isEmpty: Bool { topics.isEmpty && producers.isEmpty }
}

/// What a ``Subscriber`` delivers.
public enum BusEvent: Sendable {
    /// A message; live messages of one topic and producer come in order and once.
    case message(BusMessage)
    /// A loss, right before the message that revealed it if one did.
    case gap(BusGap)
    /// So many messages were dropped because the consumer was too slow; a ``gap(_:)`` per topic follows.
    case overflow(messages: Int)
    /// Nothing was heard of the producer for three seconds of listening: what it said may be out of date.
    case producerSilent(String)
    /// The producer is heard again in the same life.
    case producerBack(String)
    /// The producer began a new life: its sequences start again at 1.
    case producerRestarted(String, epoch: UInt64)
    /// Nothing at all was heard for three seconds of listening.
    ///
    /// After ten the socket is made anew.
    case busSilent
    /// The broker has confirmed subscriptions: of these beginnings of topics everything is heard from now on.
    ///
    /// At first they are all, later those that were added, and all again after a reconnection; only the added
    /// ones where some were added while the broker was away, and gaps tell of the others then.
    case synchronized([String])
    /// All retained messages of one answer have been delivered.
    case stateAnswered(BusStateAnswer)
    /// Numbers of topics and producers that mean nothing any more; alone in its batch.
    case forgotten(BusForgotten)
}
