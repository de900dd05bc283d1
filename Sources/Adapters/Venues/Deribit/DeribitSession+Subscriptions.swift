import Instruments

extension DeribitSession {
    /// The channels of an instrument; symbols are the venue's own and hold no quotes.
    func channels(_ channels: ChannelSet, of index: InstrumentIndex) -> [String] {
        let symbol = core.registry[index].symbol
        var names: [String] = []
        if channels.contains(.book) { names.append("book.\(symbol).100ms") }
        if !channels.isDisjoint(with: DeribitSession.taping) { names.append("trades.\(symbol).100ms") }
        if !channels.isDisjoint(with: DeribitSession.quoting) { names.append("ticker.\(symbol).100ms") }
        if channels.contains(.candle) { names.append("chart.trades.\(symbol).1") }
        return names
    }

    /// Subscribes or unsubscribes.
    mutating func ask(_ operation: String, _ channels: [String], into output: inout VenueOutput) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: channels.count, by: limit) {
            let part = Array(channels[start..<min(start + limit, channels.count)])
            let request = SubscriptionRequests.Request(
                topics: part, isSubscription: operation == "subscribe")
            let number = requests.next(request)
            let list = part.map { "\"\($0)\"" }.joined(separator: ",")
            send("public/\(operation)", "{\"channels\":[\(list)]}", number, into: &output)
        }
    }

    /// Sends a request whose answer nobody waits for.
    mutating func send(_ method: String, _ parameters: String, into output: inout VenueOutput) {
        send(method, parameters, requests.next(), into: &output)
    }

    private func send(
        _ method: String, _ parameters: String, _ number: Int, into output: inout VenueOutput
    ) {
        let text =
            "{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"\(method)\",\"params\":\(parameters)}"
        output.actions.append(.send(connection: 0, text: text))
    }

    /// Reads the answer to a request: `result`, the channels that were taken, or `error`.
    ///
    /// A refusal of several channels is asked again in parts. What is refused because too much is asked is
    /// asked for again after a random, growing pause.
    mutating func readAnswer(
        _ scanner: inout JSONScanner, _ envelope: DeribitEnvelope, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let request = requests.answered(envelope.number)
        let asked = request.topics
        if let error = envelope.error {
            scanner.index = error
            let code = try readCode(&scanner)
            if asked.isEmpty || !request.isSubscription {
                output.counters.refused &+= 1
            } else if Self.patience.contains(code) {
                requests.putOff(asked.map { ($0, book(of: $0)) }, at: time, in: &core)
            } else if asked.count > 1 {
                // In halves, which finds one that is wrong with few requests.
                let half = asked.count / 2
                ask("subscribe", Array(asked[..<half]), into: &output)
                ask("subscribe", Array(asked[half...]), into: &output)
            } else {
                output.counters.refused &+= 1
            }
            return
        }
        guard !asked.isEmpty, let result = envelope.result else { return }
        scanner.index = result
        guard try scanner.peek() == 0x5B else { return }
        var taken: Set<String> = []
        try scanner.array { scanner throws(ScanError) in
            if let channel = scanner.string(try scanner.text()) { taken.insert(channel) }
        }
        guard request.isSubscription else {
            for channel in asked where taken.contains(channel) {
                if let index = book(of: channel) { core.ended(index, at: time, into: &output) }
            }
            return
        }
        // A channel that does not exist is left out of the answer without a word.
        output.counters.refused &+= UInt64(asked.count { !taken.contains($0) })
    }

    /// The instrument whose book a channel of ours is; `nil` for one of something else.
    private func book(of channel: String) -> InstrumentIndex? {
        let parts = channel.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let index = core.registry.find(String(parts[1])) else { return nil }
        return channels(.book, of: index) == [channel] ? index : nil
    }

    /// Codes of errors that pass: too many requests, retry, settlement, queue full, too many at once, locked,
    /// maintenance, unavailable, timed out.
    ///
    /// Source: Deribit API, "Error codes", read 2026-11.
    private static let patience: Set<Int64> = [
        10_028, 10_040, 10_041, 10_047, 10_066, 11_051, 11_094, 13_028, 13_888,
    ]

    private func readCode(_ scanner: inout JSONScanner) throws(ScanError) -> Int64 {
        var code: Int64 = 0
        guard try scanner.peek() == 0x7B else { return code }
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "code") { code = try scanner.integer() } else { try scanner.skip() }
        }
        return code
    }

    /// Asks again for what is due and still wanted.
    mutating func askAgain(at time: Timestamp, into output: inout VenueOutput) {
        let due = requests.takeDue(at: time)
        guard !due.isEmpty else { return }
        let wanted = Set(core.registry.indices.flatMap { channels(core.channels[$0.offset], of: $0) })
        ask("subscribe", due.filter { wanted.contains($0) }, into: &output)
    }
}
