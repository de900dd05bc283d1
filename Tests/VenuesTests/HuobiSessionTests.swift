import Instruments
import MarketData
import Testing
import Venues

@Suite("HTX session")
struct HuobiSessionTests {
    private let topic = "market.btcusdt.mbp.150"

    private func opened(_ channels: Set<VenueChannel> = [.book, .trade]) -> SessionDriver {
        var configuration = VenueConfiguration(Huobi.description)
        configuration.subscriptions = [("btcusdt", channels)]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func change(_ number: Int, after previous: Int, _ bid: String) -> String {
        #"{"ch":"\#(topic)","ts":1600000000000,"tick":{"seqNum":\#(number),"prevSeqNum":\#(previous),"#
            + #""bids":[\#(bid)],"asks":[]}}"#
    }

    private func image(_ number: Int) -> String {
        #"{"id":"1:0","rep":"\#(topic)","status":"ok","data":{"seqNum":\#(number),"#
            + #""bids":[[100,2]],"asks":[[101,1]]}}"#
    }

    @Test("follows changes of books on a connection of their own, and asks there for their images")
    func connections() {
        var driver = opened()
        #expect(
            driver.output.actions.contains(.open(connection: 0, url: "wss://api.huobi.pro/feed")))
        #expect(driver.output.actions.contains(.open(connection: 1, url: "wss://api.huobi.pro/ws")))
        #expect(
            driver.sent == [#"{"sub":"\#(topic)","id":"1:0"}"#, #"{"req":"\#(topic)","id":"1:0"}"#])
        driver.output.removeAll()
        driver.session.opened(connection: 1, at: driver.clock, into: &driver.output)
        #expect(driver.sent == [#"{"sub":"market.btcusdt.trade.detail","id":"2:0"}"#])
        driver.session.closed(connection: 1, at: driver.clock, into: &driver.output)
        #expect(driver.state("btcusdt") == .syncing)
    }

    private var subscribed: String { #"{"id":"1:0","status":"ok","subbed":"\#(topic)","ts":1}"# }

    @Test("answers the venue's ping")
    func ping() {
        var driver = opened()
        driver.receive(#"{"ping":1618678073643}"#)
        #expect(driver.sent == [#"{"pong":1618678073643}"#])
        #expect(driver.output.counters.malformed == 0)
    }

    @Test("takes an image only where it meets the changes that were kept")
    func bridge() {
        var driver = opened()
        driver.receive(change(12, after: 11, "[99,4]"))
        driver.receive(change(13, after: 12, "[98,5]"))
        driver.receive(image(10))
        #expect(driver.state("btcusdt") == .syncing)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent == [#"{"req":"\#(topic)","id":"1:0"}"#])
        driver.receive(image(12))
        #expect(driver.state("btcusdt") == .live)
        #expect(driver.text("btcusdt") == "100×2 98×5 | 101×1")
        driver.receive(change(13, after: 12, "[98,5]"))
        #expect(driver.state("btcusdt") == .live && driver.output.counters.gaps == 0)
        driver.receive(change(15, after: 14, "[98,6]"))
        #expect(driver.state("btcusdt") == .syncing && driver.output.counters.gaps == 1)
        driver.receive(image(14))
        #expect(driver.text("btcusdt") == "100×2 98×6 | 101×1")
    }

    @Test("takes each message of the older channel for a whole book, exponents included")
    func images() {
        var driver = SessionDriver(.replay(of: Huobi.description))
        let events = driver.receive(
            #"{"ch":"market.trioeth.depth.step0","ts":1,"tick":{"#
                + #""bids":[[9.121E-7,92730.24],[1.0E-10,2.2E8]],"asks":[[9.28E-7,4342.25]],"version":1,"ts":1618678069868}}"#
        )
        #expect(bookEvents(events) == 1 && driver.state("trioeth") == .live)
        #expect(
            driver.text("trioeth") == "0.0000009121×92730.24 0.0000000001×220000000 | 0.000000928×4342.25")
        driver.receive(#"{"ch":"market.trioeth.depth.step0","tick":{"bids":[],"asks":[[9.2E-7,1]]}}"#)
        #expect(driver.text("trioeth") == " | 0.00000092×1")
    }

    @Test("cuts sizes of seventeen digits where the book's largest leaves them no room")
    func cutSizes() {
        var driver = SessionDriver(.replay(of: Huobi.description))
        func book(_ largest: String) -> String {
            #"{"ch":"market.xvgeth.depth.step0","ts":1,"tick":{"bids":[[1.1E-5,3307.9982700421942]],"#
                + #""asks":[[1.2E-5,\#(largest)]]}}"#
        }
        driver.receive(book("10.0"))
        #expect(driver.text("xvgeth") == "0.000011×3307.9982700421942 | 0.000012×10")
        driver.receive(book("5993289.85"))
        #expect(driver.text("xvgeth") == "0.000011×3307.998270042194 | 0.000012×5993289.85")
        #expect(driver.state("xvgeth") == .live && driver.output.counters.malformed == 0)
        let trades = driver.receive(
            #"{"ch":"market.xvgeth.trade.detail","ts":1,"tick":{"data":[{"id":255757567432481100182534526,"#
                + #""ts":1,"amount":3307.9982700421942,"price":1.1E-5,"direction":"sell"}]}}"#)
        #expect(tradeTexts(trades) == ["0.000011×3307.9982700421942"])
        guard case .trade(_, let trade) = trades.last else { return #expect(Bool(false)) }
        #expect(trade.id == "255757567432481100182534526" && trade.side == .sell)
    }

    @Test("asks a busy venue again for the one topic, and counts other refusals")
    func refusals() {
        var driver = opened()
        driver.receive(subscribed)
        driver.receive(image(10))
        #expect(driver.state("btcusdt") == .live)
        driver.receive(
            #"{"status":"error","ts":1,"id":"1:0","err-code":"too-many-request","err-msg":"busy"}"#)
        #expect(driver.output.counters.refused == 0 && driver.state("btcusdt") == .syncing)
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.contains(#"{"sub":"\#(topic)","id":"1:0"}"#))
        driver.receive(
            #"{"status":"error","ts":1,"id":"1:0","err-code":"bad-request","err-msg":"invalid symbol"}"#)
        #expect(driver.output.counters.refused == 1)
    }

    @Test("an image is no book before its changes are subscribed to")
    func unsubscribedImage() {
        var driver = opened()
        driver.receive(image(10))
        driver.receive(
            #"{"status":"error","ts":1,"id":"1:0","err-code":"bad-request","err-msg":"invalid symbol"}"#)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent == [#"{"req":"\#(topic)","id":"1:0"}"#])
        driver.receive(image(11))
        #expect(driver.state("btcusdt") == .syncing && driver.text("btcusdt") == " | ")
        driver.receive(subscribed)
        driver.receive(image(12))
        #expect(driver.state("btcusdt") == .live)
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.receive(
            #"{"status":"error","ts":1,"id":"1:0","err-code":"too-many-request","err-msg":"busy"}"#)
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.isEmpty, "nobody wants it")
    }

    @Test("reads the old list and the new one, without what is not traded any more")
    func lists() throws {
        var driver = opened()
        try driver.respond(
            "https://api.huobi.pro/v1/common/symbols",
            #"{"status":"ok","data":[{"base-currency":"btc","quote-currency":"usdt","price-precision":2,"#
                + #""amount-precision":6,"symbol":"btcusdt","state":"online"},{"base-currency":"old","#
                + #""quote-currency":"usdt","price-precision":2,"amount-precision":6,"symbol":"oldusdt","#
                + #""state":"offline"}]}"#)
        guard case .instrument(_, let instrument) = driver.output.events.first else {
            return #expect(Bool(false))
        }
        #expect(instrument.base.rawValue == "BTC" && instrument.priceScale.places == 2)
        #expect(driver.output.listed.isEmpty)
    }
}
