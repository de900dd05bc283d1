import Instruments
import MarketData
import Testing

@testable import Venues

/// What the session asks for, on which connection, and what it makes of refusals.
@Suite("Bitfinex's connections")
struct BitfinexConnectionTests {
    private func driver(_ symbols: [String], _ channels: Set<VenueChannel> = [.book]) -> SessionDriver {
        var configuration = VenueConfiguration(Bitfinex.description)
        configuration.subscriptions = symbols.map { ($0, channels) }
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        return driver
    }

    private func opened(_ driver: SessionDriver) -> [Int] {
        driver.output.actions.compactMap { action in
            if case .open(let connection, _) = action { connection } else { nil }
        }
    }

    @Test("twenty-five channels fit on one, each asked for where it has its place")
    func capacity() {
        var driver = driver((0..<17).map { "t\(100 + $0)USD" }, [.book, .trade, .ticker])
        #expect(opened(driver) == [0, 1, 2])
        var topics = 0
        for connection in 0...2 {
            driver.output.removeAll()
            driver.session.opened(connection: connection, at: driver.clock, into: &driver.output)
            #expect(driver.sent.first == #"{"event":"conf","flags":196608}"#)
            topics += driver.sent.count - 1
            #expect(driver.sent.count - 1 == (connection < 2 ? 25 : 1))
        }
        #expect(topics == 51)
    }

    @Test("what is followed later takes free places before a new connection")
    func later() {
        var driver = driver((0..<25).map { "t\(100 + $0)USD" })
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.receive(VenueSample.bitfinexSubscribed("t100USD", "book"))
        var wanted = (1..<25).map { "t\(100 + $0)USD" } + ["tBTCUSD"]
        driver.output.removeAll()
        driver.session.follow(wanted.map { ($0, [.book]) }, at: driver.clock, into: &driver.output)
        // The places are given out in the order of the instruments, of which the one that goes is the first.
        #expect(opened(driver) == [])
        #expect(driver.sent.count == 2)
        wanted.append("tETHUSD")
        driver.output.removeAll()
        driver.session.follow(wanted.map { ($0, [.book]) }, at: driver.clock, into: &driver.output)
        #expect(opened(driver) == [1] && driver.sent.isEmpty)
    }

    @Test("a subscription refused for now is asked for again, another one is counted")
    func refusals() {
        var driver = driver(["tBTCUSD"], [.book, .trade])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        func error(_ code: Int, _ channel: String, _ message: String) -> String {
            #"{"event":"error","msg":"\#(message)","code":\#(code),"channel":"\#(channel)","symbol":"tBTCUSD"}"#
        }
        driver.receive(error(10_305, "trades", "Reached limit of open channels"))
        driver.receive(error(11_010, "book", "ratelimit: error"))
        #expect(driver.output.counters.refused == 0 && driver.sent.isEmpty)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent.count { $0.contains("\"subscribe\"") } == 2)
        driver.receive(error(10_300, "book", "symbol: invalid"))
        #expect(driver.output.counters.refused == 1)
        driver.tick(after: 900_000_000)
        #expect(driver.sent.isEmpty)
    }

    @Test("a second subscription that is refused leaves a book that follows alone")
    func secondRefused() throws {
        let sample = VenueSample.bitfinex
        var driver = driver([sample.first])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(sample.image)
        driver.receive(
            #"{"event":"error","msg":"ratelimit: error","code":11010,"channel":"book","symbol":"tBTCUSD"}"#)
        let events = try driver.play(sample.changes[0])
        #expect(bookEvents(events) == 1 && driver.state(sample.first) == .live)
    }

    @Test("a channel that the venue ends costs the book that follows it, which is subscribed again")
    func ended() throws {
        let sample = VenueSample.bitfinex
        var driver = driver([sample.first])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(sample.image)
        let channel = VenueSample.bitfinexChannel(sample.first, "book")
        driver.receive(#"{"event":"unsubscribed","status":"OK","chanId":\#(channel)}"#)
        #expect(driver.state(sample.first) == .syncing)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent.count == 1 && driver.sent.first?.contains(#""subscribe""#) == true)
    }

    @Test("a book that is lost is unsubscribed by its channel and subscribed again")
    func resubscription() throws {
        var driver = driver(["tBTCUSD"])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(VenueSample.bitfinex.image)
        let index = try #require(driver.session.registry.find("tBTCUSD"))
        driver.output.removeAll()
        driver.session.resync(
            index, reason: .auditMismatch, detail: "", at: driver.clock, into: &driver.output)
        // The second image waits for a moment, at random.
        driver.tick(after: 2_000_000_000)
        let channel = VenueSample.bitfinexChannel("tBTCUSD", "book")
        #expect(
            driver.sent == [
                #"{"event":"unsubscribe","chanId":\#(channel)}"#,
                #"{"event":"subscribe","channel":"book","symbol":"tBTCUSD","prec":"P0","freq":"F0","#
                    + #""len":"250"}"#,
            ])
        // What still comes of the old channel is of nobody.
        #expect(driver.receive("[\(channel),[100,1,9],1]").isEmpty)
    }

    @Test("maintenance makes books stale; after it they are subscribed again")
    func maintenance() throws {
        var driver = driver(["tBTCUSD"])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(VenueSample.bitfinex.image)
        driver.receive(#"{"event":"info","code":20060,"msg":"Entering maintenance"}"#)
        #expect(driver.state("tBTCUSD") == .stale)
        try driver.play(VenueSample.bitfinex.changes[0])
        #expect(driver.state("tBTCUSD") == .stale)
        driver.receive(#"{"event":"info","code":20061,"msg":"Maintenance ended"}"#)
        #expect(driver.state("tBTCUSD") == .syncing)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent.contains { $0.contains("\"subscribe\"") })
        driver.receive(#"{"event":"info","code":20051,"msg":"Stop/Restart"}"#)
        #expect(
            driver.output.actions == [
                .reconnect(connection: 0, reason: "the venue restarts its server")
            ])
    }

    @Test("names with a colon and those of derivatives are told apart")
    func definitions() throws {
        var driver = driver([])
        try driver.respond(
            "https://api-pub.bitfinex.com/v2/conf/pub:list:pair:exchange,pub:list:pair:futures",
            #"[["BTCUSD","AAVE:USD","ODD"],["BTCF0:USTF0"]]"#)
        let told = driver.output.listed.map { "\($0.id.symbol) \($0.base)-\($0.quote) \($0.kind.rawValue)" }
        #expect(
            told == ["tBTCUSD BTC-USD spot", "tAAVE:USD AAVE-USD spot", "tBTCF0:USTF0 BTC-UST perpetual"])
    }

    @Test("an audit compares the levels of both sides")
    func audit() throws {
        var driver = driver(["tBTCUSD"])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        try driver.play(VenueSample.bitfinex.image)
        let index = try #require(driver.session.registry.find("tBTCUSD"))
        #expect(
            driver.session.auditRequest(for: index)?.url
                == "https://api-pub.bitfinex.com/v2/book/tBTCUSD/P0?len=100")
        let book = try #require(
            Array("[[100,1,2],[101,1,-1]]".utf8).withUnsafeBytes { driver.session.auditBook($0, for: index) })
        #expect(book == driver.session.book(of: index))
    }
}
