package import Instruments
import MarketData

extension BitgetSession {
    typealias Topic = UnconfirmedTopics.Topic

    /// The venue's names of the channels.
    private static let names: [(channel: ChannelSet, name: String)] = [
        (.book, "books"), (.ticker, "ticker"), (.trade, "trade"), (.candle, "candle1m"),
    ]

    /// What one channel, `ticker`, brings.
    static let quoting: ChannelSet = [.ticker, .mark, .derivative]

    /// What is subscribed to for these: mark prices and the state come with the ticker.
    static func wire(_ channels: ChannelSet) -> ChannelSet {
        let others = channels.subtracting(quoting)
        return channels.isDisjoint(with: quoting) ? others : others.union(.ticker)
    }

    /// Single topics, channel by channel.
    func topics(_ sets: [(InstrumentIndex, ChannelSet)]) -> [Topic] {
        BitgetSession.names.flatMap { channel, _ in
            sets.filter { $0.1.contains(channel) }.map { Topic(index: $0.0, channel: channel) }
        }
    }

    /// The members of a topic's object.
    private func argument(_ topic: Topic) -> String {
        let name = BitgetSession.names.first { $0.channel == topic.channel }?.name ?? ""
        let symbol = BitgetSymbol(core.registry[topic.index].symbol)
        return "\"instType\":\"\(symbol.product)\",\"channel\":\"\(name)\",\"instId\":\"\(symbol.id)\""
    }

    private func send(_ operation: String, _ topics: some Collection<Topic>, into output: inout VenueOutput) {
        guard !topics.isEmpty else { return }
        output.actions.append(
            .send(connection: 0, text: ArgMessage.request(operation, topics.map(argument))))
    }

    /// Subscribes within the rate that the venue allows, of which some messages have been sent just now; what
    /// is beyond it is asked for a second later.
    mutating func subscribe(
        _ topics: [Topic], after sent: Int = 0, at time: Timestamp, into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: topics.count, by: limit) {
            let part = topics[start..<min(start + limit, topics.count)]
            let turn = (sent + start / limit) / BitgetSession.messagesAtOnce
            guard turn == 0 else {
                let due = time.adding(nanoseconds: Int64(turn) * 1_100_000_000)
                for topic in part { unconfirmed.schedule(topic, at: due) }
                continue
            }
            for topic in part { unconfirmed.asked(topic) }
            send("subscribe", part, into: &output)
        }
    }

    /// - Returns: How many messages it takes.
    private func unsubscribe(_ topics: [Topic], into output: inout VenueOutput) -> Int {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: topics.count, by: limit) {
            send("unsubscribe", topics[start..<min(start + limit, topics.count)], into: &output)
        }
        return (topics.count + limit - 1) / limit
    }

    /// Asks for all images that are due with two messages: both count against 240 an hour.
    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        guard budget.hasRoom(at: time) else { return }
        var due: [Topic] = []
        while let index = core.takeDue(at: time) { due.append(Topic(index: index, channel: .book)) }
        guard !due.isEmpty else { return }
        budget.spend()
        let sent = unsubscribe(due, into: &output)
        subscribe(due, after: sent, at: time, into: &output)
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        var (lost, gained): ([(InstrumentIndex, ChannelSet)], [(InstrumentIndex, ChannelSet)]) = ([], [])
        for change in changes {
            if change.lost.contains(.book) || change.gained.contains(.book) { books.forget(change.index) }
            let now = core.channels[change.index.offset]
            let new = Self.wire(now)
            let old = Self.wire(change.before(now))
            lost.append((change.index, old.subtracting(new)))
            gained.append((change.index, new.subtracting(old)))
        }
        for topic in topics(lost) { unconfirmed.settled(topic) }
        guard core.isConnected else { return }
        let sent = unsubscribe(topics(lost), into: &output)
        subscribe(topics(gained), after: sent, at: time, into: &output)
    }

    // MARK: - Answers

    /// Codes that say that the venue is busy, not that it refuses.
    ///
    /// Source: Bitget API documentation, "Websocket error code"; not confirmed.
    private static let busy: Set<Int64> = [30_006, 30_007]

    mutating func answered(
        _ message: ArgMessage, _ scanner: JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) {
        var topic: Topic?
        if let kind = BitgetTopic(message, in: scanner), let index = known(message, scanner) {
            topic = Topic(index: index, channel: kind.channel)
        }
        if scanner.equals(message.event, "subscribe") {
            if let topic { unconfirmed.settled(topic) }
        } else if scanner.equals(message.event, "unsubscribe") {
            guard let topic, topic.channel == .book else { return }
            books.stopped(
                topic.index, isAsked: unconfirmed.awaits(topic), in: &core, at: time, into: &output)
        } else if scanner.equals(message.event, "error") {
            if BitgetSession.busy.contains(message.code) {
                unconfirmed.postpone(topic, &core.governor, at: time)
            } else {
                output.counters.refused &+= 1
                guard let topic else { return }
                unconfirmed.settled(topic)
                guard topic.channel == .book else { return }
                let words = scanner.string(message.words) ?? ""
                books.refused(topic.index, words, in: &core, at: time, into: &output)
            }
        }
    }

    private func known(_ message: ArgMessage, _ scanner: JSONScanner) -> InstrumentIndex? {
        guard let product = scanner.string(message.instrumentType), let id = scanner.string(message.symbol)
        else { return nil }
        return core.registry.find(BitgetSymbol(product: product, id: id).text)
    }
}
