package import Instruments
import MarketData

extension KrakenFuturesSession {
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
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("book"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    private mutating func readMessage(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = scanner.index
        var feed = JSONText(start: 0, count: 0, hasEscapes: false)
        var (event, product) = (feed, feed)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "feed") {
                feed = try scanner.text()
            } else if scanner.equals(key, "event") {
                event = try scanner.text()
            } else if scanner.equals(key, "product_id") {
                product = try scanner.text()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        scanner.index = start
        if event.count > 0 { return try readEvent(&scanner, event, feed, at: time, into: &output) }
        guard let channel = KrakenFuturesSession.channel(of: feed, scanner) else { return }
        guard product.count > 0 else { throw .malformed }
        guard let index = instrument(scanner.bytes(product)),
            core.wantsAny(of: channel, index)
        else {
            output.counters.unexpected &+= 1
            return
        }
        switch channel {
        case .book:
            if scanner.equals(feed, "book") {
                try readChange(&scanner, index, at: time, into: &output)
            } else {
                try readImage(&scanner, index, at: time, into: &output)
            }
        case KrakenFuturesFeed.trade.channels: try readTrades(&scanner, index, at: time, into: &output)
        default: try readTicker(&scanner, index, at: time, into: &output)
        }
    }

    /// What a feed's messages are about; `nil` for one that says nothing of a market, such as `heartbeat`.
    private static func channel(of feed: JSONText, _ scanner: JSONScanner) -> ChannelSet? {
        if scanner.equals(feed, "book") || scanner.equals(feed, "book_snapshot") { return .book }
        if scanner.equals(feed, "trade") || scanner.equals(feed, "trade_snapshot") {
            return KrakenFuturesFeed.trade.channels
        }
        if scanner.equals(feed, "ticker") { return KrakenFuturesFeed.ticker.channels }
        if scanner.equals(feed, "ticker_lite") { return .ticker }
        return nil
    }

    /// The index of a symbol, with the sequence that belongs to it.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer) -> InstrumentIndex? {
        let index = core.instrument(symbol)
        if sequences.count < core.trackers.count { grow() }
        return index
    }

    /// The venue has stopped a book: an image that came late, before its subscription is repeated, is lost.
    private mutating func stopped(
        _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard core.wants(.book, index), core.trackers[index.offset].isFollowing else { return }
        core.lose(index, .unsubscribed, "the venue has ended its messages", at: time, into: &output)
        guard backoff.unconfirmed.contains(KrakenFuturesTopic(feed: .book, index: index)) else { return }
        core.trackers[index.offset].phase = .waiting(since: time)
    }

    /// `info`, `subscribed`, `unsubscribed`, `subscribed_failed`, `error` and `alert`.
    ///
    /// A refusal names no product, so that one for lack of time is taken for all that is unconfirmed.
    private mutating func readEvent(
        _ scanner: inout JSONScanner, _ event: JSONText, _ feed: JSONText, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var message = ""
        var products: [String] = []
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "message"), try scanner.peek() == 0x22 {
                message = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "product_ids"), try scanner.peek() == 0x5B {
                try scanner.array { scanner throws(ScanError) in
                    if let product = scanner.string(try scanner.text()) { products.append(product) }
                }
            } else {
                try scanner.skip()
            }
        }
        if scanner.equals(event, "subscribed") {
            let name = scanner.string(feed) ?? ""
            guard let feed = KrakenFuturesFeed(rawValue: name) else { return }
            for index in products.compactMap({ core.registry.find($0) }) {
                backoff.settled(KrakenFuturesTopic(feed: feed, index: index))
            }
            return
        }
        if scanner.equals(event, "unsubscribed"), scanner.equals(feed, "book") {
            for index in products.compactMap({ core.registry.find($0) }) {
                stopped(index, at: time, into: &output)
            }
            return
        }
        let refusals: [StaticString] = ["error", "alert", "subscribed_failed"]
        let isRefusal = refusals.contains { scanner.equals(event, $0) }
        // An alert tells of a second subscription to the same, too, which is answered all the same.
        guard isRefusal, !message.lowercased().contains("already subscribed") else { return }
        guard Refusal(message) == .forNow else {
            output.counters.refused &+= 1
            return
        }
        for topic in backoff.unconfirmed { backoff.refused(topic, by: &core.governor, at: time) }
    }
}
