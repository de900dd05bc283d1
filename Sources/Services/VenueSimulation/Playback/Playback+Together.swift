import Instruments

extension Playback {
    /// Takes topics of one message: all of them, or none where one is refused.
    ///
    /// The one answer is about the first that is refused, or else about the last.
    mutating func take(
        _ demands: [Demand], together client: Int, now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        let demands = demands.flatMap { expand($0) }
        let verdicts: [DemandVerdict] = demands.map { demand in
            demand.isEnd ? .ended(depth: 0, channelID: 0) : admit(client, demand)
        }
        let refused = verdicts.firstIndex { $0.refusesAll }
        guard let place = refused ?? demands.indices.last else { return }
        reply(to: demands[place], verdicts[place], client, now: now, into: &actions)
        guard refused == nil else { return }
        let parts = demands.map { demand in
            var part = demand
            part.isAnswered = true
            return part
        }
        perform(
            parts.map { $0.isEnd ? .unsubscribe($0) : .subscribe($0) }, for: client, now: now,
            into: &actions)
    }

    /// Sends the whole book; one that is not whole yet is refused as one that comes too soon.
    mutating func answer(
        _ demand: Demand, of client: Int, now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        guard let symbol = demand.symbol, let topic = topics.find(.book, symbol) else {
            return reply(to: demand, .unknownSymbol, client, now: now, into: &actions)
        }
        guard let book = book(of: symbol) else {
            return reply(to: demand, .tooMany, client, now: now, into: &actions)
        }
        counters.imagesMade += 1
        let image = dialect.image(of: book, depth: 0, channelID: channelID(topic), at: position)
        send(image, to: client, at: now, into: &actions)
    }

    /// A demand that says no more than the number of its channel, with what is meant.
    func named(_ demand: Demand, _ id: Int64) -> Demand {
        var demand = demand
        if let topic = topics.topics.indices.first(where: { channelID($0) == id }) {
            (demand.kind, demand.symbol) = (topics[topic].kind, topics[topic].symbol)
        }
        return demand
    }

    private mutating func reply(
        to demand: Demand, _ verdict: DemandVerdict, _ client: Int, now: Timestamp,
        into actions: inout [PlaybackAction]
    ) {
        guard let reply = dialect.reply(to: demand, verdict, at: position) else { return }
        send(reply, to: client, at: now, into: &actions)
    }
}

extension DemandVerdict {
    /// Whether the venue refuses the whole message for it.
    fileprivate var refusesAll: Bool {
        switch self {
        case .granted, .ended, .alreadySubscribed, .notSubscribed: false
        case .unknownSymbol, .unknownKind, .tooMany: true
        }
    }
}
