import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Bitget's API documentation v2 and v1.
@Suite("Bitget's messages")
struct BitgetSessionTests {
    private func replay() -> SessionDriver { SessionDriver(.replay(of: Bitget.description)) }

    private func book(
        _ action: String, _ bid: String, _ checksum: Int, of topic: (product: String, id: String)
    ) -> String {
        VenueSample.bitgetMessage(
            action, "books", #"{"asks":[],"bids":[\#(bid)],"checksum":\#(checksum),"ts":"1649290077676"}"#,
            of: topic)
    }

    @Test("are about different instruments where products have the same symbol")
    func products() {
        var driver = replay()
        driver.receive(VenueSample.bitget.image)
        driver.receive(book("snapshot", #"["100.1","2"]"#, -1_105_652_000, of: ("mc", "BTCUSDT")))
        #expect(driver.text("SPOT:BTCUSDT") == "100×2 | 101×1")
        #expect(driver.text("mc:BTCUSDT") == "100.1×2 | ")
        #expect(driver.output.counters.checksumsRight == 1)
    }

    @Test("are hashed as they were sent, zeros at the end included")
    func verbatim() {
        var driver = replay()
        let sides = #""asks":[["101.00","1.50"]],"bids":[["100.10","2.00"]]"#
        let frame = VenueSample.bitgetMessage(
            "snapshot", "books", #"{\#(sides),"checksum":572615238,"ts":"1649290077676"}"#,
            of: ("sp", "EOSUSDT"))
        driver.receive(frame)
        #expect(driver.state("sp:EOSUSDT") == .live)
        #expect(driver.text("sp:EOSUSDT") == "100.1×2 | 101×1.5")
        let events = driver.receive(book("update", #"["100.10","2.0"]"#, 572_615_238, of: ("sp", "EOSUSDT")))
        #expect(states(events) == [.syncing], "the same number, another text")
    }

    @Test("cost only the book that they name where they break off")
    func truncated() {
        var driver = replay()
        driver.receive(VenueSample.bitget.image)
        driver.receive(book("snapshot", #"["100.1","2"]"#, -1_105_652_000, of: ("mc", "ETHUSDT")))
        driver.receive(String(book("update", #"["100.1","3"]"#, 1, of: ("mc", "ETHUSDT")).dropLast(20)))
        #expect(driver.output.counters.malformed == 1)
        #expect(driver.state("mc:ETHUSDT") == .syncing)
        #expect(driver.state("SPOT:BTCUSDT") == .live)
    }

    @Test("of v1 have trades without ids, which get ours")
    func tradesOfV1() {
        var driver = replay()
        let rows = #"["1649290076980","113.37","0.49","sell"],["1649290074399","113.4","0.94","buy"]"#
        let events = driver.receive(
            VenueSample.bitgetMessage("snapshot", "trade", rows, of: ("mc", "DASHUSDT")))
        #expect(tradeTexts(events) == ["113.37×0.49", "113.4×0.94"])
        let trades = events.compactMap { event in
            if case .trade(_, let trade) = event { trade } else { nil }
        }
        #expect(trades.map(\.side) == [.sell, .buy])
        #expect(trades.allSatisfy { $0.hasDerivedID && $0.isBackfill })
        let wording = Bitget.description.wording(0x7B)
        #expect(wording.id(trades[0].id) == nil && wording.id("1000000000") == "1000000000")
    }

    @Test("may leave parts of a ticker out, and bring mark prices with it")
    func tickers() {
        var driver = replay()
        let events = driver.receive(
            VenueSample.bitgetMessage(
                "snapshot", "ticker",
                #"{"instId":"DASHUSDT","bestAsk":"113.41","systemTime":1649290077309,"markPrice":"113.381"}"#,
                of: ("mc", "DASHUSDT")))
        guard events.count == 3, case .ticker(_, let ticker) = events[0], case .mark(_, let mark) = events[1],
            case .derivative(_, let derivative) = events[2]
        else { return #expect(Bool(false), "not a ticker, a mark price and a derivative: \(events)") }
        #expect(ticker.bidPrice == nil && ticker.lastPrice == nil)
        #expect(ticker.askPrice?.decimal(ticker.priceScale).description == "113.41")
        #expect(ticker.venueTime == Timestamp(milliseconds: 1_649_290_077_309))
        #expect(mark.price.description == "113.381")
        #expect(derivative.markPrice?.description == "113.381" && derivative.fundingRate == nil)
    }

    @Test("have many candles at first, of which all but the newest are over")
    func candles() {
        var driver = replay()
        let rows = #"["1649230080000","1","3","1","2","179"],["1649230140000","2","2","2","2","0"]"#
        let closed = driver.receive(VenueSample.bitgetMessage("snapshot", "candle1m", rows)).map { event in
            if case .candle(_, let candle) = event { candle.isClosed } else { false }
        }
        #expect(closed == [true, false])
    }
}

/// Source: Bitget API documentation v2, "Websocket API" and "Websocket error code".
@Suite("Bitget's subscriptions")
struct BitgetSubscriptionTests {
    private func opened(_ symbols: [String], _ channels: Set<VenueChannel>) -> SessionDriver {
        var driver = SessionDriver(VenueConfiguration(Bitget.description, following: symbols, channels))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("keep within the messages that it takes in a second, and all come")
    func pace() {
        let symbols = (0..<300).map { "SPOT:A\($0)USDT" }
        var driver = opened(symbols, [.ticker, .trade])
        #expect(driver.sent.count == 8)
        driver.tick(after: 500_000_000)
        #expect(driver.sent.isEmpty)
        driver.tick(after: 700_000_000)
        #expect(driver.sent.count == 4, "600 topics are twelve messages")
    }

    @Test("bring mark prices with the ticker")
    func mark() {
        let driver = opened(["USDT-FUTURES:BTCUSDT"], [.mark])
        let topic = #"{"instType":"USDT-FUTURES","channel":"ticker","instId":"BTCUSDT"}"#
        #expect(driver.sent == [#"{"op":"subscribe","args":[\#(topic)]}"#])
    }

    @Test("are asked for again one by one where it was too busy")
    func busy() {
        var driver = opened(["SPOT:BTCUSDT", "SPOT:ETHUSDT"], [.ticker])
        let topic = #"{"instType":"SPOT","channel":"ticker","instId":"ETHUSDT"}"#
        driver.receive(#"{"event":"error","arg":\#(topic),"code":30006,"msg":"request too many"}"#)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent == [#"{"op":"subscribe","args":[\#(topic)]}"#])
        driver.receive(#"{"event":"error","arg":\#(topic),"code":30001,"msg":"doesn't exist"}"#)
        #expect(driver.output.counters.refused == 1)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent.isEmpty)
    }

    @Test("are no sign of life of ours: a ping goes out every half minute however much comes")
    func pings() {
        var driver = opened(["SPOT:BTCUSDT"], [.ticker])
        var pings = 0
        for _ in 0..<61 {
            driver.tick(after: 1_000_000_000)
            pings += driver.sent.count { $0 == "ping" }
            driver.receive("pong")
        }
        #expect(pings == 2)
    }

    @Test("say of a symbol that its product does not list that it will not come")
    func unlisted() throws {
        var driver = opened(["USDT-FUTURES:NOSUCH", "SPOT:BTCUSDT"], [.book])
        try driver.respond(
            "https://api.bitget.com/api/v2/spot/public/symbols", VenueSample.bitget.list)
        #expect(driver.told == ["SPOT:BTCUSDT defined"])
        let contracts =
            #"{"code":"00000","data":[{"symbol":"BTCUSDT","baseCoin":"BTC","quoteCoin":"USDT","#
            + #""pricePlace":"1","volumePlace":"3","priceEndStep":"5","sizeMultiplier":"0.001","#
            + #""symbolType":"perpetual"}]}"#
        try driver.respond(
            "https://api.bitget.com/api/v2/mix/market/contracts?productType=USDT-FUTURES", contracts)
        #expect(driver.told == ["USDT-FUTURES:NOSUCH syncing unlisted"])
        #expect(driver.output.listed.map { $0.tickSize?.description } == ["0.5"])
    }
}
