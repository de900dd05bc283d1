import Instruments
import MarketData
import Testing
import Venues

@Suite("Bitstamp's book procedure")
struct BitstampSessionTests {
    private static func opened() -> SessionDriver {
        var configuration = VenueConfiguration(Bitstamp.description)
        configuration.subscriptions = [("btcusd", [.book, .trade])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    /// The same with the subscription to changes confirmed.
    private static func confirmed() -> SessionDriver {
        var driver = opened()
        driver.receive(confirmation)
        return driver
    }

    private static let confirmation =
        #"{"event":"bts:subscription_succeeded","channel":"diff_order_book_btcusd","data":{}}"#

    private static func change(_ micros: Int, _ size: String) -> String {
        VenueSample.bitstampChange(at: micros, bids: [("100", size)])
    }

    private static func image(_ micros: Int) -> String {
        VenueSample.bitstampImage(at: micros, bids: [("100", "2")], asks: [("101", "1")])
    }

    private static func images(_ driver: SessionDriver) -> Int {
        driver.output.actions.count { action in
            guard case .request(let request) = action, case .bookSnapshot = request.purpose else {
                return false
            }
            return true
        }
    }

    @Test("the image is asked for when the subscription is confirmed, not before")
    func confirmation() {
        var driver = Self.opened()
        driver.tick(after: 1_000_000_000)
        #expect(Self.images(driver) == 0)
        driver.receive(Self.confirmation)
        #expect(Self.images(driver) == 1)
        driver.receive(Self.confirmation)
        #expect(Self.images(driver) == 0)
    }

    @Test("neither a late change of an earlier subscription nor an image confirms the new one")
    func late() throws {
        var driver = Self.confirmed()
        driver.session.follow([], at: driver.clock, into: &driver.output)
        try driver.play(Self.image(10))
        #expect(driver.state("btcusd") == .syncing)
        driver.session.follow([("btcusd", [.book])], at: driver.clock, into: &driver.output)
        driver.receive(Self.change(11, "3"))
        #expect(Self.images(driver) == 0)
        #expect(bookEvents(try driver.play(Self.image(12))) == 0)
        driver.receive(Self.confirmation)
        #expect(Self.images(driver) == 1)
        try driver.play(Self.image(13))
        #expect(driver.state("btcusd") == .live)
    }

    @Test("a change from the future keeps no book back for longer than half a minute")
    func clockSetBack() throws {
        var driver = Self.confirmed()
        try driver.play(Self.image(10))
        driver.receive(Self.change(3_600_000_000, "3"))
        #expect(states(driver.receive(Self.change(20, "4"))) == [.syncing])
        for _ in 0..<4 {
            try driver.play(Self.image(21))
            #expect(driver.state("btcusd") == .syncing)
            driver.tick(after: 10_100_000_000)
        }
        try driver.play(Self.image(22))
        #expect(driver.state("btcusd") == .live)
        driver.receive(Self.change(23, "5"))
        #expect(driver.text("btcusd") == "100×5 | 101×1")
    }

    @Test("an image is none without a connection, nor that of the connection before")
    func otherConnection() throws {
        var driver = Self.confirmed()
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(Self.image(10))
        #expect(driver.state("btcusd") == .syncing)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(Self.image(11))
        #expect(driver.state("btcusd") == .syncing)
        driver.receive(Self.confirmation)
        try driver.play(Self.image(12))
        #expect(driver.state("btcusd") == .live)
    }

    @Test("a subscription that is never confirmed is asked for again instead of an image")
    func unconfirmed() {
        var driver = Self.opened()
        var sent: [String] = []
        for _ in 0..<3 {
            driver.tick(after: 4_000_000_000)
            sent += driver.sent
            #expect(Self.images(driver) == 0)
            driver.receive(#"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#)
        }
        #expect(sent == [#"{"event":"bts:subscribe","data":{"channel":"diff_order_book_btcusd"}}"#])
    }

    @Test("changes wait for the image, older ones are dropped and later ones applied")
    func bridge() throws {
        var driver = Self.confirmed()
        driver.receive(Self.change(11, "3"))
        driver.receive(Self.change(12, "4"))
        driver.receive(Self.change(13, "5"))
        let events = try driver.play(Self.image(12))
        #expect(bookEvents(events) == 2 && driver.output.counters.staleDropped == 2)
        #expect(driver.state("btcusd") == .live && driver.text("btcusd") == "100×5 | 101×1")
    }

    @Test("an image that is older than what was seen is fetched again")
    func oldImage() throws {
        var driver = Self.confirmed()
        driver.receive(Self.change(11, "3"))
        #expect(bookEvents(try driver.play(Self.image(10))) == 0)
        #expect(driver.state("btcusd") == .syncing)
        driver.receive(#"{"event":"bts:heartbeat"}"#)
        driver.tick(after: 60_000_000_000)
        #expect(Self.images(driver) == 1)
        try driver.play(Self.image(11))
        #expect(driver.state("btcusd") == .live)
    }

    @Test("an older change after a newer one costs the book; the same time again does not")
    func order() throws {
        var driver = Self.confirmed()
        try driver.play(Self.image(10))
        driver.receive(Self.change(10, "9"))
        #expect(driver.text("btcusd") == "100×2 | 101×1")
        driver.receive(Self.change(12, "4"))
        driver.receive(Self.change(12, "5"))
        #expect(driver.state("btcusd") == .live && driver.text("btcusd") == "100×5 | 101×1")
        let events = driver.receive(Self.change(11, "3"))
        #expect(states(events) == [.syncing] && driver.output.counters.gaps == 1)
        // What was seen has to be in the next image.
        try driver.play(Self.image(11))
        #expect(driver.state("btcusd") == .syncing)
        try driver.play(Self.image(12))
        #expect(driver.state("btcusd") == .live)
    }

    @Test("the venue's wish for a new connection is followed")
    func reconnect() {
        var driver = Self.opened()
        driver.receive(#"{"event":"bts:request_reconnect","channel":"","data":""}"#)
        #expect(
            driver.output.actions.contains(.reconnect(connection: 0, reason: "the venue asks for it")))
    }

    @Test("a trade has its exact price and size, and what the taker did")
    func trade() throws {
        var driver = Self.opened()
        let events = driver.receive(
            #"{"data":{"id":216000477,"timestamp":"1641343699","amount":0.0792,"amount_str":"0.07920000","#
                + #""price":3805.44,"price_str":"3805.44","type":0,"microtimestamp":"1641343699596000","#
                + #""buy_order_id":1,"sell_order_id":2},"channel":"live_trades_btcusd","event":"trade"}"#)
        guard case .trade(_, let trade) = try #require(events.first) else {
            return #expect(Bool(false), "no trade")
        }
        #expect(trade.id == "216000477" && trade.side == .buy)
        #expect(Bitstamp.description.wording(nil).text(trade.venueTime) == "1641343699596000")
    }

    @Test("the old list of pairs names both assets together")
    func oldList() throws {
        var driver = Self.opened()
        try driver.respond(
            "https://www.bitstamp.net/api/v2/trading-pairs-info/",
            #"[{"trading":"Enabled","base_decimals":8,"url_symbol":"ltcbtc","name":"LTC/BTC","#
                + #""counter_decimals":6}]"#)
        let listed = try #require(driver.output.listed.first)
        #expect(listed.base.rawValue == "LTC" && listed.quote.rawValue == "BTC")
        #expect(listed.priceScale.places == 6 && listed.sizeScale.places == 8)
    }
}
