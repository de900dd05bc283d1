import Instruments
import MarketData
import Testing
import Venues

@Suite("Gemini's book procedure")
struct GeminiSessionTests {
    private static func replayed() -> SessionDriver { SessionDriver(.replay(of: Gemini.description)) }

    private static func message(_ changes: String, _ rest: String = "") -> String {
        #"{"type":"l2_updates","symbol":"BTCUSD","changes":[\#(changes)]\#(rest)}"#
    }

    private static func trades(_ events: [MarketEvent]) -> [Trade] {
        events.compactMap { event in
            if case .trade(_, let trade) = event { trade } else { nil }
        }
    }

    @Test("only the message with the newest trades is an image, and a later one replaces the book")
    func image() {
        var driver = Self.replayed()
        #expect(driver.receive(Self.message(#"["buy","99","1"]"#)).isEmpty)
        #expect(driver.state("BTCUSD") == .syncing)
        let first = driver.receive(
            Self.message(
                #"["buy","100","2"],["sell","101","1"]"#,
                #","trades":[{"type":"trade","symbol":"BTCUSD","event_id":45465785975,"#
                    + #""timestamp":1624493651491,"price":"302.53","quantity":"0.992143","side":"buy"}]"#))
        #expect(driver.text("BTCUSD") == "100×2 | 101×1")
        let trade = Self.trades(first).first
        #expect(trade?.id == "45465785975" && trade?.side == .buy && trade?.isBackfill == true)
        driver.receive(Self.message(#"["sell","101","0"],["sell","102","1E-8"]"#))
        #expect(driver.text("BTCUSD") == "100×2 | 102×0.00000001")
        driver.receive(Self.message(#"["buy","90","1"]"#, #","trades":[]"#))
        #expect(driver.text("BTCUSD") == "90×1 | " && driver.state("BTCUSD") == .live)
    }

    @Test("the image of an earlier subscription is none of the new one, and a lost answer does not last")
    func earlierImage() {
        var configuration = VenueConfiguration(Gemini.description)
        configuration.subscriptions = [("BTCUSD", [.book])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.session.follow(configuration.subscriptions, at: driver.clock, into: &driver.output)
        let image = Self.message(#"["buy","100","2"]"#, #","trades":[]"#)
        driver.receive(image)
        #expect(driver.state("BTCUSD") == .syncing)
        driver.receive(image)
        #expect(driver.state("BTCUSD") == .live)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        for _ in 0..<2 {
            driver.session.follow([], at: driver.clock, into: &driver.output)
            driver.session.follow(configuration.subscriptions, at: driver.clock, into: &driver.output)
        }
        driver.receive(image)
        #expect(driver.state("BTCUSD") == .syncing)
        driver.receive(#"{"type":"heartbeat"}"#)
        driver.tick(after: 11_000_000_000)
        driver.receive(image)
        #expect(driver.state("BTCUSD") == .live)
    }

    @Test("a trade of an auction, which nobody took, is left out and costs no book")
    func auction() {
        var driver = Self.replayed()
        driver.receive(Self.message(#"["buy","100","2"],["sell","101","1"]"#, #","trades":[]"#))
        let events = driver.receive(
            #"{"type":"trade","symbol":"BTCUSD","event_id":1,"timestamp":1600000000000,"price":"100","#
                + #""quantity":"1","side":"auction"}"#)
        #expect(events.isEmpty && driver.output.counters.malformed == 0)
        #expect(driver.output.counters.unexpected == 1 && driver.state("BTCUSD") == .live)
    }

    @Test("a trade with both ids has that which the route of past trades tells, too")
    func tradeID() {
        var driver = Self.replayed()
        let events = driver.receive(
            #"{"type":"trade","symbol":"BTCUSD","event_id":3575573053,"timestamp":1600000000000,"#
                + #""price":"9004.21","quantity":"0.0911","side":"buy","tid":2840140800042677}"#)
        #expect(Self.trades(events).map(\.id) == ["2840140800042677"])
    }

    @Test("candles of a minute are read from bare numbers")
    func candles() throws {
        var driver = Self.replayed()
        let events = driver.receive(
            #"{"type":"candles_1m_updates","symbol":"BTCUSD","changes":[[1561054500000,9350.18,9358.35,"#
                + #"9350.18,9355.51,2.07],[1561054440000,9357.33,9357.33,9350.18,9350.18,1.5900161]]}"#)
        guard events.count == 2, case .candle(_, let candle) = events[1] else {
            return #expect(Bool(false), "\(events.count) events")
        }
        #expect(candle.interval == "1m" && candle.start.nanoseconds == 1_561_054_440_000_000_000)
        #expect(candle.volume.decimal(candle.sizeScale).normalized.description == "1.5900161")
    }

    @Test("details of one symbol tell its steps, and nothing of what else there is")
    func details() throws {
        var configuration = VenueConfiguration(Gemini.description)
        configuration.subscriptions = [("BTCSGD", [.book]), ("ETHUSD", [.book])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        try driver.respond(
            "https://api.gemini.com/v1/symbols/details/btcsgd",
            #"{"symbol":"BTCSGD","base_currency":"BTC","quote_currency":"SGD","tick_size":1E-8,"#
                + #""quote_increment":0.01,"min_order_size":"0.00001","status":"open"}"#)
        #expect(driver.told == ["BTCSGD defined"])
        let index = try #require(driver.session.registry.find("BTCSGD"))
        let book = try #require(driver.session.book(of: index))
        #expect(book.priceScale.places == 2 && book.sizeScale.places == 8)
    }

    @Test("books and trades share a subscription, which is asked for again for a book that is new")
    func following() {
        var configuration = VenueConfiguration(Gemini.description)
        configuration.subscriptions = [("BTCUSD", [.trade])]
        var driver = SessionDriver(configuration)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.follow([("BTCUSD", [.book, .trade])], at: driver.clock, into: &driver.output)
        let subscribe = #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["BTCUSD"]}]}"#
        #expect(driver.sent == [subscribe])
        driver.output.removeAll()
        driver.session.follow([("BTCUSD", [.trade])], at: driver.clock, into: &driver.output)
        #expect(driver.sent.isEmpty)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        #expect(driver.sent == [#"{"type":"un"# + subscribe.dropFirst(9)])
    }
}
