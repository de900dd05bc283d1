import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after KuCoin's API documentation, "Orderbook - Increment", "Get Public Token" and
/// "WebSocket, Introduction".
@Suite("KuCoin's procedures")
struct KuCoinSessionTests {
    private static let root = "https://api.kucoin.com/api/v1/market/orderbook/"

    private func update(_ first: Int, _ last: Int, asks: String = "", bids: String = "") -> String {
        """
        {"topic":"/market/level2:A-B","type":"message","subject":"trade.l2update","data":{"changes":\
        {"asks":[\(asks)],"bids":[\(bids)]},"sequenceEnd":\(last),"sequenceStart":\(first),"symbol":"A-B",\
        "time":1729816425625}}
        """
    }

    private func image(_ sequence: Int, bids: String = #"["3988.51","56"]"#) -> String {
        """
        {"code":"200000","data":{"time":1,"sequence":"\(sequence)","bids":[\(bids)],\
        "asks":[["3988.59","3"],["3988.61","32"]]}}
        """
    }

    private func answer(
        _ request: VenueRequest, _ status: Int, _ body: String, _ driver: inout SessionDriver
    ) {
        driver.output.removeAll()
        let time = driver.clock
        Array(body.utf8).withUnsafeBytes {
            driver.session.responded(to: request, status: status, body: $0, at: time, into: &driver.output)
        }
    }

    private func replay() -> SessionDriver { SessionDriver(.replay(of: KuCoin.description)) }

