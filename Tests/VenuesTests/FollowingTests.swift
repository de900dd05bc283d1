import Instruments
import MarketData
import Testing
import Venues

/// What a session asks for when other instruments are followed on connections that are open.
@Suite("Following other instruments")
struct FollowingTests {
    typealias Wants = [(symbol: String, channels: Set<VenueChannel>)]

    private func opened(_ venue: VenueDescription, _ wants: Wants) -> SessionDriver {
        var configuration = VenueConfiguration(venue)
        configuration.subscriptions = wants
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func follow(_ wants: Wants, _ driver: inout SessionDriver) -> (sent: [String], events: [String]) {
        driver.output.removeAll()
        driver.session.follow(wants, at: driver.clock, into: &driver.output)
        return (driver.sent, driver.told)
    }

    @Test("asks for what is new and for nothing else", arguments: VenueSample.all)
    func gains(_ sample: VenueSample) throws {
        let (venue, first, second) = (sample.description, sample.first, sample.second)
        var driver = opened(venue, [(first, [.book, .trade])])
        let (sent, events) = follow([(first, [.book, .trade]), (second, [.book])], &driver)
        #expect(events == ["\(second) syncing snapshot-pending"])
        let text = try #require(sent.first).lowercased()
        #expect(text.contains(sample.written(second).lowercased()))
        #expect(text.contains(sample.written(first).lowercased()) == sample.sendsWholeLists)
        if sample.sendsWholeLists { return #expect(sent.count == 1) }
        #expect(sent.count { $0.lowercased().contains(sample.verbs.subscribe) } == 1)
        // What is asked besides is its image.
        #expect(sent.allSatisfy { $0.lowercased().contains(sample.written(second).lowercased()) })
    }

    @Test("gives up what is not wanted, whose book is empty from then on", arguments: VenueSample.all)
    func losses(_ sample: VenueSample) {
        let (venue, first, second) = (sample.description, sample.first, sample.second)
        var driver = opened(venue, [(first, [.book]), (second, [.book, .trade])])
        for line in sample.acknowledgements(second) { driver.receive(line) }
        let (sent, events) = follow([(first, [.book])], &driver)
        #expect(!sent.isEmpty)
        for text in sent {
            if sample.sendsWholeLists {
                #expect(text.contains(first) && !text.contains(second))
                continue
            }
            #expect(text.lowercased().contains(sample.verbs.unsubscribe))
            #expect(text.lowercased().contains(sample.unsubscribeName(sample.written(second)).lowercased()))
            #expect(!text.lowercased().contains(sample.written(first).lowercased()))
        }
        #expect(events == ["\(second) syncing unsubscribed"])
        #expect(driver.text(second) == " | ")
    }

    @Test("says nothing when nothing changes", arguments: VenueSample.all)
    func same(_ sample: VenueSample) {
        let (venue, first, second) = (sample.description, sample.first, sample.second)
        var driver = opened(venue, [(first, [.book]), (second, [.trade])])
        let (sent, events) = follow([(second, [.trade]), (first, [.book])], &driver)
        #expect(sent.isEmpty && events.isEmpty)
    }

    @Test("takes the book of what is followed again from its next image")
    func again() {
        var driver = opened(BitMEX.description, [("XBTUSD", [.book]), ("ETHUSD", [.book])])
        let image = """
            {"table":"orderBookL2","action":"partial","data":[\
            {"symbol":"ETHUSD","id":1,"side":"Buy","size":3,"price":100}]}
            """
        driver.receive(image)
        _ = follow([("XBTUSD", [.book])], &driver)
        driver.receive(image)
        #expect(driver.text("ETHUSD") == " | ")
        _ = follow([("XBTUSD", [.book]), ("ETHUSD", [.book])], &driver)
        driver.receive(image)
        #expect(driver.text("ETHUSD") == "100×3 | ")
        #expect(driver.state("ETHUSD") == .live)
    }

    @Test("a connection that opens later brings everything that is followed by then")
    func later() throws {
        var configuration = VenueConfiguration(Binance.spot)
        configuration.subscriptions = [("BTCUSDT", [.trade]), ("ETHUSDT", [.trade])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        _ = follow([("ETHUSDT", [.trade]), ("BNBUSDT", [.trade])], &driver)
        #expect(driver.sent.isEmpty)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        #expect(
            driver.sent == [
                #"{"method":"UNSUBSCRIBE","params":["btcusdt@aggTrade"],"id":1}"#,
                #"{"method":"SUBSCRIBE","params":["bnbusdt@aggTrade"],"id":2}"#,
            ])
    }

    @Test("an instrument that the venue does not list says so instead of waiting for ever")
    func unlisted() throws {
        var driver = opened(BitMEX.description, [("XBTUSD", [.book]), ("NOSUCH", [.book])])
        try driver.respond(
            "https://www.bitmex.com/api/v1/instrument/active",
            """
            [{"symbol":"XBTUSD","typ":"FFWCSX","underlying":"XBT","quoteCurrency":"USD","settlCurrency":"XBt",\
            "tickSize":0.5,"lotSize":100,"multiplier":-100000000,"isInverse":true}]
            """)
        #expect(driver.told == ["XBTUSD defined", "NOSUCH syncing unlisted"])
        let (_, added) = follow([("XBTUSD", [.book]), ("NEITHER", [.book])], &driver)
        #expect(
            added == [
                "NOSUCH syncing unsubscribed", "NEITHER syncing snapshot-pending", "NEITHER syncing unlisted",
            ])
    }

    @Test("so does one of Kraken, whose list has other scales than its texts")
    func unlistedOfKraken() throws {
        var driver = opened(Kraken.description, [("BTC/USD", [.book]), ("NO/SUCH", [.book])])
        try driver.respond(
            "https://api.kraken.com/0/public/AssetPairs",
            """
            {"error":[],"result":{"XXBTZUSD":{"wsname":"XBT/USD","pair_decimals":1,"lot_decimals":8},\
            "XETHZUSD":{"wsname":"ETH/USD","pair_decimals":2,"lot_decimals":8}}}
            """)
        #expect(driver.told == ["BTC/USD defined", "NO/SUCH syncing unlisted"])
        #expect(driver.output.listed.map(\.id.symbol) == ["ETH/USD"])
        let book = try #require(driver.session.registry.find("BTC/USD").flatMap(driver.session.book))
        #expect(book.priceScale == .zero && book.sizeScale == .zero)
    }

    @Test("an instrument that nobody follows is listed, and is no event")
    func listed() throws {
        var driver = opened(Binance.spot, [("BTCUSDT", [.trade])])
        func symbol(_ name: String) -> String {
            #"{"symbol":"\#(name)USDT","status":"TRADING","baseAsset":"\#(name)","quoteAsset":"USDT","filters":[]}"#
        }
        try driver.respond(
            "https://api.binance.com/api/v3/exchangeInfo",
            #"{"symbols":[\#(symbol("BTC")),\#(symbol("SOL"))]}"#)
        #expect(driver.told == ["BTCUSDT defined"])
        #expect(driver.output.listed.map(\.id.symbol) == ["SOLUSDT"])
        let (_, added) = follow([("BTCUSDT", [.trade]), ("SOLUSDT", [.trade])], &driver)
        #expect(added == ["SOLUSDT defined"])
        #expect(driver.output.listed.isEmpty)
    }
}
