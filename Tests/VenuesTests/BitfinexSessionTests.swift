import Instruments
import MarketData
import Testing

@testable import Venues

/// Frames are shaped after Bitfinex's API documentation, "Books", "Trades", "General" and "WebSocket Checksum".
@Suite("Bitfinex's procedures")
struct BitfinexSessionTests {
    private func subscribed(_ id: Int, _ symbol: String, _ channel: String = "book") -> String {
        #"{"event":"subscribed","channel":"\#(channel)","chanId":\#(id),"symbol":"\#(symbol)","prec":"P0"}"#
    }

    /// Two books, of channels 1 and 2, after messages 1 and 2.
    private func driver() -> SessionDriver {
        var driver = SessionDriver(.replay(of: Bitfinex.description))
        driver.receive(#"{"event":"conf","status":"OK","flags":196608}"#)
        driver.receive(subscribed(1, "tBTCUSD"))
        driver.receive("[1,[[100,1,2],[101,2,-1]],1]")
        driver.receive(subscribed(2, "tETHUSD"))
        driver.receive("[2,[[10,1,2],[11,2,-1]],2]")
        return driver
    }

    @Test("a row sets the level on the side of its sign, and a count of zero removes it")
    func rows() {
        var driver = driver()
        driver.receive("[1,[99.5,1,4],3]")
        driver.receive("[1,[101,0,-1],4]")
        driver.receive("[1,[102,3,-0.5],5]")
        #expect(driver.text("tBTCUSD") == "100×2 99.5×4 | 102×0.5")
        #expect(driver.state("tBTCUSD") == .live)
    }

    @Test(
        "a number that is missing on any channel costs every book, and an image restores one",
        arguments: [#"[2,"hb",4]"#, #"[9,[1,2,3],4]"#, "[1,[99,1,4],4]"])
    func gap(frame: String) {
        var driver = driver()
        driver.receive(frame)
        #expect(driver.state("tBTCUSD") == .syncing && driver.state("tETHUSD") == .syncing)
        #expect(driver.output.counters.gaps == 1 && driver.output.counters.resyncs == 2)
        driver.receive("[1,[99,1,4],5]")
        #expect(driver.text("tBTCUSD") == " | ")
        driver.receive("[1,[[100,1,2]],6]")
        #expect(driver.text("tBTCUSD") == "100×2 | " && driver.state("tBTCUSD") == .live)
    }

    @Test("a message that came before is dropped, heartbeats count, events do not")
    func numbers() {
        var driver = driver()
        driver.receive(#"[1,"hb",3]"#)
        driver.receive(#"{"event":"pong","ts":1511545528111,"cid":1234}"#)
        driver.receive("[1,[99,1,4],4]")
        driver.receive("[1,[99,1,7],4]")
        #expect(driver.text("tBTCUSD") == "100×2 99×4 | 101×1")
        #expect(driver.output.counters.staleDropped == 1 && driver.output.counters.gaps == 0)
    }

    @Test("a message without a number, or one that breaks off, costs its book alone")
    func unnumbered() {
        var driver = driver()
        driver.receive("[1,[99,1,4]]")
        #expect(driver.state("tBTCUSD") == .syncing && driver.state("tETHUSD") == .live)
        driver.receive("[2,[9,1,")
        #expect(driver.state("tETHUSD") == .syncing)
        #expect(driver.output.counters.malformed == 2)
    }

    @Test("the checksum joins both sides by rank, in JavaScript's numbers")
    func checksum() throws {
        var driver = driver()
        driver.receive(subscribed(3, "tSMALL"))
        driver.receive("[3,[[9e-8,1,20.5],[0.000001,1,-3]],3]")
        var digits = "9e-8:20.5:0.000001:-3"
        let crc = digits.withUTF8 { Int32(bitPattern: CRC32.checksum(UnsafeRawBufferPointer($0))) }
        driver.receive(#"[3,"cs",\#(crc),4]"#)
        #expect(driver.state("tSMALL") == .live)
        driver.receive(#"[3,"cs",\#(Int(crc) + 1),5]"#)
        #expect(driver.state("tSMALL") == .syncing && driver.state("tBTCUSD") == .live)
        let counters = driver.output.counters
        #expect(counters.checksums == 2 && counters.checksumsRight == 1)
    }

    @Test(
        "numbers are written as JavaScript does",
        arguments: [
            ("0.0000001", "1e-7"), ("0.00000123", "0.00000123"), ("-0.000000123", "-1.23e-7"),
            ("1200.50", "1200.5"), ("-3", "-3"), ("0.000001", "0.000001"),
        ])
    func spelling(text: String, expected: String) throws {
        #expect(BitfinexChecksum.number(try DecimalNumber(parsing: text)) == expected)
    }

    @Test("a book may be crossed for a moment, as a trade takes several messages; not for more than a second")
    func crossed() {
        var driver = driver()
        driver.receive("[1,[102,1,1],3]")
        driver.receive("[1,[103,1,-1],4]")
        #expect(driver.state("tBTCUSD") == .suspect)
        driver.receive("[1,[101,0,-1],5]")
        #expect(driver.state("tBTCUSD") == .live)
        driver.receive("[1,[104,1,1],6]")
        driver.tick(after: 1_100_000_000)
        driver.receive("[1,[104,2,2],7]")
        #expect(driver.state("tBTCUSD") == .syncing)
    }

    @Test("a symbol that is subscribed again follows the newer channel from its image on")
    func takenOver() {
        var driver = driver()
        driver.receive(subscribed(5, "tBTCUSD"))
        #expect(driver.state("tBTCUSD") == .syncing)
        driver.receive("[1,[99,1,4],3]")
        driver.receive("[5,[[100,1,7]],4]")
        driver.receive("[1,[99,1,4],5]")
        #expect(driver.text("tBTCUSD") == "100×7 | " && driver.state("tBTCUSD") == .live)
    }

    @Test("an execution is told once, on the side of its sign; the newest ones are before the subscription")
    func trades() throws {
        var driver = driver()
        driver.receive(subscribed(4, "tBTCUSD", "trades"))
        let old = driver.receive("[4,[[401597393,1574694475039,0.005,7244.9]],3]")
        guard case .trade(_, let first) = try #require(old.first) else { return #expect(Bool(false)) }
        #expect(first.isBackfill && first.side == .buy && first.id == "401597393")
        let new = driver.receive(#"[4,"te",[401597395,1574694478808,-0.05,7245.3],4]"#)
        guard case .trade(_, let trade) = try #require(new.first) else { return #expect(Bool(false)) }
        #expect(trade.side == .sell && !trade.isBackfill && tradeTexts(new) == ["7245.3×0.05"])
        #expect(driver.receive(#"[4,"tu",[401597395,1574694478808,-0.05,7245.3],5]"#).isEmpty)
    }

    @Test("sizes of a ticker are sums in binary fractions, which do not refine the book")
    func ticker() throws {
        var driver = driver()
        driver.receive(subscribed(6, "tBTCUSD", "ticker"))
        let events = driver.receive(
            "[6,[100.5,1.7023900800000002,101,123456.25,-1,-0.19,100.9,32.2,105,99],3]")
        guard case .ticker(_, let ticker) = try #require(events.first) else { return #expect(Bool(false)) }
        // At the finest scale at which both fit.
        #expect(ticker.sizeScale.places == 13)
        #expect(ticker.bidSize?.decimal(ticker.sizeScale).normalized.description == "1.70239008")
        #expect(ticker.askSize?.decimal(ticker.sizeScale).normalized.description == "123456.25")
        #expect(ticker.lastPrice?.decimal(ticker.priceScale).normalized.description == "100.9")
        let index = try #require(driver.session.registry.find("tBTCUSD"))
        #expect(driver.session.book(of: index)?.sizeScale == .zero)
        driver.receive("[6,[null,null,101,1,-1,-0.19,null,32.2,105,99],4]")
        #expect(driver.output.counters.malformed == 0)
    }
}
