import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after OKX's API guide v5, "Order book channel", and the guide of v3.
@Suite("OKX's book procedure")
struct OKXSessionTests {
    private func replay() -> SessionDriver { SessionDriver(.replay(of: OKX.description)) }

    private let image = VenueSample.okx(OKX.description).image

    private func live() -> SessionDriver {
        var driver = replay()
        driver.receive(image)
        return driver
    }

    private func change(_ sides: String, after previous: Int, number: Int) -> String {
        VenueSample.okxBook("update", sides, after: previous, number: number)
    }

    @Test("takes numbers that go down and signs of life for what they are")
    func numbers() {
        var driver = live()
        let alive = driver.receive(change(#""asks":[],"bids":[]"#, after: 10, number: 10))
        #expect(bookEvents(alive) == 1)
        driver.receive(change(#""asks":[],"bids":[["99","4","0","1"]]"#, after: 10, number: 3))
        driver.receive(change(#""asks":[],"bids":[["98","5","0","1"]]"#, after: 3, number: 5))
        #expect(driver.state("BTC-USDT") == .live)
        #expect(driver.text("BTC-USDT") == "100×2 99×4 98×5 | 101×1")
        let events = driver.receive(change(#""asks":[],"bids":[["97","5","0","1"]]"#, after: 4, number: 6))
        #expect(states(events) == [.syncing] && bookEvents(events) == 0)
        #expect(driver.output.counters.gaps == 1)
    }

    @Test("asks for a lost book by subscribing anew")
    func resync() throws {
        var driver = SessionDriver(VenueConfiguration(OKX.description, following: ["BTC-USDT"]))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.receive(image)
        try #require(driver.state("BTC-USDT") == .live)
        driver.receive(change(#""asks":[],"bids":[]"#, after: 9, number: 11))
        driver.tick(after: 2_000_000_000)
        let topic = #"[{"channel":"books","instId":"BTC-USDT"}]"#
        #expect(
            driver.sent == [
                #"{"op":"unsubscribe","args":\#(topic)}"#, #"{"op":"subscribe","args":\#(topic)}"#,
            ])
    }

    /// The documented example has the checksum -1881014294.
    private func old(_ action: String, _ sides: String, _ checksum: Int) -> String {
        #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"\#(action)","data":[{\#(sides),"#
            + #""ts":"1597026383085","checksum":\#(checksum)}]}"#
    }

    private static let sides =
        #""asks":[["3366.8","9","10","3"],["3368","8","3","4"]],"#
        + #""bids":[["3366.1","7","0","3"],["3366","6","3","4"]]"#

    @Test("finds the documented checksum right, and any other costs the book")
    func checksum() {
        var driver = replay()
        driver.receive(old("snapshot", Self.sides, -1_881_014_294))
        #expect(driver.state("BTC-USDT") == .live)
        driver.receive(old("update", #""asks":[],"bids":[]"#, -1_881_014_294))
        #expect(driver.state("BTC-USDT") == .live)
        #expect(driver.output.counters.checksumsRight == 2)
        let events = driver.receive(old("update", #""asks":[],"bids":[]"#, -1_881_014_293))
        #expect(states(events) == [.syncing] && bookEvents(events) == 0)
    }

    @Test("finds it right as well after a ticker with a finer price came between")
    func checksumAtFinerScale() {
        var driver = replay()
        driver.receive(old("snapshot", Self.sides, -1_881_014_294))
        driver.receive(
            #"{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"last":"3366.123","askPx":"3366.8","#
                + #""askSz":"9","bidPx":"3366.1","bidSz":"7","ts":"1597026383085"}]}"#)
        driver.receive(old("update", #""asks":[],"bids":[]"#, -1_881_014_294))
        #expect(driver.output.counters.checksumsRight == 2)
        #expect(driver.state("BTC-USDT") == .live)
    }

    @Test("does not believe a change that has neither number nor checksum")
    func unproven() {
        var driver = replay()
        driver.receive(old("snapshot", Self.sides, -1_881_014_294))
        driver.receive(old("update", #""asks":[],"bids":[["3366","1","0","1"]]"#, 0))
        #expect(driver.state("BTC-USDT") == .syncing)
    }

    @Test("does not believe another connection about a book")
    func otherConnection() {
        var driver = live()
        driver.output.removeAll()
        var frame = change(#""asks":[],"bids":[["99","4","0","1"]]"#, after: 10, number: 12)
        frame.withUTF8 { bytes in
            driver.session.receive(
                UnsafeRawBufferPointer(bytes), connection: 7, at: driver.clock, into: &driver.output)
        }
        #expect(bookEvents(driver.output.events) == 0)
        #expect(driver.text("BTC-USDT") == "100×2 | 101×1")
        #expect(driver.state("BTC-USDT") == .live)
    }

    @Test("reads the books, trades and tickers of v3")
    func version3() {
        var driver = replay()
        let sides = Self.sides
        let row = #""instrument_id":"BTC-USD-SWAP","timestamp":"2021-04-17T16:48:52.123Z""#
        func table(_ name: String, _ rest: String) -> String { #"{"table":"swap/\#(name)",\#(rest)}"# }
        driver.receive(
            table(
                "depth_l2_tbt",
                #""action":"partial","data":[{\#(row),\#(sides),"checksum":-1881014294}]"#))
        #expect(driver.text("BTC-USD-SWAP") == "3366.1×7 3366×6 | 3366.8×9 3368×8")
        let trades = driver.receive(
            table("trade", #""data":[{\#(row),"trade_id":"5","side":"buy","price":"3366.5","size":"3"}]"#))
        #expect(tradeTexts(trades) == ["3366.5×3"])
        let events = driver.receive(
            table("ticker", #""data":[{\#(row),"best_bid":"3366","best_ask":"3367"}]"#))
        guard case .ticker(_, let ticker) = events.first else {
            return #expect(Bool(false), "no ticker")
        }
        let time = ticker.venueTime
        let frame = Array(#"{"table":"swap/ticker"}"#.utf8)
        let wording = frame.withUnsafeBytes(OKX.description.wording(of:))
        #expect(time.map(wording.text) == "2021-04-17T16:48:52.123Z", "as v3 writes it")
        #expect(time.map(OKX.description.wording(nil).text) == "1618678132123")
        #expect(driver.output.counters.malformed == 0)
    }

    @Test("says a side of a ticker without orders as unknown")
    func emptySide() {
        var driver = replay()
        let events = driver.receive(
            #"{"arg":{"channel":"tickers","instId":"BTC-USD-220527"},"data":[{"instId":"BTC-USD-220527","#
                + #""last":"","askPx":"30220.1","askSz":"3","bidPx":"","bidSz":"","ts":"1652459223003"}]}"#)
        guard case .ticker(_, let ticker) = events.first else {
            return #expect(Bool(false), "no ticker")
        }
        #expect(ticker.bidPrice == nil && ticker.bidSize == nil && ticker.lastPrice == nil)
        #expect(ticker.askSize == Quantity(3))
    }

    @Test("says whether a candle is over")
    func candles() {
        var driver = replay()
        func candle(_ confirm: Int) -> String {
            #"{"arg":{"channel":"candle1m","instId":"BTC-USDT"},"data":[["1597026360000","8533.02","#
                + #""8553.74","8527.17","8548.26","45247","529.5","529.5","\#(confirm)"]]}"#
        }
        let told = [0, 1].flatMap { driver.receive(candle($0)) }.compactMap { event in
            if case .candle(_, let candle) = event { candle } else { nil }
        }
        #expect(told.map(\.isClosed) == [false, true])
        #expect(told.map(\.volume.rawValue) == [45_247, 45_247])
        #expect(told.first?.stop.nanoseconds == 1_597_026_419_999_000_000)
    }
}

/// Source: OKX API guide v5, "WebSocket", "Error code" and "Get instruments".
@Suite("OKX's connections and answers")
struct OKXConnectionTests {
    private func opened(_ channels: Set<VenueChannel>) -> SessionDriver {
        var driver = SessionDriver(
            VenueConfiguration(OKX.description, following: ["BTC-USDT"], channels))
        driver.session.start(at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("opens a second one for trades and candles, and watches over it")
    func business() {
        var driver = opened([.book, .trade])
        let urls = driver.output.actions.compactMap { action in
            if case .open(_, let url) = action { url } else { nil }
        }
        #expect(
            urls == [
                "wss://ws.okx.com:8443/ws/v5/public", "wss://ws.okx.com:8443/ws/v5/business",
            ])
        driver.output.removeAll()
        driver.session.opened(connection: 1, at: driver.clock, into: &driver.output)
        #expect(
            driver.sent == [
                #"{"op":"subscribe","args":[{"channel":"trades-all","instId":"BTC-USDT"}]}"#
            ])
        driver.tick(after: 5_100_000_000)
        #expect(driver.output.actions == [.send(connection: 1, text: "ping")])
        driver.tick(after: 5_100_000_000)
        #expect(driver.output.actions.contains(.reconnect(connection: 1, reason: "no answer to ping")))
    }

    @Test("asks again for what the venue was too busy for, and counts what it refuses")
    func busy() {
        var driver = opened([.ticker])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        let request = #"{"op":"subscribe","args":[{"channel":"tickers","instId":"BTC-USDT"}]}"#
        driver.receive(#"{"event":"error","code":"60014","msg":"Requests too frequent"}"#)
        #expect(driver.output.counters.refused == 0)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent == [request])
        driver.receive(#"{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"}}"#)
        driver.receive(#"{"event":"error","code":"60014","msg":"Requests too frequent"}"#)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent.isEmpty, "it is confirmed")
        driver.receive(#"{"event":"error","code":"60018","msg":"channel:x,instId:y doesn't exist"}"#)
        #expect(driver.output.counters.refused == 1)
    }

    @Test("connects anew when the venue announces an upgrade, and takes pong for life")
    func notice() {
        var driver = opened([.book])
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.tick(after: 5_100_000_000)
        driver.receive("pong")
        #expect(driver.output.counters.malformed == 0)
        driver.tick(after: 4_000_000_000)
        #expect(!driver.output.actions.contains(.reconnect(connection: 0, reason: "no answer to ping")))
        driver.receive(#"{"event":"notice","code":"64008","msg":"The connection will soon be closed."}"#)
        #expect(
            driver.output.actions == [
                .reconnect(connection: 0, reason: "the venue upgrades its service")
            ])
    }

    @Test("knows what a contract is worth")
    func contracts() throws {
        var driver = opened([.book])
        driver.output.removeAll()
        let body = """
            {"code":"0","msg":"","data":[{"instId":"BTC-USD-SWAP","instType":"SWAP","uly":"BTC-USD",\
            "baseCcy":"","quoteCcy":"","settleCcy":"BTC","ctVal":"100","ctMult":"1","ctType":"inverse",\
            "tickSz":"0.1","lotSz":"1","state":"live"},{"instId":"BTC-USDT-SWAP","instType":"SWAP",\
            "uly":"BTC-USDT","settleCcy":"USDT","ctVal":"0.01","ctMult":"1","ctType":"linear","tickSz":"0.1",\
            "lotSz":"0.01","state":"live"}]}
            """
        try driver.respond("https://www.okx.com/api/v5/public/instruments?instType=SWAP", body)
        let listed = driver.output.listed
        #expect(listed.map(\.id.symbol) == ["BTC-USD-SWAP", "BTC-USDT-SWAP"])
        #expect(listed.map(\.isInverse) == [true, false])
        #expect(listed.map { $0.contractMultiplier?.description } == ["100", "0.01"])
        #expect(listed.map(\.quote.rawValue) == ["USD", "USDT"])
        #expect(listed.map(\.kind) == [.perpetual, .perpetual])
    }
}

extension VenueConfiguration {
    /// These symbols with these channels.
    init(
        _ description: VenueDescription, following symbols: [String], _ channels: Set<VenueChannel> = [.book]
    ) {
        self.init(description)
        subscriptions = symbols.map { ($0, channels) }
    }
}
