import Instruments
import MarketData
import Testing
import Venues

/// Answers are shaped after Bybit's "V5 API, Connect".
@Suite("Bybit's subscriptions, lists and candles")
struct BybitSubscriptionTests {
    private func opened(_ symbols: [String], _ channels: Set<VenueChannel>) -> SessionDriver {
        var configuration = VenueConfiguration(Bybit.linear)
        configuration.subscriptions = symbols.map { ($0, channels) }
        configuration.bookDepth = 60
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("the nearest depth is asked for, and one topic for tickers and mark prices")
    func topics() throws {
        var driver = opened(["BTCUSDT"], [.book, .ticker, .mark])
        #expect(
            driver.output.actions.contains(
                .open(connection: 0, url: "wss://stream.bybit.com/v5/public/linear")))
        #expect(
            driver.sent == [
                #"{"op":"subscribe","req_id":"1","args":["orderbook.200.BTCUSDT","tickers.BTCUSDT"]}"#
            ])
        driver.output.removeAll()
        driver.session.follow([("BTCUSDT", [.book, .mark])], at: driver.clock, into: &driver.output)
        #expect(driver.sent.isEmpty, "the mark price keeps the topic")
        driver.session.follow([("BTCUSDT", [.book])], at: driver.clock, into: &driver.output)
        #expect(driver.sent == [#"{"op":"unsubscribe","req_id":"2","args":["tickers.BTCUSDT"]}"#])
    }

    @Test("a refused message is asked again topic by topic, and a refused topic is counted")
    func refused() throws {
        var driver = opened(["BTCUSDT", "NOSUCH"], [.trade])
        driver.receive(
            #"{"success":false,"ret_msg":"Invalid symbol :[publicTrade.NOSUCH]","req_id":"1","op":"subscribe"}"#
        )
        #expect(
            driver.sent == [
                #"{"op":"subscribe","req_id":"2","args":["publicTrade.BTCUSDT"]}"#,
                #"{"op":"subscribe","req_id":"3","args":["publicTrade.NOSUCH"]}"#,
            ])
        #expect(driver.output.counters.refused == 0)
        driver.receive(#"{"success":true,"ret_msg":"subscribe","req_id":"2","op":"subscribe"}"#)
        driver.receive(#"{"success":false,"ret_msg":"Invalid symbol","req_id":"3","op":"subscribe"}"#)
        #expect(driver.output.counters.refused == 1 && driver.sent.isEmpty)
    }

    @Test("a venue that has too much to do is asked again later, and is not said to refuse")
    func busy() throws {
        var driver = opened(["BTCUSDT"], [.trade])
        driver.receive(#"{"success":false,"ret_msg":"Too many visits!","req_id":"1","op":"subscribe"}"#)
        #expect(driver.sent.isEmpty && driver.output.counters.refused == 0)
        driver.tick(after: 1_100_000_000)
        #expect(driver.sent == [#"{"op":"subscribe","req_id":"2","args":["publicTrade.BTCUSDT"]}"#])
    }

    @Test("what is refused twice for now is asked for once, and a book in its turn among all of them")
    func busyOnce() throws {
        func busy(_ number: Int) -> String {
            #"{"success":false,"ret_msg":"Too many visits!","req_id":"\#(number)","op":"subscribe"}"#
        }
        var driver = opened(["BTCUSDT"], [.trade])
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.session.follow([("BTCUSDT", [.trade])], at: driver.clock, into: &driver.output)
        for number in [1, 3] { driver.receive(busy(number)) }
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent == [#"{"op":"subscribe","req_id":"4","args":["publicTrade.BTCUSDT"]}"#])
        driver = opened(["BTCUSDT"], [.book])
        driver.receive(busy(1))
        driver.tick(after: 3_000_000_000)
        #expect(
            driver.sent == [
                #"{"op":"unsubscribe","req_id":"2","args":["orderbook.200.BTCUSDT"]}"#,
                #"{"op":"subscribe","req_id":"3","args":["orderbook.200.BTCUSDT"]}"#,
            ])
    }

    @Test("a confirmed unsubscription costs a book that follows, and none that waits for its image")
    func ended() throws {
        var driver = opened(["BTCUSDT"], [.book])
        let image = BybitSessionTests.book("snapshot", 10, bids: #"["100","2"]"#, depth: 200)
        let confirmed = #"{"success":true,"ret_msg":"","req_id":"2","op":"unsubscribe"}"#
        for isLate in [false, true] {
            driver = opened(["BTCUSDT"], [.book])
            driver.receive(image)
            let index = try #require(driver.session.registry.find("BTCUSDT"))
            driver.session.resync(
                index, reason: .auditMismatch, detail: "", at: driver.clock, into: &driver.output)
            driver.tick(after: 2_000_000_000)
            #expect(driver.sent.first?.contains(#""unsubscribe","req_id":"2""#) == true)
            for frame in isLate ? [image, confirmed] : [confirmed, image] { driver.receive(frame) }
            #expect(driver.state("BTCUSDT") == (isLate ? .syncing : .live))
        }
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.count == 2, "it is fetched again")
    }

    @Test("a venue that talks is pinged too, every twenty seconds")
    func keepAlive() throws {
        var driver = opened(["BTCUSDT"], [.trade])
        let pong = #"{"success":true,"ret_msg":"pong","op":"ping"}"#
        var pings = 0
        for _ in 0..<12 {
            driver.receive(pong)
            driver.tick(after: 4_000_000_000)
            pings += driver.sent.count { $0 == #"{"op":"ping"}"# }
        }
        #expect(pings == 2)
    }

    @Test("a list of several pages is read to its end before anything is said to be missing")
    func pages() throws {
        func page(_ symbol: String, cursor: String) -> String {
            #"{"retCode":0,"result":{"category":"linear","nextPageCursor":"\#(cursor)","list":[{"symbol":"#
                + #""\#(symbol)","contractType":"LinearPerpetual","baseCoin":"BTC","quoteCoin":"USDT","#
                + #""priceFilter":{"tickSize":"0.10"},"lotSizeFilter":{"qtyStep":"0.001"}}]}}"#
        }
        var driver = opened(["BTCUSDT", "ETHUSDT"], [.book])
        let url = "https://api.bybit.com/v5/market/instruments-info?category=linear&limit=1000"
        try driver.respond(url, page("BTCUSDT", cursor: "a b"))
        #expect(driver.told == ["BTCUSDT defined"])
        let next = url + "&cursor=a%20b"
        #expect(
            driver.output.actions == [.request(VenueRequest(purpose: .instruments, url: next))])
        try driver.respond(next, page("ETHUSDT", cursor: ""))
        #expect(driver.told == ["ETHUSDT defined"] && driver.output.actions.isEmpty)
    }

    @Test("klines come newest first, and those of inverse contracts count dollars")
    func klines() throws {
        let body = #"""
            {"retCode":0,"retMsg":"OK","result":{"category":"x","symbol":"x","list":[
            ["1670608860000","17072","17073","17027","17055.5","2.5","42645"],
            ["1670608800000","17071","17073","17027","17055.5","268611","15.74462667"]]}}
            """#
        for description in [Bybit.linear, Bybit.inverse] {
            let history = try #require(VenueCandleHistory(description))
            let from = try #require(Timestamp(milliseconds: 1_670_608_800_000))
            let to = from.adding(nanoseconds: 120_000_000_000)
            let page = history.page(of: "BTCUSD", seconds: 60, from: from, to: to)
            #expect(page.url.hasSuffix("&interval=1&start=1670608800000&end=1670608919999&limit=1000"))
            let candles = try Array(body.utf8).withUnsafeBytes { try history.parse($0, of: page, at: to) }
            #expect(candles.map(\.start) == [from, from.adding(nanoseconds: 60_000_000_000)])
            #expect((candles.first?.notional == nil) == description.countsContracts)
        }
        let history = try #require(VenueCandleHistory(Bybit.spot))
        let refusal = Array(#"{"retCode":10006,"retMsg":"Too many visits!"}"#.utf8)
        #expect(
            refusal.withUnsafeBytes { history.refusal($0) } == .busy("Rate limit: Too many visits!"))
    }
}
