import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Kraken's "Futures WebSocket v1" documentation.
@Suite("Kraken Futures")
struct KrakenFuturesSessionTests {
    private let sample = VenueSample.krakenFutures

    private func followed(_ channels: Set<VenueChannel> = [.book]) -> SessionDriver {
        var configuration = VenueConfiguration(KrakenFutures.description)
        configuration.subscriptions = [("PF_XBTUSD", channels)]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func change(_ sequence: Int, _ price: Int, _ size: Int) -> String {
        VenueSample.krakenFuturesChange(sequence, price, size)
    }

    @Test("subscribes to the ticker once for best bid and ask and mark price")
    func subscriptions() {
        let driver = followed([.book, .trade, .ticker, .mark])
        #expect(
            driver.sent
                == ["book", "trade", "ticker"].map {
                    #"{"event":"subscribe","feed":"\#($0)","product_ids":["PF_XBTUSD"]}"#
                })
    }

    @Test("a change that the snapshot already contains is dropped, one that is missing costs the book")
    func sequence() {
        var driver = followed()
        driver.receive(sample.image)
        driver.receive(change(9, 100, 7))
        driver.receive(change(10, 100, 8))
        #expect(driver.output.counters.staleDropped == 2)
        driver.receive(change(11, 100, 3))
        driver.receive(change(11, 100, 9))
        #expect(driver.text("PF_XBTUSD") == "100×3 | 101×1")
        #expect(states(driver.receive(change(13, 99, 1))) == [.syncing])
        #expect(driver.output.counters.gaps == 1)
        driver.tick(after: 1_000_000_000)
        #expect(driver.sent.map { $0.contains("unsubscribe") } == [true, false])
        // What comes before the new snapshot makes nothing live.
        #expect(driver.receive(change(14, 99, 1)).isEmpty)
        driver.receive(sample.image)
        #expect(driver.state("PF_XBTUSD") == .live)
    }

    @Test("numbers that go back without a snapshot are a gap")
    func restart() {
        var driver = followed()
        driver.receive(sample.image)
        driver.receive(change(11, 100, 3))
        #expect(states(driver.receive(change(1, 100, 5))) == [.syncing])
    }

    @Test("a snapshot that comes unasked replaces the book, and its levels of no size are none")
    func replacement() {
        var driver = followed()
        driver.receive(sample.image)
        let image = """
            {"feed":"book_snapshot","product_id":"PF_XBTUSD","timestamp":1600000000000,"seq":3,\
            "bids":[{"price":90,"qty":1},{"price":89.5,"qty":0}],"asks":[]}
            """
        #expect(states(driver.receive(image)) == [.syncing])
        #expect(driver.text("PF_XBTUSD") == "90×1 | ")
        driver.receive(change(4, 90, 0))
        #expect(driver.text("PF_XBTUSD") == " | ")
        #expect(driver.state("PF_XBTUSD") == .live)
    }

    @Test("a ticker says best bid and ask with sizes, and the mark price")
    func ticker() throws {
        var driver = followed([.ticker, .mark])
        let events = driver.receive(
            """
            {"time":1676393235406,"product_id":"PF_XBTUSD","funding_rate":-6.2604214E-11,"feed":"ticker",\
            "bid":21978.5,"ask":21987.0,"bid_size":2536.0,"ask_size":0.5,"last":null,"suspended":false,\
            "markPrice":21979.68641534714}
            """)
        try #require(events.count == 2)
        guard case .ticker(_, let ticker) = events[0], case .mark(_, let mark) = events[1] else {
            Issue.record("not a ticker and a mark price")
            return
        }
        #expect(ticker.bidPrice?.decimal(ticker.priceScale).normalized.description == "21978.5")
        #expect(ticker.askSize?.decimal(ticker.sizeScale).normalized.description == "0.5")
        #expect(ticker.lastPrice == nil && ticker.venueTime == Timestamp(milliseconds: 1_676_393_235_406))
        #expect(mark.price.description == "21979.68641534714")
    }

    @Test("an inverse contract counts its quote asset; an index is no instrument")
    func definitions() throws {
        var driver = followed()
        let url = "https://futures.kraken.com/derivatives/api/v3/instruments"
        try driver.respond(
            url,
            """
            {"result":"success","instruments":[{"symbol":"fi_xbtusd_210924","type":"futures_inverse",\
            "tickSize":0.5,"contractSize":1},{"symbol":"PF_DOGEUSD","type":"flexible_futures",\
            "tickSize":1.0E-6,"contractSize":1,"contractValueTradePrecision":-1,"base":"DOGE","quote":"USD"},\
            {"symbol":"in_xbtusd","type":"spot index","tradeable":false}]}
            """)
        let listed = driver.output.listed
        try #require(listed.map(\.id.symbol) == ["FI_XBTUSD_210924", "PF_DOGEUSD"])
        #expect(listed[0].isInverse && listed[0].kind == .future && listed[0].quote.rawValue == "USD")
        #expect(listed[0].contractMultiplier?.description == "1")
        #expect(listed[1].kind == .perpetual && listed[1].tickSize?.description == "0.000001")
        #expect(listed[1].lotSize?.description == "10")
    }

    @Test("asks again for what is refused for lack of time, and only counts what is refused for good")
    func refusals() {
        var driver = followed([.trade])
        driver.receive(#"{"event":"error","message":"Invalid product id"}"#)
        #expect(driver.output.counters.refused == 1)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent.isEmpty)
        driver.receive(#"{"event":"alert","message":"Too many requests"}"#)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent == [#"{"event":"subscribe","feed":"trade","product_ids":["PF_XBTUSD"]}"#])
        driver.receive(#"{"event":"subscribed","feed":"trade","product_ids":["PF_XBTUSD"]}"#)
        driver.receive(#"{"event":"alert","message":"Too many requests"}"#)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent.isEmpty)
        #expect(driver.output.counters.refused == 1)
    }

    @Test("is pinged at least every half minute, however much it says")
    func ping() {
        var driver = followed()
        for second in 0..<40 {
            driver.receive(#"{"feed":"heartbeat","time":1534262350627}"#)
            driver.tick(after: 1_000_000_000)
            let isPinged = driver.output.actions.contains(.ping(connection: 0))
            #expect(isPinged == (second == 29))
        }
    }
}
