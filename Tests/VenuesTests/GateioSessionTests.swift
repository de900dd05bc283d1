import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Gate's "Spot WebSocket v4" and "Futures WebSocket v4" documentation.
@Suite("Gate")
struct GateioSessionTests {
    private func followed(
        _ description: VenueDescription = Gateio.spot, _ channels: Set<VenueChannel> = [.book]
    ) -> SessionDriver {
        var configuration = VenueConfiguration(description)
        configuration.subscriptions = [("BTC_USDT", channels), ("ETH_USDT", channels)]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func change(_ first: Int, _ last: Int, _ bids: String) -> String {
        #"{"time":1600000000,"channel":"spot.order_book_update","event":"update","result":{"t":1600000000123,"#
            + #""s":"BTC_USDT","U":\#(first),"u":\#(last),"b":[\#(bids)],"a":[]}}"#
    }

    private let url =
        "https://api.gateio.ws/api/v4/spot/order_book?currency_pair=BTC_USDT&limit=100&with_id=true"

    private func image(_ id: Int) -> String {
        #"{"id":\#(id),"current":1600000000123,"update":1600000000100,"asks":[["101","1"]],"bids":[["100","2"]]}"#
    }

    private func requested(_ driver: SessionDriver) -> [String] {
        driver.output.actions.compactMap { action in
            if case .request(let request) = action { request.url } else { nil }
        }
    }

    @Test("changes wait for the image; those that it contains are dropped, the rest follows it")
    func bridge() throws {
        var driver = followed()
        driver.receive(change(9, 9, #"["100","7"]"#))
        #expect(requested(driver) == [url])
        driver.receive(change(10, 12, #"["100","3"]"#))
        driver.receive(change(13, 13, #"["99","4"]"#))
        let events = try driver.respond(url, image(11))
        #expect(bookEvents(events) == 3)
        #expect(driver.text("BTC_USDT") == "100×3 99×4 | 101×1")
        #expect(driver.output.counters.staleDropped == 1)
        #expect(driver.state("BTC_USDT") == .live)
    }

    @Test("an image that ends before the first waiting change begins is fetched again")
    func oldImage() throws {
        var driver = followed()
        driver.receive(change(20, 21, #"["100","7"]"#))
        #expect(bookEvents(try driver.respond(url, image(18))) == 0)
        #expect(driver.state("BTC_USDT") == .syncing)
        driver.tick(after: 2_000_000_000)
        #expect(requested(driver).contains(url))
        try driver.respond(url, image(19))
        #expect(driver.text("BTC_USDT") == "100×7 | 101×1")
    }

    @Test("an image without its number proves nothing")
    func unnumbered() throws {
        var driver = followed()
        driver.receive(change(20, 21, #"["100","7"]"#))
        try driver.respond(url, #"{"asks":[["101","1"]],"bids":[["100","2"]]}"#)
        #expect(driver.state("BTC_USDT") == .syncing)
        #expect(driver.output.counters.malformed == 1)
    }

    @Test("the change that shows a gap waits for the next image")
    func gap() throws {
        var driver = followed()
        driver.confirm(as: .gateio(Gateio.spot))
        try driver.respond(url, image(10))
        driver.receive(change(11, 12, #"["100","3"]"#))
        #expect(states(driver.receive(change(14, 15, #"["99","1"]"#))) == [.syncing])
        try driver.respond(url, image(13))
        #expect(driver.text("BTC_USDT") == "100×2 99×1 | 101×1")
        #expect(driver.state("BTC_USDT") == .live)
    }

    @Test("a message that is an image by itself begins a book, whatever its channel")
    func full() {
        var driver = followed()
        driver.receive(
            #"{"channel":"spot.obu","result":{"t":1600000000123,"full":true,"s":"ob.BTC_USDT.50","u":30,"#
                + #""b":[["100","1"],["99","0"]],"a":[["101","1"]]},"time_ms":1600000000123}"#)
        #expect(driver.text("BTC_USDT") == "100×1 | 101×1")
        driver.receive(
            #"{"channel":"spot.obu","event":"update","result":{"t":1600000000123,"s":"ob.BTC_USDT.50","#
                + #""U":31,"u":32,"a":[["101","0"],["102","5"]]}}"#)
        #expect(driver.text("BTC_USDT") == "100×1 | 102×5")
    }

    @Test("a sale of futures is a size below zero, and times keep their fraction")
    func trades() throws {
        var driver = followed(Gateio.futures, [.trade])
        let events = driver.receive(
            """
            {"time":1545136464,"channel":"futures.trades","event":"update","result":[{"size":-108,"id":27753479,\
            "create_time":1545136464,"create_time_ms":1545136464123.4567,"price":"96.4","contract":"BTC_USDT"}]}
            """)
        guard case .trade(_, let trade)? = events.first else {
            Issue.record("no trade")
            return
        }
        #expect(trade.side == .sell && tradeTexts(events) == ["96.4×108"])
        #expect(trade.venueTime == Timestamp(nanoseconds: 1_545_136_464_123_456_700))
        let wording = Gateio.futures.wording(0x7B)
        #expect(wording.tradeText(trade.venueTime) == "1545136464123.4567")
        #expect(wording.text(Timestamp(nanoseconds: 1_545_136_464_000_000_000)) == "1545136464")
    }

    @Test("reads best bid and ask with an empty side, and the mark price of futures")
    func tickers() throws {
        var driver = followed(Gateio.futures, [.ticker, .mark])
        var events = driver.receive(
            """
            {"time":1615366379,"channel":"futures.book_ticker","event":"update","result":{"t":1615366379123,\
            "u":2517661076,"s":"BTC_USDT","b":"54696.6","B":37000,"a":"","A":0}}
            """)
        guard case .ticker(_, let ticker)? = events.first else {
            Issue.record("no ticker")
            return
        }
        #expect(ticker.bidPrice?.decimal(ticker.priceScale).description == "54696.6")
        #expect(ticker.askPrice == nil && ticker.updateID == 2_517_661_076)
        events = driver.receive(
            """
            {"time":1541659086,"time_ms":1541659086123,"channel":"futures.tickers","event":"update","result":\
            [{"contract":"BTC_USDT","last":"118.4","mark_price":"118.35","index_price":"118.36"}]}
            """)
        guard events.count == 1, case .mark(_, let mark)? = events.first else {
            Issue.record("not a mark price alone")
            return
        }
        #expect(mark.price.description == "118.35")
        #expect(mark.venueTime == Timestamp(milliseconds: 1_541_659_086_123))
    }

    @Test("a symbol that the venue does not know costs the others of its message nothing")
    func unknownSymbol() {
        var driver = followed(Gateio.spot, [.trade])
        #expect(driver.sent.count == 1 && driver.sent[0].contains(#""payload":["BTC_USDT","ETH_USDT"]"#))
        driver.receive(
            #"{"time":1,"id":1,"channel":"spot.trades","event":"subscribe","error":{"code":2,"#
                + #""message":"unknown currency pair: ETH_USDT"},"result":null}"#)
        #expect(driver.output.counters.refused == 0)
        #expect(driver.sent.map { $0.contains(#""payload":["BTC_USDT"]"#) } == [true, false])
        driver.receive(
            #"{"time":1,"id":3,"channel":"spot.trades","event":"subscribe","error":{"code":2,"#
                + #""message":"unknown currency pair: ETH_USDT"},"result":null}"#)
        #expect(driver.output.counters.refused == 1 && driver.sent.isEmpty)
    }

    @Test("asks again for what is refused for lack of time")
    func backoff() {
        var driver = followed(Gateio.spot, [.trade])
        driver.receive(
            #"{"time":1,"id":1,"channel":"spot.trades","event":"subscribe","error":{"code":3,"#
                + #""message":"too many requests"},"result":null}"#)
        #expect(driver.sent.isEmpty && driver.output.counters.refused == 0)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent.count { $0.contains(#""payload":["BTC_USDT","ETH_USDT"]"#) } == 1)
    }

    private func refusal(_ id: Int) -> String {
        #"{"time":1,"id":\#(id),"channel":"spot.order_book_update","event":"subscribe","error":{"code":3,"#
            + #""message":"too many requests"},"result":null}"#
    }

    @Test("no image makes a book live whose subscription is not confirmed, or is refused later")
    func unconfirmed() throws {
        var driver = followed()
        driver.tick(after: 2_000_000_000)
        #expect(requested(driver).isEmpty)
        try driver.respond(url, image(10))
        #expect(driver.state("BTC_USDT") == .syncing)
        driver.receive(change(11, 12, #"["100","3"]"#))
        try driver.respond(url, image(10))
        #expect(driver.state("BTC_USDT") == .live)
        driver.receive(refusal(1))
        #expect(driver.state("BTC_USDT") == .syncing)
        driver.tick(after: 5_000_000_000)
        #expect(requested(driver).isEmpty && driver.sent.count { $0.contains("BTC_USDT") } == 1)
    }

    @Test("no image makes a book live without a connection, or when nobody wants it")
    func unwanted() throws {
        var driver = followed()
        driver.confirm(as: .gateio(Gateio.spot))
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        try driver.respond(url, image(10))
        #expect(driver.state("BTC_USDT") != .live && requested(driver).isEmpty)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.confirm(as: .gateio(Gateio.spot))
        driver.session.follow([], at: driver.clock, into: &driver.output)
        try driver.respond(url, image(10))
        #expect(driver.state("BTC_USDT") == .syncing)
    }

    @Test("another channel of the same symbol does not touch a book, unless its image is deeper")
    func channels() throws {
        var driver = followed()
        driver.confirm(as: .gateio(Gateio.spot))
        try driver.respond(url, image(10))
        func message(_ depth: Int, _ rest: String) -> String {
            #"{"channel":"spot.obu","result":{"t":1600000000123,"s":"ob.BTC_USDT.\#(depth)",\#(rest)}}"#
        }
        driver.receive(message(50, #""full":true,"u":10,"b":[["90","1"]],"a":[]"#))
        driver.receive(message(50, #""U":11,"u":11,"b":[["90","1"]],"a":[]"#))
        #expect(driver.text("BTC_USDT") == "100×2 | 101×1")
        driver.receive(message(400, #""full":true,"u":10,"b":[["90","1"]],"a":[]"#))
        #expect(driver.text("BTC_USDT") == "90×1 | ")
    }
}
