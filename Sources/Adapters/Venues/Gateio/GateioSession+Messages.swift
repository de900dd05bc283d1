package import Instruments

/// What a message is about, and where its parts lie.
struct GateioEnvelope {
    /// Of the message, in whole seconds or, where the venue gives them, milliseconds.
    var seconds: Timestamp?
    var milliseconds: Timestamp?
    var id: Int64?
    var result: Int?
    var error: Int?
}

extension GateioSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            try readMessage(&scanner, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            let isBook = frame.mentions("order_book") || frame.mentions(".obu")
            core.suspectBooks(in: frame, looksLikeBook: isBook, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func readMessage(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var channel = JSONText(start: 0, count: 0, hasEscapes: false)
        var event = channel
        var envelope = GateioEnvelope()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel") {
                channel = try scanner.text()
            } else if scanner.equals(key, "event"), try scanner.peek() == 0x22 {
                event = try scanner.text()
            } else if scanner.equals(key, "time") {
                envelope.seconds = try scanner.gateioTime()
            } else if scanner.equals(key, "time_ms") {
                envelope.milliseconds = try scanner.gateioTime()
            } else if scanner.equals(key, "id") {
                envelope.id = Int64(scanner.string(try scanner.scalarText()) ?? "")
            } else {
                if scanner.equals(key, "result") { envelope.result = scanner.index }
                if scanner.equals(key, "error"), try scanner.peek() == 0x7B { envelope.error = scanner.index }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        let name = feedName(channel, scanner)
        guard envelope.error == nil, event.count == 0 || scanner.equals(event, "update") else {
            return try readAnswer(&scanner, envelope, name, at: time, into: &output)
        }
        guard let result = envelope.result else { return }
        scanner.index = result
        switch name {
        case "order_book_update", "obu": try readBook(&scanner, at: time, into: &output)
        case "trades":
            try eachRow(&scanner) { session, scanner throws(ScanError) in
                try session.readTrade(&scanner, at: time, into: &output)
            }
        case "tickers", "book_ticker":
            try eachRow(&scanner) { session, scanner throws(ScanError) in
                try session.readTicker(&scanner, envelope, at: time, into: &output)
            }
        case "public_liquidates":
            try eachRow(&scanner) { session, scanner throws(ScanError) in
                try session.readLiquidation(&scanner, at: time, into: &output)
            }
        case "candlesticks":
            try eachRow(&scanner) { session, scanner throws(ScanError) in
                try session.readCandle(&scanner, at: time, into: &output)
            }
        case "pong": break
        default: output.counters.unexpected &+= 1
        }
    }

    /// The channel without its market, `spot.` or `futures.`.
    private func feedName(_ channel: JSONText, _ scanner: JSONScanner) -> String {
        guard let name = scanner.string(channel), let point = name.firstIndex(of: ".") else { return "" }
        return String(name[name.index(after: point)...])
    }

    /// Spot says one object, futures say a list of them.
    private mutating func eachRow(
        _ scanner: inout JSONScanner,
        _ read: (inout GateioSession, inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        guard try scanner.peek() == 0x5B else { return try read(&self, &scanner) }
        try scanner.array { scanner throws(ScanError) in try read(&self, &scanner) }
    }

    /// The instrument of an object by the name of its key; `nil`, with the object skipped, where nobody asked
    /// for it.
    mutating func instrument(
        _ scanner: inout JSONScanner, _ channels: ChannelSet, _ keys: [StaticString],
        into output: inout VenueOutput
    ) throws(ScanError) -> InstrumentIndex? {
        let body = scanner.index
        var symbol: JSONText?
        try scanner.object { scanner, key throws(ScanError) in
            if keys.contains(where: { scanner.equals(key, $0) }), try scanner.peek() == 0x22 {
                symbol = try scanner.text()
            } else {
                try scanner.skip()
            }
        }
        guard var symbol else { throw .malformed }
        scanner.trimGateioSymbol(&symbol)
        let index = core.instrument(scanner.bytes(symbol))
        grow()
        guard let index, core.wantsAny(of: channels, index) else {
            output.counters.unexpected &+= 1
            return nil
        }
        scanner.index = body
        return index
    }

    // MARK: - Answers

    private func stillAwaited(_ request: GateioRequest) -> [InstrumentIndex] {
        request.indices.filter { index in
            core.wantsAny(of: request.feed.channels, index)
                && !requests.values.contains { $0.feed == request.feed && $0.indices.contains(index) }
        }
    }

    /// The answer to a subscription: `result.status`, or `error` with `code` and `message`.
    ///
    /// One symbol that the venue does not know costs the whole message, so that its symbols are asked for
    /// again one by one.
    private mutating func readAnswer(
        _ scanner: inout JSONScanner, _ envelope: GateioEnvelope, _ name: String, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let request = envelope.id.flatMap { requests.removeValue(forKey: $0) }
        // What has been asked for again since waits for that answer.
        let indices = request.map(stillAwaited) ?? []
        guard let error = envelope.error else {
            guard let feed = request?.feed else { return }
            for index in indices {
                backoff.settled(GateioTopic(feed: feed, index: index))
                if feed == .book { confirm(index, at: time) }
            }
            return
        }
        scanner.index = error
        let message = try HistoryText.field("message", in: &scanner) ?? ""
        guard let request else {
            output.counters.refused &+= 1
            return
        }
        let topics = indices.map { GateioTopic(feed: request.feed, index: $0) }
        for topic in topics where topic.feed == .book {
            refused(topic.index, message, at: time, into: &output)
        }
        if Refusal(message) == .forNow {
            for topic in topics { backoff.refused(topic, by: &core.governor, at: time) }
        } else if topics.count > 1 {
            for topic in topics { ask("subscribe", topic.feed, [topic.index], at: time, into: &output) }
        } else {
            for topic in topics { backoff.settled(topic) }
            output.counters.refused &+= 1
        }
    }
}

extension JSONScanner {
    /// Leaves the symbol of `ob.BTC_USDT.400` and of `1m_BTC_USDT`.
    func trimGateioSymbol(_ text: inout JSONText) {
        let bytes = bytes(text)
        if bytes.count > 3, bytes[0] == 0x6F, bytes[1] == 0x62, bytes[2] == 0x2E {
            let end = bytes.lastIndex(of: 0x2E) ?? bytes.count
            guard end > 3 else { return }
            text.start += 3
            text.count = end - 3
        } else if let first = bytes.first, first >= 0x30, first <= 0x39, bytes.count > 3,
            let line = bytes.prefix(4).firstIndex(of: 0x5F), line + 1 < bytes.count,
            [0x73, 0x6D, 0x68, 0x64, 0x77].contains(bytes[line - 1])
        {
            text.start += line + 1
            text.count -= line + 1
        }
    }
}
