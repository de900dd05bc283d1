import Instruments
import MarketData
import Testing
import Venues

@Suite("Hyperliquid session")
struct HyperliquidSessionTests {
    private func opened(_ symbols: [String]) -> SessionDriver {
        var configuration = VenueConfiguration(Hyperliquid.description)
        configuration.subscriptions = symbols.map { ($0, [.book, .ticker, .mark]) }
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("asks for both lists by POST, and believes each of its own market only")
    func lists() throws {
        var driver = opened(["BTC", "GONE", "@1"])
        let bodies = driver.output.actions.compactMap { action in
            if case .request(let request) = action { request.body } else { nil }
        }
        #expect(bodies == [#"{"type":"spotMeta"}"#, #"{"type":"meta"}"#])
        let url = "https://api.hyperliquid.xyz/info"
        try driver.respond(
            url,
            #"[{"universe":[{"name":"BTC","szDecimals":5,"maxLeverage":40},"#
                + #"{"name":"GONE","szDecimals":1,"isDelisted":true}]},[{"markPx":"1.0"}]]"#)
        #expect(driver.told == ["BTC defined", "GONE syncing unlisted"])
        guard case .instrument(_, let instrument) = driver.output.events.first else {
            return #expect(Bool(false))
        }
        #expect(instrument.kind == .perpetual && instrument.priceScale.places == 1)
        #expect(instrument.sizeScale.places == 5 && instrument.tickSize == nil)
        try driver.respond(url, #"{"universe":[],"tokens":[]}"#)
        #expect(driver.told == ["@1 syncing unlisted"])
        try driver.respond(url, #"{"coin":"BTC","time":1,"levels":[[],[]]}"#)
        #expect(driver.output.counters.malformed == 0)
    }

    @Test("reads a quote without one side, and a mark price of perpetuals alone")
    func figures() {
        var driver = opened(["BTC", "PURR/USDC"])
        #expect(driver.sent.filter { $0.contains("activeAssetCtx") }.count == 1)
        let quotes = driver.receive(
            #"{"channel":"bbo","data":{"coin":"BTC","time":1600000000000,"#
                + #""bbo":[null,{"px":"101.5","sz":"0.25","n":2}]}}"#)
        guard case .ticker(_, let ticker) = quotes.last else { return #expect(Bool(false)) }
        #expect(ticker.bidPrice == nil && ticker.askPrice == Price(1_015))
        let marks = driver.receive(
            #"{"channel":"activeAssetCtx","data":{"coin":"BTC","ctx":{"markPx":"100.75","funding":"0.0"}}}"#)
        guard case .mark(_, let mark) = marks.last else { return #expect(Bool(false)) }
        #expect(mark.price.description == "100.75")
    }

    @Test("asks a busy venue again for the one topic; what is subscribed already is no refusal")
    func refusals() {
        var driver = opened(["BTC"])
        let topic = #"{\"type\":\"l2Book\",\"coin\":\"BTC\"}"#
        driver.receive(#"{"channel":"error","data":"Too many requests: \#(topic)"}"#)
        driver.tick(after: 3_000_000_000)
        #expect(
            driver.sent.contains(#"{"method":"subscribe","subscription":{"type":"l2Book","coin":"BTC"}}"#))
        driver.receive(#"{"channel":"error","data":"Already subscribed: \#(topic)"}"#)
        #expect(driver.output.counters.refused == 0)
        driver.receive(#"{"channel":"error","data":"Invalid subscription \#(topic)"}"#)
        #expect(driver.output.counters.refused == 1)
        driver.receive(#"{"channel":"pong"}"#)
        #expect(driver.output.counters.malformed == 0 && driver.output.counters.unexpected == 0)
    }
}
