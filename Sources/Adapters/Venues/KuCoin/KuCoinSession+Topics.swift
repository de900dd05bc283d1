package import Instruments
package import MarketData

/// The names of KuCoin's topics.
enum KuCoinText {
    /// What is subscribed to, by the channels that want it.
    static let topics: [(name: String, channel: ChannelSet)] = [
        ("/market/level2", .book), ("/market/match", .trade), ("/market/ticker", .ticker),
    ]
}

extension KuCoinSession {
    /// Subscribes or unsubscribes a topic of so many symbols.
    mutating func ask(
        _ operation: String, _ topic: String, _ instruments: [InstrumentIndex],
        into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            let names = part.map { core.registry[$0].symbol }.joined(separator: ",")
            send(
                "\"type\":\"\(operation)\",\"topic\":\"\(topic):\(names)\",\"privateChannel\":false,"
                    + "\"response\":true", into: &output)
        }
    }

    private mutating func send(_ text: String, into output: inout VenueOutput) {
        messageID += 1
        asked.append((messageID, text))
        // What the venue never answers is forgotten, oldest first.
        if asked.count > 1_000 { asked.removeFirst() }
        output.actions.append(.send(connection: 0, text: "{\"id\":\(messageID),\(text)}"))
    }

    /// The venue has taken a message.
    mutating func acknowledged(_ id: Int64?) {
        guard let id, let place = asked.firstIndex(where: { $0.id == id }) else { return }
        asked.remove(at: place)
        refusals = 0
    }

    /// The venue refuses a message: what passes is asked for again after a growing, random pause.
    ///
    /// Sources: trackers of its clients: 404 no such topic (python-kucoin #52), 509 too many topics
    /// (kucoin-python-sdk #32). Not confirmed: 429 too many messages.
    mutating func refused(_ id: Int64?, code: Int64?, _ message: String, at time: Timestamp) -> Bool {
        guard let id, let place = asked.firstIndex(where: { $0.id == id }) else { return false }
        let text = asked.remove(at: place).text
        let words = message.lowercased()
        let isPassing =
            [429, 500, 502, 503, 504].contains(code ?? 0)
            || ["too many", "rate limit", "busy", "timeout"].contains { words.contains($0) }
        guard isPassing else { return false }
        refusals = min(refusals + 1, 16)
        let pause = max(core.governor.delay(attempts: refusals), 250_000_000)
        retries.append((text, time.adding(nanoseconds: pause)))
        return true
    }

    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        guard !retries.isEmpty else { return }
        let due = retries.filter { $0.due <= time }
        retries.removeAll { $0.due <= time }
        for retry in due { send(retry.text, into: &output) }
    }

    // MARK: - Recovery

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        depths[index.offset] = KuCoinDepth()
        core.lose(index, reason, detail, at: time, into: &output)
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            output.actions.append(.request(VenueRequest(purpose: .bookSnapshot(index), url: imageURL(index))))
        }
    }

    func imageURL(_ index: InstrumentIndex) -> String {
        core.configuration.restURL + "/api/v1/market/orderbook/level2_100?symbol="
            + URLText.escape(core.registry[index].symbol)
    }
}
