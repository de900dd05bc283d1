import Instruments

extension BybitSession {
    /// The topics of an instrument's channels.
    func topics(_ channels: ChannelSet, of index: InstrumentIndex) -> [String] {
        let symbol = core.registry[index].symbol
        var topics: [String] = []
        if channels.contains(.book) { topics.append("orderbook.\(subscribedDepth).\(symbol)") }
        if channels.contains(.trade) { topics.append("publicTrade.\(symbol)") }
        let quoting: ChannelSet = category == .spot ? .ticker : BybitSession.quoting
        if !channels.isDisjoint(with: quoting) { topics.append("tickers.\(symbol)") }
        if channels.contains(.candle) { topics.append("kline.1.\(symbol)") }
        if channels.contains(.liquidation), category != .spot { topics.append("allLiquidation.\(symbol)") }
        return topics
    }

    var subscribedDepth: Int {
        BybitCategory.depths.first { $0 >= core.configuration.bookDepth } ?? 1_000
    }

    /// Subscribes or unsubscribes; symbols are the venue's own and hold no quotes.
    mutating func ask(_ operation: String, _ topics: [String], into output: inout VenueOutput) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: topics.count, by: limit) {
            let part = Array(topics[start..<min(start + limit, topics.count)])
            let request = SubscriptionRequests.Request(
                topics: part, isSubscription: operation == "subscribe")
            let number = requests.next(request)
            let list = part.map { "\"\($0)\"" }.joined(separator: ",")
            let text = "{\"op\":\"\(operation)\",\"req_id\":\"\(number)\",\"args\":[\(list)]}"
            output.actions.append(.send(connection: 0, text: text))
        }
    }

    /// Reads an answer: `success, ret_msg, req_id, op`.
    ///
    /// One wrong topic refuses all of its message, so they are asked for one by one. What is refused because
    /// the venue has too much to do is asked for again after a random, growing pause.
    mutating func readAnswer(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var (isRefused, isSubscription) = (false, true)
        var message: String?
        var number: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "success") {
                isRefused = try !scanner.bool()
            } else if scanner.equals(key, "ret_msg") {
                message = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "req_id") {
                number = scanner.string(try scanner.scalarText()).flatMap { Int($0) }
            } else if scanner.equals(key, "op") {
                let operation = try scanner.scalarText()
                isSubscription = scanner.equals(operation, "subscribe")
            } else {
                try scanner.skip()
            }
        }
        let asked = requests.answered(number)
        let topics = asked.topics
        guard isRefused else {
            if asked.isSubscription { return }
            for index in topics.compactMap({ book(of: $0) }) { core.ended(index, at: time, into: &output) }
            return
        }
        guard isSubscription else { return }
        if !topics.isEmpty, Self.asksForPatience(message ?? "") {
            requests.putOff(topics.map { ($0, book(of: $0)) }, at: time, in: &core)
        } else if topics.count > 1 {
            for topic in topics { ask("subscribe", [topic], into: &output) }
        } else {
            output.counters.refused &+= 1
        }
    }

    /// The instrument whose book a topic of ours is; `nil` for one of something else.
    private func book(of topic: String) -> InstrumentIndex? {
        guard topic.hasPrefix("orderbook."), let dot = topic.lastIndex(of: "."),
            let index = core.registry.find(String(topic[dot...].dropFirst()))
        else { return nil }
        return topics(.book, of: index) == [topic] ? index : nil
    }

    /// Whether a refusal is about how much is asked, not about what.
    private static func asksForPatience(_ message: String) -> Bool {
        let text = message.lowercased()
        return ["too many", "rate limit", "frequen", "busy", "overload", "timeout", "try again"]
            .contains { text.contains($0) }
    }

    /// Asks again for what is due and still wanted.
    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        let due = requests.takeDue(at: time)
        guard !due.isEmpty else { return }
        let wanted = Set(core.registry.indices.flatMap { topics(core.channels[$0.offset], of: $0) })
        ask("subscribe", due.filter { wanted.contains($0) }, into: &output)
    }
}
