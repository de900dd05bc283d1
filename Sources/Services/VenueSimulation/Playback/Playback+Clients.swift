import Instruments
import MarketData
import Venues

extension Playback {
    /// A client connected; `false` where the venue has no such address.
    mutating func join(
        _ client: Int, at address: RequestAddress, now: Timestamp, into actions: inout [PlaybackAction]
    ) -> Bool {
        guard let opening = dialect.opening(address) else { return false }
        clients[client] = Client(opening: opening, lastSent: now)
        if let greeting = dialect.greeting(client: client, at: position) {
            send(greeting, to: client, at: now, into: &actions)
        }
        perform(opening.steps, for: client, now: now, into: &actions)
        return true
    }

    /// A client sent a text.
    mutating func receive(
        _ text: [UInt8], from client: Int, now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        guard clients[client] != nil else { return }
        perform(dialect.read(text, at: position), for: client, now: now, into: &actions)
    }

    /// A client is gone.
    mutating func leave(_ client: Int) {
        guard let gone = clients.removeValue(forKey: client) else { return }
        // tidy: unordered-iteration Each is about another topic.
        for topic in gone.subscriptions.keys { drop(client, from: topic) }
    }

    mutating func perform(
        _ steps: [ClientStep], for client: Int, now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        var conclusion = Conclusion()
        for step in steps {
            switch step {
            case .reply(let text): send(text, to: client, at: now, into: &actions)
            case .together(let demands): take(demands, together: client, now: now, into: &actions)
            case .image(let demand): answer(demand, of: client, now: now, into: &actions)
            case .subscribe(let demand):
                for one in expand(demand) {
                    let verdict = subscribe(client, one, now: now, into: &actions)
                    conclusion.outcomes.append((one, verdict))
                }
            case .unsubscribe(let demand):
                for one in expand(demand) {
                    let verdict = unsubscribe(client, one, now: now, into: &actions)
                    conclusion.outcomes.append((one, verdict))
                }
            }
        }
        guard !conclusion.outcomes.isEmpty else { return }
        conclusion.subscriptions = clients[client]?.subscriptions.keys.sorted().map { topics[$0] } ?? []
        guard let answer = dialect.conclude(conclusion, at: position) else { return }
        send(answer, to: client, at: now, into: &actions)
    }

    /// A demand without a symbol is about all of them.
    func expand(_ demand: Demand) -> [Demand] {
        if let id = demand.channelID { return [named(demand, id)] }
        guard demand.symbol == nil, demand.kind != nil else { return [demand] }
        return topics.symbols.map { symbol in
            var one = demand
            one.symbol = symbol
            return one
        }
    }

    private mutating func subscribe(
        _ client: Int, _ demand: Demand, now: Timestamp, into actions: inout [PlaybackAction]
    ) -> DemandVerdict {
        let verdict = admit(client, demand)
        if let reply = dialect.reply(to: demand, verdict, at: position) {
            send(reply, to: client, at: now, into: &actions)
        }
        guard case .granted(let depth, _) = verdict, let kind = demand.kind, let symbol = demand.symbol,
            let topic = topics.find(kind, symbol)
        else { return verdict }
        clients[client]?.subscriptions[topic] = depth
        everSubscribed.insert(topic)
        if startedAt == nil { startedAt = now }
        if isView(topic, depth) {
            views[topic, default: [:]][depth, default: View()].clients.append(client)
        } else {
            subscribers[topic, default: []].append(client)
        }
        if demand.wantsImage, dialect.sendsImages {
            sendImage(topic, depth, to: client, now: now, into: &actions)
        }
        if kind == .book, let book = book(of: symbol), views[topic]?[depth]?.clients == [client] {
            views[topic]?[depth]?.sides = book.top(depth)
        }
        return verdict
    }

    mutating func admit(_ client: Int, _ demand: Demand) -> DemandVerdict {
        guard let kind = demand.kind else { return .unknownKind }
        guard let symbol = demand.symbol, isKnown(symbol), let topic = topics.enter(kind, symbol) else {
            return .unknownSymbol
        }
        guard let subscriptions = clients[client]?.subscriptions else { return .notSubscribed }
        if subscriptions[topic] != nil { return .alreadySubscribed }
        guard subscriptions.count < Playback.subscriptionLimit else { return .tooMany }
        return .granted(depth: kind == .book ? grantedDepth(demand.depth) : 0, channelID: channelID(topic))
    }

    private func isKnown(_ symbol: String) -> Bool {
        StreamKind.allCases.contains { topics.find($0, symbol) != nil } || script.restImages.contains(symbol)
    }

    /// A recording cannot give more levels than it has.
    private func grantedDepth(_ wanted: Int?) -> Int {
        let recorded = dialect.depth
        guard let wanted, wanted > 0 else { return recorded }
        return recorded == 0 ? wanted : min(wanted, recorded)
    }

    func isView(_ topic: Int, _ depth: Int) -> Bool {
        topics[topic].kind == .book && dialect.sendsImages && depth != dialect.depth
    }

    func channelID(_ topic: Int) -> Int64 { script.channelIDs[topic] ?? Int64(topic) }

    /// What a new subscriber gets at once: the book at the playback position, or the last message of another
    /// topic.
    ///
    /// Where the recording's own image is still to come there is nothing.
    private mutating func sendImage(
        _ topic: Int, _ depth: Int, to client: Int, now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        let wanted = topics[topic]
        if wanted.kind == .book {
            guard let book = book(of: wanted.symbol) else { return }
            counters.imagesMade += 1
            let image = dialect.image(of: book, depth: depth, channelID: channelID(topic), at: position)
            send(image, to: client, at: now, into: &actions)
        } else if let last = lastFrames[topic], let recap = dialect.recap(of: wanted, last: last) {
            send(recap, to: client, at: now, into: &actions)
        }
    }

    private mutating func unsubscribe(
        _ client: Int, _ demand: Demand, now: Timestamp, into actions: inout [PlaybackAction]
    ) -> DemandVerdict {
        var verdict = DemandVerdict.notSubscribed
        if let kind = demand.kind, let symbol = demand.symbol, let topic = topics.find(kind, symbol),
            let depth = clients[client]?.subscriptions.removeValue(forKey: topic)
        {
            drop(client, from: topic)
            verdict = .ended(depth: depth, channelID: channelID(topic))
        }
        if let reply = dialect.reply(to: demand, verdict, at: position) {
            send(reply, to: client, at: now, into: &actions)
        }
        return verdict
    }

    private mutating func drop(_ client: Int, from topic: Int) {
        subscribers[topic]?.removeAll { $0 == client }
        for depth in views[topic]?.keys.sorted() ?? [] {
            views[topic]?[depth]?.clients.removeAll { $0 == client }
            if views[topic]?[depth]?.clients.isEmpty ?? true { views[topic]?[depth] = nil }
        }
    }
}
