/// Everything that the clients of one event loop want, and what there is to tell them.
///
/// A pure value: no socket, no clock. A change costs a mark for each client that wants it, and nothing for a
/// client that does not read: what it is told is decided when it can take it.
struct StreamCore: Sendable {
    /// A client, by a number that is not used again.
    typealias ClientID = UInt64

    /// Why something is refused.
    enum Refusal: Hashable, Sendable {
        /// The name is in use by this client.
        case nameInUse
        /// The client has as many subscriptions as it may.
        case tooMany
    }

    private var logs: [StreamTopic: StreamLog] = [:]
    private var sessions: [ClientID: StreamSession] = [:]
    private var audience: [StreamTopic: Set<ClientID>] = [:]
    private var lastClient: ClientID = 0

    /// How many clients there are.
    var clientCount: Int { sessions.count }

    /// How many things are wanted.
    var topicCount: Int { audience.count }

    /// Begins a client.
    mutating func open() -> ClientID {
        lastClient += 1
        sessions[lastClient] = StreamSession()
        return lastClient
    }

    /// Ends a client; the things that nobody here wants any more.
    mutating func close(_ client: ClientID) -> [StreamTopic] {
        guard let session = sessions.removeValue(forKey: client) else { return [] }
        return session.topics.filter { leave($0, client) }
    }

    /// Why a subscription would be refused; `nil` when it may be made.
    func refusal(of id: String, for client: ClientID) -> Refusal? {
        guard let session = sessions[client] else { return nil }
        if session.isUsed(id) { return .nameInUse }
        return session.count >= StreamSession.subscriptionLimit ? .tooMany : nil
    }

    /// Adds a subscription.
    ///
    /// - Returns: Whether nobody here wanted the thing before: its log has to be adopted then.
    mutating func subscribe(
        _ client: ClientID, _ id: String, to topic: StreamTopic, after place: StreamCursor?
    ) -> Bool {
        guard refusal(of: id, for: client) == nil,
            sessions[client]?.subscribe(id, to: topic, after: place) != nil
        else { return false }
        let isFirst = audience[topic] == nil
        audience[topic, default: []].insert(client)
        return isFirst
    }

    /// Ends a subscription.
    ///
    /// - Returns: `nil` for an unknown name; else whether nobody here wants its thing any more.
    mutating func unsubscribe(_ client: ClientID, _ id: String) -> (topic: StreamTopic, isOrphan: Bool)? {
        guard let (topic, isLast) = sessions[client]?.unsubscribe(id) else { return nil }
        return (topic, isLast && leave(topic, client))
    }

    /// Whether nobody is left.
    private mutating func leave(_ topic: StreamTopic, _ client: ClientID) -> Bool {
        audience[topic]?.remove(client)
        guard audience[topic]?.isEmpty == true else { return false }
        audience[topic] = nil
        logs[topic] = nil
        return true
    }

    /// Takes what was said of a thing so far; the clients that may have something to read now.
    mutating func adopt(_ log: StreamLog, of topic: StreamTopic) -> Set<ClientID> {
        guard let clients = audience[topic] else { return [] }
        logs[topic] = log
        for client in clients { sessions[client]?.mark(topic) }
        return clients
    }

    /// Takes a change; the clients that may have something to read now.
    ///
    /// One that does not follow the last one known here belongs to another life of the thing and is left out.
    mutating func apply(_ update: StreamUpdate) -> Set<ClientID> {
        // By its members: a copy of the log would make it unshare its changes with each one.
        guard let next = logs[update.topic]?.next, next == update.place,
            let clients = audience[update.topic]
        else { return [] }
        logs[update.topic]?.append(update.change, whole: update.whole)
        for client in clients { sessions[client]?.mark(update.topic) }
        return clients
    }

    /// What a client is to be told next; `nil` when it knows everything.
    mutating func next(_ client: ClientID) -> SubscriptionUpdate? {
        let logs = logs
        return sessions[client]?.next { logs[$0] }
    }
}

/// One change of one thing, encoded once.
struct StreamUpdate: Sendable {
    /// Of what.
    var topic: StreamTopic
    /// Its number.
    var place: StreamCursor
    /// The JSON of the change.
    var change: [UInt8]
    /// The JSON of the whole thing, where it comes along.
    var whole: [UInt8]?
}