    @Test("an update that straddles the image is applied as far as it is newer")
    func straddling() throws {
        var driver = replay()
        driver.receive(
            update(
                15, 19, asks: #"["3988.59","9","16"],["3988.61","0","19"],["3988.62","8","15"]"#,
                bids: #"["3988.50","44","18"]"#))
        let events = try driver.respond(Self.root + "level2?symbol=A-B", image(16))
        #expect(bookEvents(events) == 2)
        #expect(driver.text("A-B") == "3988.51×56 3988.5×44 | 3988.59×3")
        #expect(driver.state("A-B") == .live)
    }

    @Test("what follows without a gap is applied whole, whatever its prices' own numbers are")
    func ownNumbers() throws {
        var driver = replay()
        driver.receive(update(16, 16))
        try driver.respond(Self.root + "level2?symbol=A-B", image(16))
        driver.receive(update(17, 18, bids: #"["3988.50","44","9"]"#))
        #expect(driver.text("A-B") == "3988.51×56 3988.5×44 | 3988.59×3 3988.61×32")
    }

    @Test("a price of zero is a number without a change, and a gap costs the book")
    func continuity() throws {
        var driver = replay()
        driver.receive(update(16, 16))
        try driver.respond(Self.root + "level2?symbol=A-B", image(16))
        #expect(bookEvents(driver.receive(update(17, 17, asks: #"["0","0","17"]"#))) == 1)
        driver.receive(update(17, 17, bids: #"["3980","1","17"]"#))
        #expect(driver.output.counters.staleDropped == 2)
        #expect(driver.text("A-B") == "3988.51×56 | 3988.59×3 3988.61×32")
        driver.receive(update(19, 19, bids: #"["3980","1","19"]"#))
        #expect(driver.state("A-B") == .syncing && driver.output.counters.gaps == 1)
        // It waits for an image that reaches it.
        try driver.respond(Self.root + "level2?symbol=A-B", image(17))
        #expect(driver.state("A-B") == .syncing)
        try driver.respond(Self.root + "level2?symbol=A-B", image(18))
        #expect(driver.text("A-B") == "3988.51×56 3980×1 | 3988.59×3 3988.61×32")
    }

    @Test("behind the worst price of a cut image nothing is known, and near to it a new one is due")
    func horizon() throws {
        var driver = replay()
        let bids = (0..<20).map { #"["\#(3_900 - $0)","1"]"# }.joined(separator: ",")
        driver.receive(update(17, 17))
        try driver.respond(Self.root + "level2_20?symbol=A-B", image(17, bids: bids))
        driver.receive(update(18, 18, bids: #"["3880","5","18"]"#))
        #expect(!driver.text("A-B").contains("3880"))
        driver.receive(update(19, 19, bids: #"["3880.5","5","19"]"#))
        #expect(!driver.text("A-B").contains("3880.5"))
        #expect(driver.state("A-B") == .live)
        driver.receive(update(20, 20, bids: #"["3900","0","20"]"#))
        #expect(driver.state("A-B") == .syncing)
    }

    @Test("a token comes before the connection, a new one after it; what does not come is asked for again")
    func token() throws {
        var configuration = VenueConfiguration(KuCoin.description)
        configuration.subscriptions = [("A-B", [.book])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        let asked = driver.output.actions.compactMap { action -> VenueRequest? in
            if case .request(let request) = action, request.purpose == .connection { request } else { nil }
        }
        let request = try #require(asked.first)
        #expect(request.url == "https://api.kucoin.com/api/v1/bullet-public" && request.body == "")
        answer(request, 503, "", &driver)
        driver.tick(after: 31_000_000_000)
        #expect(driver.output.actions == [.request(request)])
        answer(
            request, 200,
            """
            {"code":"200000","data":{"token":"2neA==.28","instanceServers":[{"endpoint":\
            "wss://ws-api-spot.kucoin.com/","encrypt":true,"protocol":"websocket","pingInterval":18000}]}}
            """, &driver)
        #expect(
            driver.output.actions == [
                .open(connection: 0, url: "wss://ws-api-spot.kucoin.com/?token=2neA%3D%3D.28&connectId=1")
            ])
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        #expect(driver.output.actions == [.request(request)])
    }

    @Test("it is pinged although it speaks, and what it refuses for now is asked for again")
    func pings() {
        var configuration = VenueConfiguration(KuCoin.description)
        configuration.subscriptions = [("A-B", [.ticker])]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.receive(#"{"id":"1","type":"error","code":429,"data":"too many requests"}"#)
        #expect(driver.output.counters.refused == 0)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent.count == 1 && driver.sent[0].contains("/market/ticker:A-B"))
        driver.receive(
            #"{"id":"2","type":"error","code":404,"data":"topic /market/ticker:A-B is not found"}"#)
        #expect(driver.output.counters.refused == 1)
        var pings = 0
        for _ in 0..<8 {
            driver.receive(#"{"id":"9","type":"pong"}"#)
            driver.tick(after: 4_000_000_000)
            pings += driver.sent.count { $0.contains("\"ping\"") }
        }
        #expect(pings == 2)
    }

    // MARK: - Subscriptions

    private func followed(_ symbols: [String], _ channels: Set<VenueChannel> = [.book]) -> SessionDriver {
        var driver = SessionDriver(VenueConfiguration(KuCoin.description, following: symbols, channels))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func refusal(_ id: Int, code: Int = 404) -> String {
        #"{"id":"\#(id)","type":"error","code":\#(code),"data":"no"}"#
    }

    private let url = root + "level2_100?symbol=A-B"

    @Test("no image makes a book live whose subscription is not confirmed, or is refused later")
    func unconfirmed() throws {
        var driver = followed(["A-B"])
        driver.tick(after: 2_000_000_000)
        #expect(driver.output.actions == [], "nothing is asked for yet")
        try driver.respond(url, image(16))
        #expect(driver.state("A-B") == .syncing)
        driver.receive(#"{"id":"1","type":"ack"}"#)
        driver.tick(after: 2_000_000_000)
        #expect(driver.output.actions.count == 1)
        try driver.respond(url, image(16))
        #expect(driver.state("A-B") == .live)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.session.follow([("A-B", [.book])], at: driver.clock, into: &driver.output)
        driver.receive(update(17, 17, bids: #"["3980","1","17"]"#))
        try driver.respond(url, image(16))
        #expect(driver.state("A-B") == .live)
        driver.receive(refusal(3))
        #expect(driver.state("A-B") == .syncing)
        driver.tick(after: 20_000_000_000)
        #expect(!driver.output.actions.contains { if case .request = $0 { true } else { false } })
    }

    @Test("no image makes a book live without a connection, or when nobody wants it")
    func unwanted() throws {
        var driver = followed(["A-B"])
        driver.receive(#"{"id":"1","type":"ack"}"#)
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        try driver.respond(url, image(16))
        #expect(driver.state("A-B") != .live && driver.output.actions == [])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.receive(#"{"id":"2","type":"ack"}"#)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        try driver.respond(url, image(16))
        #expect(driver.state("A-B") == .syncing)
    }

    @Test("a message of many symbols that is refused is asked again in halves")
    func halves() {
        var driver = followed(["A-B", "C-D", "E-F"])
        driver.receive(refusal(1))
        #expect(driver.sent.map { $0.contains("level2:A-B\"") } == [true, false])
        #expect(driver.sent.last?.contains("level2:C-D,E-F\"") == true)
        driver.receive(refusal(2))
        #expect(driver.sent == [] && driver.output.counters.refused == 1)
    }

    @Test("what is refused for now is not repeated when it is out of date")
    func retries() {
        var driver = followed(["A-B"])
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.receive(refusal(1, code: 429))
        driver.receive(refusal(2, code: 429))
        driver.session.follow([("A-B", [.book])], at: driver.clock, into: &driver.output)
        driver.tick(after: 8_000_000_000)
        #expect(driver.sent.allSatisfy { $0.contains("ping") })
    }

    @Test("a connection without room for all has one topic of all tickers")
    func room() {
        let symbols = (0..<150).map { "Q\($0)-B" }
        var driver = followed(symbols, [.book, .trade, .ticker])
        #expect(driver.sent.count == 5)
        #expect(driver.sent.last?.contains("/market/ticker:all\"") == true)
        driver.session.follow(
            symbols.prefix(100).map { ($0, [.book, .trade, .ticker]) }, at: driver.clock,
            into: &driver.output)
        #expect(driver.sent.contains { $0.contains("\"unsubscribe\"") && $0.contains("ticker:all") })
    }

    @Test("a thin book is lost before it is told")
    func thin() throws {
        var driver = replay()
        let bids = (0..<20).map { #"["\#(3_900 - $0)","1"]"# }.joined(separator: ",")
        driver.receive(update(17, 17))
        try driver.respond(Self.root + "level2_20?symbol=A-B", image(17, bids: bids))
        let events = driver.receive(update(18, 18, bids: #"["3900","0","18"]"#))
        #expect(bookEvents(events) == 0 && states(events) == [.syncing])
    }
}
