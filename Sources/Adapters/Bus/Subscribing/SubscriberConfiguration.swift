/// What a ``Subscriber`` needs to know.
public struct SubscriberConfiguration: Sendable {
    /// Names the thread and the metrics; bounded, like `book-builder`.
    public var name: String
    /// Where the broker is; `subscribe` and `state` are used.
    public var addresses: BusAddresses
    /// Topics wanted from the start, by their beginnings; "" is everything.
    public var prefixes: [String]
    /// Messages that may wait for the consumer, and at most one batch more; what comes beyond them is
    /// dropped, counted and reported as gaps.
    public var maximumWaitingMessages = 16_384
    /// Messages of a batch at most.
    public var batchLimit = 256
    /// Messages that may wait inside ZeroMQ; only full while our own thread gets no processor.
    ///
    /// 0 means no limit.
    public var receiveHighWaterMark = 100_000
    /// Topics that are followed; messages on further ones are refused and counted.
    public var maximumTopics = 200_000
    /// Whether retained state is asked for after subscribing and after each reconnection.
    public var asksForState = true
    /// Topics that were neither heard nor named by a heartbeat for so long, and producers of whom nothing
    /// was heard, are forgotten; at most eleven days.
    ///
    /// Past three quarters of the topics, or of 4,096 producers, a minute is enough.
    public var forgetsAfter: Duration = .seconds(12 * 3_600)

    /// Describes a subscriber with the default bounds.
    public init(name: String, addresses: BusAddresses = .loopback, prefixes: [String]) {
        self.name = name
        self.addresses = addresses
        self.prefixes = prefixes
    }
}

/// What a subscriber has seen since it was made.
public struct SubscriberCounters: Hashable, Sendable {
    /// Live messages delivered.
    public var received: UInt64 = 0
    /// Bytes of those messages, headers included and topics not.
    public var receivedBytes: UInt64 = 0
    /// Retained messages delivered.
    public var retained: UInt64 = 0
    /// Losses found, by any cause.
    public var gaps: UInt64 = 0
    /// Messages known to be missing: what the numbers leave out.
    public var missing: UInt64 = 0
    /// Messages dropped because the consumer was too slow.
    public var dropped: UInt64 = 0
    /// Messages with a number that was seen before: not delivered.
    public var duplicates: UInt64 = 0
    /// Messages of an earlier life of a producer that lives again: not delivered.
    public var obsolete: UInt64 = 0
    /// Messages, heartbeats and answers that make no sense: not delivered.
    public var malformed: UInt64 = 0
    /// Messages on more topics, or of more producers, than may be followed: not delivered.
    public var refused: UInt64 = 0
    /// Heartbeats heard.
    public var heartbeats: UInt64 = 0
    /// Questions about retained state sent.
    public var stateRequests: UInt64 = 0
    /// Questions that got no answer in time.
    public var stateTimeouts: UInt64 = 0
    /// Times that the broker confirmed the subscriptions.
    public var synchronizations: UInt64 = 0
    /// Times that the socket was made anew after a silence.
    public var recreated: UInt64 = 0
    /// The most messages that ever waited for the consumer.
    public var waitingMessagesMaximum = 0
    /// Topics that were forgotten, because they were silent for long or have ended.
    public var forgottenTopics: UInt64 = 0
    /// Producers that were forgotten because they were silent for long.
    public var forgottenProducers: UInt64 = 0

    public init() {}
}
