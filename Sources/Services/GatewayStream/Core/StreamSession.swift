/// What one client wants and what it was told; decides what it is told next.
///
/// Holds no data: however slowly a client reads, it costs a place per subscription.
struct StreamSession: Sendable {
    private struct Subscription: Sendable {
        let topic: StreamTopic
        /// What was told last; `nil` before the first.
        var place: StreamCursor?
        var isWaiting = false
    }

    /// Subscriptions that one client may have.
    static let subscriptionLimit = 200

    private var subscriptions: [String: Subscription] = [:]
    private var names: [StreamTopic: [String]] = [:]
    /// Subscriptions that may have something to tell, the one that waits longest first.
    private var waiting: [String] = []
    private var head = 0

    /// How many subscriptions there are.
    var count: Int { subscriptions.count }

    /// The things that are subscribed to, each once.
    var topics: Dictionary<StreamTopic, [String]>.Keys { names.keys }

    /// Whether a name is in use.
    func isUsed(_ id: String) -> Bool { subscriptions[id] != nil }

    /// Adds a subscription that goes on after a place, or begins with the whole thing.
    ///
    /// - Returns: Whether the thing is new to this client.
    /// - Precondition: The name is not in use, and the limit is not reached.
    mutating func subscribe(_ id: String, to topic: StreamTopic, after place: StreamCursor?) -> Bool {
        precondition(subscriptions[id] == nil && count < Self.subscriptionLimit, "the caller has checked")
        subscriptions[id] = Subscription(topic: topic, place: place)
        names[topic, default: []].append(id)
        mark(id)
        return names[topic]?.count == 1
    }

    /// Ends a subscription.
    ///
    /// - Returns: `nil` for an unknown name; else its thing, and whether no other subscription is to it.
    mutating func unsubscribe(_ id: String) -> (topic: StreamTopic, isLast: Bool)? {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return nil }
        let topic = subscription.topic
        names[topic]?.removeAll { $0 == id }
        // A name that still waits is passed over when its turn comes.
        guard names[topic]?.isEmpty == true else { return (topic, false) }
        names[topic] = nil
        return (topic, true)
    }

    /// Says that there is news of a thing.
    mutating func mark(_ topic: StreamTopic) { for id in names[topic] ?? [] { mark(id) } }

    private mutating func mark(_ id: String) {
        guard subscriptions[id]?.isWaiting == false else { return }
        subscriptions[id]?.isWaiting = true
        waiting.append(id)
    }

    /// What the client is to be told next, one subscription in turn; `nil` when it knows everything.
    mutating func next(_ log: (StreamTopic) -> StreamLog?) -> SubscriptionUpdate? {
        while head < waiting.count {
            let id = waiting[head]
            head += 1
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= Self.subscriptionLimit {
                waiting.removeFirst(head)
                head = 0
            }
            guard let subscription = subscriptions[id] else { continue }
            subscriptions[id]?.isWaiting = false
            guard let log = log(subscription.topic) else { continue }
            let pieces = log.pieces(after: subscription.place)
            guard !pieces.isEmpty else { continue }
            subscriptions[id]?.place = StreamCursor(epoch: log.epoch, sequence: log.sequence)
            return SubscriptionUpdate(id: id, topic: subscription.topic, pieces: pieces)
        }
        return nil
    }
}

/// What a client is told of one of its subscriptions.
struct SubscriptionUpdate: Sendable {
    /// The subscription's name.
    let id: String
    /// Of what it is.
    let topic: StreamTopic
    /// In this order; at least one.
    let pieces: [StreamLog.Piece]
}
