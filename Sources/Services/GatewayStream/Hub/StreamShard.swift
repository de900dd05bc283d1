import AccountStore
import GatewayFrame
import NIOCore

/// Somebody who listens to the stream, on one event loop.
protocol StreamListener: AnyObject {
    /// Who it is.
    var identity: Identity? { get }
    /// Its place among the live connections, by whom it is counted.
    var permit: ClientLimit.Permit? { get }
    /// There may be something to read.
    func wake()
    /// Time to say that the connection lives.
    func beat(_ time: String)
    /// The connection ends.
    func end(code: UInt16, reason: String)
}

/// The clients of one event loop, and what they want.
///
/// Everything happens on that loop: no client of one loop ever waits for one of another.
final class StreamShard {
    /// Which it is.
    let index: Int
    private let hub: StreamHub
    private var core = StreamCore()
    private var listeners: [StreamCore.ClientID: any StreamListener] = [:]
    /// What subscriptions take of their clients' shares, by their names.
    private var permits: [StreamCore.ClientID: [String: [ClientLimit.Permit]]] = [:]

    init(index: Int, hub: StreamHub) {
        self.index = index
        self.hub = hub
    }

    /// Begins a client.
    func open(_ listener: any StreamListener) -> StreamCore.ClientID {
        let client = core.open()
        listeners[client] = listener
        return client
    }

    /// Ends a client.
    func close(_ client: StreamCore.ClientID) {
        listeners[client] = nil
        permits[client] = nil
        for topic in core.close(client) { hub.detach(topic, from: index) }
    }

    /// Whether a client may add a subscription.
    ///
    /// - Throws: `conflict` for a name in use, `rate-limited` past the limit.
    func check(_ client: StreamCore.ClientID, _ id: String) throws(Problem) {
        switch core.refusal(of: id, for: client) {
        case .nameInUse: throw Problem(.conflict, "the id \"\(id)\" is in use; unsubscribe it first")
        case .tooMany:
            let limit = StreamSession.subscriptionLimit
            throw Problem(.rateLimited, "a connection has at most \(limit) subscriptions")
        case nil: break
        }
    }

    /// Takes what a subscription needs of its client's share, before anything is said of it.
    ///
    /// - Throws: `rate-limited` with the number that is reached.
    func reserve(_ client: StreamCore.ClientID, _ id: String, _ topic: StreamTopic) throws(Problem) {
        guard permits[client]?[id] == nil, let caller = listeners[client]?.permit?.caller else { return }
        permits[client, default: [:]][id] = try hub.limits.take(topic.channel, for: caller)
    }

    /// Adds a subscription.
    ///
    /// - Throws: As ``check(_:_:)`` and ``reserve(_:_:_:)``; `unavailable` when too many things are followed.
    func subscribe(
        _ client: StreamCore.ClientID, _ id: String, to topic: StreamTopic, after place: StreamCursor?
    ) throws(Problem) {
        try check(client, id)
        try reserve(client, id, topic)
        guard core.subscribe(client, id, to: topic, after: place) else { return wake([client]) }
        guard hub.attach(topic, to: index) else {
            _ = core.unsubscribe(client, id)
            permits[client]?[id] = nil
            throw Problem(.unavailable, "too many different things are followed; try again in a minute")
        }
    }

    /// Ends a subscription; false for an unknown name.
    func unsubscribe(_ client: StreamCore.ClientID, _ id: String) -> Bool {
        guard let (topic, isOrphan) = core.unsubscribe(client, id) else { return false }
        permits[client]?[id] = nil
        if isOrphan { hub.detach(topic, from: index) }
        return true
    }

    /// What a client is to be told next.
    func next(_ client: StreamCore.ClientID) -> SubscriptionUpdate? { core.next(client) }

    /// Takes what was said of a thing so far.
    func adopt(_ log: StreamLog, of topic: StreamTopic) { wake(core.adopt(log, of: topic)) }

    /// Takes changes.
    func take(_ updates: [StreamUpdate]) {
        var woken: Set<StreamCore.ClientID> = []
        for update in updates { woken.formUnion(core.apply(update)) }
        wake(woken)
    }

    /// Lets every client say that it lives.
    func beat(_ time: String) { for listener in Array(listeners.values) { listener.beat(time) } }

    /// Ends the clients of some; `nil` stands for nobody in particular.
    func end(code: UInt16, reason: String, where isConcerned: (Identity?) -> Bool) {
        for listener in Array(listeners.values) where isConcerned(listener.identity) {
            listener.end(code: code, reason: reason)
        }
    }

    /// Who is connected here.
    var identities: Set<Identity> { Set(listeners.values.compactMap(\.identity)) }

    private func wake(_ clients: Set<StreamCore.ClientID>) {
        for client in clients { listeners[client]?.wake() }
    }
}
