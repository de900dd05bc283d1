import Instruments
import MarketData
import Testing
import Venues

@Suite("Upbit session")
struct UpbitSessionTests {
    @Test("reads either format alike, one message or several in an array")
    func formats() {
        let plain =
            #"{"type":"orderbook","code":"KRW-LAMB","timestamp":1618678262640,"orderbook_units":["#
            + #"{"ask_price":127.0,"bid_price":126.0,"ask_size":280460.37885666,"#
            + #""bid_size":688682.44561413}]}"#
        let simple =
            #"{"ty":"orderbook","cd":"KRW-LAMB","tms":1618678262640,"tas":1,"obu":["#
            + #"{"ap":127.0,"bp":126.0,"as":280460.37885666,"bs":688682.44561413}]}"#
        for text in [plain, simple, "[\(simple),\(simple)]"] {
            var driver = SessionDriver(.replay(of: Upbit.description))
            let events = driver.receive(text)
            #expect(bookEvents(events) == (text.hasPrefix("[") ? 2 : 1))
            #expect(driver.text("KRW-LAMB") == "126×688682.44561413 | 127×280460.37885666")
        }
        var driver = SessionDriver(.replay(of: Upbit.description))
        let trades = driver.receive(
            #"{"ty":"trade","cd":"KRW-LAMB","tms":1618678262712,"ttms":1618678262000,"tp":127.0,"#
                + #""tv":46.48838371,"ab":"BID","c":"RISE","sid":1618678262000003,"st":"REALTIME"}"#)
        guard case .trade(_, let trade) = trades.last else { return #expect(Bool(false)) }
        #expect(trade.id == "1618678262000003" && trade.side == .buy && !trade.isBackfill)
        #expect(trade.venueTime.nanoseconds == 1_618_678_262_000_000_000)
    }

    @Test("sends its whole list whenever something else is followed, and when the venue was busy")
    func list() {
        var configuration = VenueConfiguration(Upbit.description)
        configuration.subscriptions = [("KRW-BTC", [.book])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        let first =
            #"[{"ticket":"bitpal"},{"type":"orderbook","codes":["KRW-BTC"]},{"format":"DEFAULT"}]"#
        #expect(driver.sent == [first])
        driver.output.removeAll()
        driver.session.follow(
            [("KRW-BTC", [.book]), ("KRW-ETH", [.book, .trade])], at: driver.clock, into: &driver.output)
        let both =
            #"[{"ticket":"bitpal"},{"type":"orderbook","codes":["KRW-BTC","KRW-ETH"]},"#
            + #"{"type":"trade","codes":["KRW-ETH"]},{"format":"DEFAULT"}]"#
        #expect(driver.sent == [both])
        driver.receive(#"{"error":{"name":"TOO_MANY_SUBSCRIBE","message":"slow down"}}"#)
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.contains(both) && driver.output.counters.refused == 0)
        driver.receive(#"{"error":{"name":"INVALID_PARAM","message":"no"}}"#)
        #expect(driver.output.counters.refused == 1)
        driver.receive(#"{"status":"UP"}"#)
        #expect(driver.output.counters.malformed == 0 && driver.output.counters.unexpected == 0)
    }

    private static func opened() -> SessionDriver {
        var configuration = VenueConfiguration(Upbit.description)
        configuration.subscriptions = [("KRW-BTC", [.book])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private static let url = "https://api.upbit.com/v1/orderbook?markets=KRW-BTC"
    private static let answer =
        #"[{"market":"KRW-BTC","timestamp":1,"orderbook_units":["#
        + #"{"ask_price":101,"bid_price":100,"ask_size":1,"bid_size":2}]}]"#
    private static let message =
        #"{"type":"orderbook","code":"KRW-BTC","timestamp":2,"orderbook_units":["#
        + #"{"ask_price":102,"bid_price":100,"ask_size":1,"bid_size":3}]}"#

    @Test("sends its list again for a book that does not come, and takes none that has no subscription")
    func unheard() throws {
        var driver = Self.opened()
        let list = driver.sent
        try driver.respond(Self.url, Self.answer)
        #expect(driver.state("KRW-BTC") == .syncing)
        driver.tick(after: 11_000_000_000)
        #expect(driver.sent.filter { $0 != "PING" } == list)
        #expect(!driver.output.actions.contains { if case .request = $0 { true } else { false } })
        driver.receive(Self.message)
        #expect(driver.state("KRW-BTC") == .live)
    }

    @Test("asks by REST for a book that it lost, and keeps what came before the answer")
    func image() throws {
        var driver = Self.opened()
        driver.receive(Self.message)
        let index = try #require(driver.session.registry.find("KRW-BTC"))
        func lose(_ driver: inout SessionDriver) {
            driver.output.removeAll()
            driver.session.resync(
                index, reason: .auditMismatch, detail: "", at: driver.clock, into: &driver.output)
        }
        lose(&driver)
        driver.tick(after: 1_000_000_000)
        #expect(
            driver.output.actions.contains { action in
                if case .request(let request) = action { request.url == Self.url } else { false }
            })
        try driver.respond(Self.url, Self.answer)
        #expect(driver.text("KRW-BTC") == "100×2 | 101×1" && driver.state("KRW-BTC") == .live)
        lose(&driver)
        driver.receive(Self.message)
        try driver.respond(Self.url, Self.answer)
        #expect(driver.text("KRW-BTC") == "100×3 | 102×1")
    }

    @Test("sends its list again when the venue has begun to trade what is followed")
    func listed() throws {
        var driver = Self.opened()
        let list = "https://api.upbit.com/v1/market/all"
        try driver.respond(list, #"[{"market":"KRW-ETH"}]"#)
        #expect(driver.sent.isEmpty)
        driver.tick(after: 11_000_000_000)
        #expect(!driver.sent.contains { $0.contains("KRW-BTC") })
        try driver.respond(list, #"[{"market":"KRW-ETH"},{"market":"KRW-BTC"}]"#)
        #expect(driver.sent.contains { $0.contains("KRW-BTC") })
    }
}
