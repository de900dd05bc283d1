package import Instruments

extension PoloniexSession {
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
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("book_lv2"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// `{channel, data, action}`, in any order, or an event.
    private mutating func readMessage(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = scanner.index
        var channel = JSONText(start: 0, count: 0, hasEscapes: false)
        var (action, event) = (channel, channel)
        var data: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "channel"), try scanner.peek() == 0x22 {
                channel = try scanner.text()
            } else if scanner.equals(key, "action"), try scanner.peek() == 0x22 {
                action = try scanner.text()
            } else if scanner.equals(key, "event"), try scanner.peek() == 0x22 {
                event = try scanner.text()
            } else {
                if scanner.equals(key, "data") { data = scanner.index }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        guard let data else {
            scanner.index = start
            return try readEvent(&scanner, event, channel, at: time, into: &output)
        }
        scanner.index = data
        guard try scanner.peek() == 0x5B else { return }
        guard let name = scanner.string(channel), let feed = PoloniexFeed(rawValue: name) else {
            output.counters.unexpected &+= 1
            return
        }
        let isSnapshot = scanner.equals(action, "snapshot")
        try scanner.array { scanner throws(ScanError) in
            guard let index = try symbol(&scanner, feed.channel, into: &output) else { return }
            switch feed {
            case .book:
                try readBook(&scanner, index, isSnapshot: isSnapshot, at: time, into: &output)
            case .trade: try readTrade(&scanner, index, at: time, into: &output)
            case .ticker: try readTicker(&scanner, index, at: time, into: &output)
            case .candle: try readCandle(&scanner, index, at: time, into: &output)
            }
        }
    }

    /// Whose an object is; `nil` after an object of which nobody wants this channel.
    private mutating func symbol(
        _ scanner: inout JSONScanner, _ channel: ChannelSet, into output: inout VenueOutput
    ) throws(ScanError) -> InstrumentIndex? {
        let body = scanner.index
        var symbol: JSONText?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") { symbol = try scanner.text() } else { try scanner.skip() }
        }
        guard let symbol else { throw .malformed }
        let index = core.instrument(scanner.bytes(symbol))
        grow()
        guard let index, core.wants(channel, index) else {
            output.counters.unexpected &+= 1
            return nil
        }
        scanner.index = body
        return index
    }

    /// `subscribe`, `unsubscribe`, `pong` and `error`, which names neither channel nor symbol.
    private mutating func readEvent(
        _ scanner: inout JSONScanner, _ event: JSONText, _ channel: JSONText, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var message = ""
        var symbols: [String] = []
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "message"), try scanner.peek() == 0x22 {
                message = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "symbols"), try scanner.peek() == 0x5B {
                try scanner.array { scanner throws(ScanError) in
                    if let symbol = scanner.string(try scanner.text()) { symbols.append(symbol) }
                }
            } else {
                try scanner.skip()
            }
        }
        if scanner.equals(event, "subscribe") {
            guard let name = scanner.string(channel), let feed = PoloniexFeed(rawValue: name) else { return }
            for index in symbols.compactMap({ core.registry.find($0) }) {
                backoff.settled(PoloniexTopic(feed: feed, index: index))
            }
        }
        guard scanner.equals(event, "error") else { return }
        guard Refusal(message) == .forNow else {
            output.counters.refused &+= 1
            return
        }
        for topic in backoff.unconfirmed { backoff.refused(topic, by: &core.governor, at: time) }
    }
}
