import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Deribit's API documentation, "Subscriptions".
@Suite("Deribit's book procedure")
struct DeribitSessionTests {
    private static let symbol = "BTC-24SEP21-8000-P"

    private func frame(_ channel: String, _ data: String) -> String {
        #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"\#(channel)","data":\#(data)}}"#
    }

    private func book(
        _ head: String, _ number: Int, bids: String = "", asks: String = "", interval: String = "raw"
    ) -> String {
        frame(
            "book.\(Self.symbol).\(interval)",
            #"{\#(head)"timestamp":1626993724318,"instrument_name":"\#(Self.symbol)","#
                + #""change_id":\#(number),"bids":[\#(bids)],"asks":[\#(asks)]}"#)
    }

    private func change(_ previous: Int, _ number: Int, bids: String = "", asks: String = "") -> String {
        book(#""type":"change","prev_change_id":\#(previous),"#, number, bids: bids, asks: asks)
    }

    private func live() throws -> SessionDriver {
        var driver = SessionDriver(.replay(of: Deribit.description))
        driver.receive(
            book(
                #""type":"snapshot","#, 10, bids: #"["new",0.0005,153.1]"#, asks: #"["new",0.0015,94.7]"#))
        try #require(driver.state(Self.symbol) == .live)
        return driver
    }

    private func opened(_ channels: Set<VenueChannel>) -> SessionDriver {
        var configuration = VenueConfiguration(Deribit.description)
        configuration.subscriptions = [("BTC-PERPETUAL", channels), ("ETH-PERPETUAL", channels)]
        var driver = SessionDriver(configuration)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("changes are chained by number; a broken chain costs the book, the same once more does not")
    func chain() throws {
        var driver = try live()
        driver.receive(change(10, 14, asks: #"["new",0.001,2.6]"#))
        #expect(driver.text(Self.symbol) == "0.0005×153.1 | 0.001×2.6 0.0015×94.7")
        driver.receive(change(10, 14, asks: #"["new",0.001,2.6]"#))
        #expect(driver.output.counters.staleDropped == 1 && driver.state(Self.symbol) == .live)
        driver.receive(change(14, 15, asks: #"["delete",0.001,0.0]"#))
        #expect(driver.text(Self.symbol) == "0.0005×153.1 | 0.0015×94.7")
        let events = driver.receive(change(16, 17, bids: #"["change",0.0005,1.0]"#))
        #expect(states(events) == [.syncing] && bookEvents(events) == 0)
        #expect(driver.output.counters.gaps == 1)
    }

    @Test("a book without any order is a book")
    func empty() throws {
        var driver = SessionDriver(.replay(of: Deribit.description))
        let events = driver.receive(book(#""type":"snapshot","#, 1))
        #expect(bookEvents(events) == 1 && driver.state(Self.symbol) == .live)
        driver.receive(change(1, 2, bids: #"["new",1.0e-4,5.0]"#))
        #expect(driver.text(Self.symbol) == "0.0001×5 | ")
    }

    @Test("grouped books are images, which give way to a book with changes")
    func grouped() throws {
        var driver = SessionDriver(.replay(of: Deribit.description))
        for number in [5, 9] {
            let events = driver.receive(
                book("", number, bids: "[0.0005,\(number).0]", interval: "none.20.100ms"))
            #expect(bookEvents(events) == 1)
            #expect(driver.text(Self.symbol) == "0.0005×\(number) | " && driver.state(Self.symbol) == .live)
        }
        driver.receive(book(#""type":"snapshot","#, 10, bids: #"["new",0.0005,1.0]"#))
        driver.receive(book("", 11, bids: "[0.0005,7.0]", interval: "none.20.100ms"))
        driver.receive(change(10, 12, asks: #"["new",0.002,1.0]"#))
        #expect(driver.text(Self.symbol) == "0.0005×1 | 0.002×1" && driver.state(Self.symbol) == .live)
    }

    @Test("the connection after a break brings the book anew, unless it says no changes")
    func nextConnection() throws {
        var driver = try live()
        let grouped = book("", 11, bids: "[0.0005,7.0]", interval: "none.20.100ms")
        let image = book(#""type":"snapshot","#, 40, bids: #"["new",0.0005,1.0]"#)
        for frame in [grouped, image, change(40, 41, asks: #"["new",0.002,1.0]"#)] {
            if frame == image { #expect(driver.text(Self.symbol) == "0.0005×153.1 | 0.0015×94.7") }
            Array(frame.utf8).withUnsafeBytes { bytes in
                driver.session.receive(bytes, connection: 3, at: driver.clock, into: &driver.output)
            }
        }
        #expect(driver.text(Self.symbol) == "0.0005×1 | 0.002×1" && driver.state(Self.symbol) == .live)
    }

    @Test("a row that cannot be is no change", arguments: [#"["new",0.0005,0.0]"#, #"["swap",0.1,1.0]"#])
    func nonsense(row: String) throws {
        var driver = try live()
        let events = driver.receive(change(10, 11, bids: row))
        #expect(states(events) == [.syncing] && driver.output.counters.malformed == 1)
    }

    @Test("a ticker may have prices of 0 and null")
    func ticker() throws {
        var driver = SessionDriver(.replay(of: Deribit.description))
        let events = driver.receive(
            frame(
                "ticker.\(Self.symbol).raw",
                #"{"timestamp":1626993723632,"best_bid_price":0.0,"best_bid_amount":0.0,"#
                    + #""best_ask_price":null,"best_ask_amount":0.0,"last_price":null,"mark_price":1.005718}"#
            ))
        guard case .ticker(_, let ticker) = try #require(events.first) else {
            return #expect(Bool(false), "no ticker")
        }
        #expect(ticker.bidPrice?.rawValue == 0 && ticker.askPrice == nil && ticker.lastPrice == nil)
        let marks = events.compactMap { event in
            if case .mark(_, let mark) = event { mark.price.description } else { nil }
        }
        #expect(marks == ["1.005718"])
    }

    @Test("a candle's volume is finer than sizes and leaves the book's scale alone")
    func candle() throws {
        var driver = try live()
        let events = driver.receive(
            frame(
                "chart.trades.\(Self.symbol).1",
                #"{"volume":0.0567812345,"tick":1573645080000,"open":8869.79,"low":8788.25,"high":8870.31,"#
                    + #""cost":460.0,"close":8791.25}"#))
        guard case .candle(_, let candle) = try #require(events.first) else {
            return #expect(Bool(false), "no candle")
        }
        #expect(candle.volume.decimal(candle.sizeScale).description == "0.0567812345")
        #expect(candle.interval == "1" && candle.start == Timestamp(milliseconds: 1_573_645_080_000))
        let index = try #require(driver.session.registry.find(Self.symbol))
        #expect(driver.session.book(of: index)?.sizeScale.places == 1)
    }

    @Test("a test request is answered")
    func heartbeat() throws {
        var driver = opened([.trade])
        #expect(driver.sent.first?.contains("public/set_heartbeat") == true)
        driver.receive(#"{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}"#)
        #expect(driver.sent.isEmpty)
        driver.receive(#"{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}"#)
        #expect(driver.sent == [#"{"jsonrpc":"2.0","id":3,"method":"public/test","params":{}}"#])
    }

    @Test("channels that the answer leaves out were refused; too many requests are asked again later")
    func answers() throws {
        var driver = opened([.trade])
        driver.receive(#"{"jsonrpc":"2.0","id":2,"result":["trades.BTC-PERPETUAL.100ms"],"usIn":1}"#)
        #expect(driver.output.counters.refused == 1)
        driver = opened([.trade])
        driver.receive(#"{"jsonrpc":"2.0","id":2,"error":{"code":10028,"message":"too_many_requests"}}"#)
        #expect(driver.output.counters.refused == 0 && driver.sent.isEmpty)
        driver.tick(after: 1_100_000_000)
        let again = #""params":{"channels":["trades.BTC-PERPETUAL.100ms","trades.ETH-PERPETUAL.100ms"]}"#
        #expect(driver.sent.count == 1 && driver.sent.first?.contains(again) == true)
    }

    @Test("what is refused twice for now is asked for once, and a book in its turn among all of them")
    func busyOnce() throws {
        func busy(_ number: Int) -> String {
            #"{"jsonrpc":"2.0","id":\#(number),"error":{"code":10028,"message":"too_many_requests"}}"#
        }
        var driver = opened([.trade])
        driver.session.follow([], at: driver.clock, into: &driver.output)
        driver.session.follow([("BTC-PERPETUAL", [.trade])], at: driver.clock, into: &driver.output)
        for number in [2, 4] { driver.receive(busy(number)) }
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.count == 1)
        #expect(driver.sent.first?.contains(#"{"channels":["trades.BTC-PERPETUAL.100ms"]}"#) == true)
        driver = opened([.book])
        driver.receive(busy(2))
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.count { $0.contains("public/unsubscribe") } == 2)
        #expect(driver.sent.count { $0.contains("public/subscribe") } == 2)
    }

    @Test("a confirmed unsubscription costs a book that follows, and none that waits for its image")
    func ended() throws {
        let sample = VenueSample.deribit
        let confirmed = #"{"jsonrpc":"2.0","id":3,"result":["book.BTC-PERPETUAL.100ms"]}"#
        for isLate in [false, true] {
            var driver = opened([.book])
            try driver.play(sample.image)
            let index = try #require(driver.session.registry.find(sample.first))
            driver.session.resync(
                index, reason: .auditMismatch, detail: "", at: driver.clock, into: &driver.output)
            driver.tick(after: 2_000_000_000)
            #expect(driver.sent.first?.contains(#""id":3,"method":"public/unsubscribe""#) == true)
            for frame in isLate ? [sample.image, confirmed] : [confirmed, sample.image] {
                driver.receive(frame)
            }
            #expect(driver.state(sample.first) == (isLate ? .syncing : .live))
        }
    }

    @Test("sizes of inverse contracts are dollars, and combinations are left out")
    func definitions() throws {
        var driver = opened([.book])
        let list = """
            {"jsonrpc":"2.0","result":[\
            {"instrument_name":"BTC-FS-27JUN25_PERP","kind":"future_combo","tick_size":0.5},\
            {"instrument_name":"ETH-PERPETUAL","kind":"future","settlement_period":"perpetual",\
            "base_currency":"ETH","quote_currency":"USD","instrument_type":"reversed","tick_size":0.05,\
            "min_trade_amount":1,"tick_size_steps":[{"above_price":1,"tick_size":0.125}]}]}
            """
        try driver.respond(
            "https://www.deribit.com/api/v2/public/get_instruments?currency=any&expired=false", list)
        #expect(driver.told == ["ETH-PERPETUAL defined", "BTC-PERPETUAL syncing unlisted"])
        guard case .instrument(_, let instrument) = try #require(driver.output.events.first) else {
            return #expect(Bool(false), "no instrument")
        }
        #expect(driver.output.listed.isEmpty)
        #expect(instrument.isInverse && instrument.kind == .perpetual)
        #expect(instrument.priceScale.places == 3 && instrument.contractMultiplier?.units == 1)
    }
}
