import Instruments
import Support
import Testing
import Wire

@Suite("Topic")
struct TopicTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    @Test("names its kind first, its instrument last, and ends in a dot")
    func names() {
        #expect(Topic.trade(id) == "trade.kraken.BTC%2FUSD.")
        #expect(Topic.tradesStored(id) == "trade.stored.kraken.BTC%2FUSD.")
        #expect(Topic.ticker(id) == "ticker.kraken.BTC%2FUSD.")
        #expect(Topic.dayTicker(id) == "ticker.day.kraken.BTC%2FUSD.")
        #expect(Topic.bookDepth(id) == "book.depth.kraken.BTC%2FUSD.")
        #expect(Topic.portfolioValuation("a-b") == "portfolio.valuation.a-b.")
        #expect(Topic.index(base: "BTC", quote: "USD") == "index.BTC-USD.")
        #expect(Topic.candle(interval: "1m", id) == "candle.1m.kraken.BTC%2FUSD.")
        #expect(Topic.bookDelta(id) == "book.delta.kraken.BTC%2FUSD.")
        #expect(Topic.bookSnapshot(id) == "book.snapshot.kraken.BTC%2FUSD.")
        #expect(Topic.bookTop(id) == "book.top.kraken.BTC%2FUSD.")
        #expect(Topic.control(command: "audit", id) == "control.audit.kraken.BTC%2FUSD.")
        #expect(Topic.heartbeat(producer: "feed-ingestor") == "heartbeat.feed-ingestor.")
        #expect(Topic.feedStatus(.binanceUSDM) == "feed.status.binance-usdm.")
        #expect(
            Topic.serviceStatus(service: "bus-broker", instance: "a.b") == "service.status.bus-broker.a%2Eb.")
        #expect(Topic.controlReply(requestID: "7 8") == "control.reply.7%208.")
    }

    @Test(
        "escapes what would be more than one token",
        arguments: [
            ("BTCUSDT", "BTCUSDT"), ("", ""), ("BTC/USD", "BTC%2FUSD"), ("A.B", "A%2EB"), ("A B", "A%20B"),
            ("100%", "100%25"), ("%2F", "%252F"), ("/. %", "%2F%2E%20%25"), ("币安人生USDT", "币安人生USDT"),
            ("%\u{301}", "%25\u{301}"),
        ])
    func escaping(token: String, expected: String) {
        #expect(Topic.escape(token) == expected)
        #expect(Topic.unescape(expected[...]).unicodeScalars.elementsEqual(token.unicodeScalars))
    }

    @Test(
        "leaves any other percent sign as it is",
        arguments: [
            ("%", "%"), ("%%", "%%"), ("%2", "%2"), ("%2f", "%2f"), ("%2e", "%2e"), ("%41", "%41"),
            ("%%2F", "%/"), ("%25%", "%%"), ("a%", "a%"), ("%252E", "%2E"),
        ])
    func unescaping(token: String, expected: String) {
        #expect(Topic.unescape(token[...]) == expected)
    }

    @Test("undoes its own escapes, whatever the token")
    func escapingRoundTrip() {
        property(cases: 1_000) { rng in
            let token = rng.text(0...20)
            let escaped = Topic.escape(token)
            try #require(!escaped.utf8.contains { [0x2E, 0x20, 0x2F].contains($0) })
            let back = Topic.unescape(escaped[...])
            try #require(back.unicodeScalars.elementsEqual(token.unicodeScalars), "\(token.debugDescription)")
        }
    }

    @Test("names the instrument that it was made of")
    func instrument() {
        property { rng in
            let id = rng.instrumentID()
            // "stored" and "reply" are words of topics: a venue or command of that name is another topic.
            let word = "x" + rng.text()
            let topics = [
                Topic.trade(id), Topic.tradesStored(id), Topic.ticker(id), Topic.candle(interval: word, id),
                Topic.bookDelta(id), Topic.bookSnapshot(id), Topic.bookTop(id), Topic.bookDepth(id),
                Topic.dayTicker(id),
                Topic.control(command: word, id),
            ]
            for topic in topics {
                let named = Topic.instrument(in: topic)
                try #require(named == id, "\(topic.debugDescription)")
                try #require(named?.symbol.unicodeScalars.elementsEqual(id.symbol.unicodeScalars) == true)
            }
        }
    }

    @Test(
        "names no instrument where there is none",
        arguments: [
            "", ".", "..", "trade", "trade.", "trade..", "trade.kraken.", "trade.kraken..", "trade..BTC.",
            "trade.kraken.BTC", "trade.kraken.BTC.X.Y.", "ticker.kraken.BTC.USD.", "candle.kraken.BTC.",
            "book.delta.kraken.", "book.delta.kraken.BTC.1.", "heartbeat.feed.", "feed.status.kraken.",
            "service.status.a.b.", "control.reply.1.", "control.reply.kraken.BTC.", "control.audit.kraken.",
            "replay.trade.kraken.BTC.", "TRADE.kraken.BTC.", "trade.stored.kraken.", "book.top...",
        ])
    func noInstrument(topic: String) {
        // `trade.stored.kraken.` is a trade on a venue called "stored".
        let expected = topic == "trade.stored.kraken." ? InstrumentID("stored:kraken") : nil
        #expect(Topic.instrument(in: topic) == expected)
    }

    @Test("is never the beginning of another instrument's")
    func prefixes() {
        property { rng in
            let one = rng.instrumentID()
            let longer = InstrumentID(venue: one.venue, symbol: one.symbol + rng.text(1...3))
            let other = rng.chance(50) ? longer : rng.instrumentID()
            let isPrefix = Array(Topic.bookTop(other).utf8).starts(with: Array(Topic.bookTop(one).utf8))
            try #require(isPrefix == one.description.utf8.elementsEqual(other.description.utf8))
        }
    }

    @Test("is retained when it carries state")
    func retained() {
        let state = [
            Topic.bookSnapshot(id), Topic.bookTop(id), Topic.ticker(id), Topic.feedStatus(.kraken),
            Topic.serviceStatus(service: "s", instance: "i"), "index.BTC-USD.", "portfolio.valuation.1.",
            Topic.bookAudit(id),
        ]
        #expect(state.allSatisfy(Topic.isState))
        let flow = [
            Topic.trade(id), Topic.tradesStored(id), Topic.bookDelta(id), Topic.candle(interval: "1m", id),
            Topic.heartbeat(producer: "p"), Topic.control(command: "c", id),
            Topic.controlReply(requestID: "r"),
            "", "ticker", "book.topper.",
        ]
        #expect(!flow.contains(where: Topic.isState))
        #expect(Topic.retainedPrefixes.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("never traps on arbitrary text")
    func arbitraryText() {
        property(cases: 1_000) { rng in
            let words = (0..<rng.int(0...6)).map { _ in
                rng.chance(50)
                    ? rng.pick(["trade", "book", "stored", "control", "reply", "candle"]) : rng.text()
            }
            let topic = words.joined(separator: ".") + rng.pick(["", "."])
            if let id = Topic.instrument(in: topic) {
                let again = Topic.instrument(in: Topic.ticker(id))
                try #require(again == id)
            }
        }
    }
}
