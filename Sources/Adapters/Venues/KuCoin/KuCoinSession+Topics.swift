import Instruments

/// The names of KuCoin's topics.
enum KuCoinText {
    static let books = "/market/level2"
    static let trades = "/market/match"
    static let tickers = "/market/ticker"
    /// In place of a symbol: the tickers of all.
    static let all = "all"
    /// Topics that a connection may have.
    static let topicLimit = 400
    /// What is subscribed to, by the channels that want it.
    static let topics: [(name: String, channel: ChannelSet)] = [
        (books, .book), (trades, .trade), (tickers, .ticker),
    ]
}

/// A message that subscribes or unsubscribes, until it is answered.
struct KuCoinRequest: Sendable {
    let id: Int
    let topic: String
    /// Names in the topic.
    let symbols: [String]
    let isSubscription: Bool
}

extension KuCoinSession {
    /// Subscribes to what is wanted and was not, and unsubscribes from the rest.
    mutating func arrange(into output: inout VenueOutput) {
        let plan = plan()
        for (name, _) in KuCoinText.topics {
            let wanted = Set(plan[name] ?? [])
            ask(false, name, (subscribed[name] ?? []).filter { !wanted.contains($0) }, into: &output)
        }
        let old = subscribed
        subscribed = plan
        for (name, _) in KuCoinText.topics {
            let known = Set(old[name] ?? [])
            ask(true, name, (plan[name] ?? []).filter { !known.contains($0) }, into: &output)
        }
    }

    /// Symbols by topic: books first.
    ///
    /// Where a connection has no room for all, one topic brings all tickers, and the trades beyond it are
    /// left out.
    private func plan() -> [String: [String]] {
        func wanted(_ channel: ChannelSet) -> [String] {
            core.registry.indices.filter { core.wants(channel, $0) }.map { core.registry[$0].symbol }
        }
        let books = wanted(.book)
        var (trades, tickers) = (wanted(.trade), wanted(.ticker))
        let room = max(KuCoinText.topicLimit - books.count, 0)
        if trades.count + tickers.count > room {
            if tickers.count > 1 { tickers = [KuCoinText.all] }
            tickers = Array(tickers.prefix(room))
            trades = Array(trades.prefix(room - tickers.count))
        }
        return [
            KuCoinText.books: books, KuCoinText.trades: trades, KuCoinText.tickers: tickers,
        ]
    }

    private mutating func ask(
        _ isSubscription: Bool, _ topic: String, _ symbols: [String], into output: inout VenueOutput
    ) {
        guard !symbols.isEmpty else { return }
        // What was to be repeated of these is out of date.
        let again = Set(symbols)
        for place in retries.indices where retries[place].topic == topic {
            retries[place].symbols.removeAll { again.contains($0) }
        }
        if topic == KuCoinText.books {
            for index in symbols.compactMap({ core.registry.find($0) }) { confirmedBooks.remove(index) }
        }
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: symbols.count, by: limit) {
            let part = Array(symbols[start..<min(start + limit, symbols.count)])
            messageID += 1
            asked.append(
                KuCoinRequest(id: messageID, topic: topic, symbols: part, isSubscription: isSubscription))
            // What the venue never answers is forgotten, oldest first.
            if asked.count > 1_000 { asked.removeFirst() }
            output.actions.append(
                .send(
                    connection: 0,
                    text: "{\"id\":\(messageID),\"type\":\"\(isSubscription ? "" : "un")subscribe\","
                        + "\"topic\":\"\(topic):\(part.joined(separator: ","))\","
                        + "\"privateChannel\":false,\"response\":true}"))
        }
    }

    /// A message's symbols that are still wanted and that no later message is about.
    private func stillAwaited(_ request: KuCoinRequest) -> [String] {
        guard request.isSubscription else { return [] }
        let wanted = Set(subscribed[request.topic] ?? [])
        let later = Set(asked.filter { $0.id > request.id && $0.topic == request.topic }.flatMap(\.symbols))
        return request.symbols.filter { wanted.contains($0) && !later.contains($0) }
    }

    private mutating func takeAsked(_ id: Int64?) -> KuCoinRequest? {
        guard let id, let place = asked.firstIndex(where: { $0.id == id }) else { return nil }
        return asked.remove(at: place)
    }

    /// The venue has taken a message.
    mutating func acknowledged(_ id: Int64?, at time: Timestamp) {
        guard let request = takeAsked(id) else { return }
        refusals = 0
        guard request.topic == KuCoinText.books else { return }
        for symbol in stillAwaited(request) {
            if let index = core.registry.find(symbol) { confirm(index, at: time) }
        }
    }

    /// The venue refuses a message: what passes is asked for again after a growing, random pause, and one of
    /// many symbols, of which a single one may be wrong, in halves.
    ///
    /// Sources: trackers of its clients: 404 no such topic (python-kucoin #52), 509 too many topics
    /// (kucoin-python-sdk #32). Not confirmed: 429 too many messages.
    mutating func refused(
        _ id: Int64?, code: Int64?, _ message: String, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard let request = takeAsked(id), request.isSubscription else {
            output.counters.refused &+= 1
            return
        }
        let symbols = stillAwaited(request)
        if request.topic == KuCoinText.books {
            for index in symbols.compactMap({ core.registry.find($0) }) {
                refused(index, message, at: time, into: &output)
            }
        }
        let words = message.lowercased()
        let isPassing =
            [429, 500, 502, 503, 504].contains(code ?? 0)
            || ["too many", "rate limit", "busy", "timeout"].contains { words.contains($0) }
        if isPassing {
            refusals = min(refusals + 1, 16)
            let pause = max(core.governor.delay(attempts: refusals), 250_000_000)
            retries.append((request.topic, symbols, time.adding(nanoseconds: pause)))
        } else if symbols.count > 1 {
            let half = symbols.count / 2
            ask(true, request.topic, Array(symbols[..<half]), into: &output)
            ask(true, request.topic, Array(symbols[half...]), into: &output)
        } else {
            output.counters.refused &+= 1
        }
    }

    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        guard !retries.isEmpty else { return }
        let due = retries.filter { $0.due <= time }
        retries.removeAll { $0.due <= time }
        for retry in due {
            let wanted = Set(subscribed[retry.topic] ?? [])
            ask(true, retry.topic, retry.symbols.filter(wanted.contains), into: &output)
        }
    }
}
