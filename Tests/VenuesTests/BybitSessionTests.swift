import Instruments
import MarketData
import Support
import Testing
import Venues

/// Frames are shaped after Bybit's "V5 API, WebSocket public stream".
@Suite("Bybit's book procedure")
struct BybitSessionTests {
    static func book(
        _ type: String, _ number: Int, bids: String = "", asks: String = "", depth: Int = 50
    ) -> String {
        #"{"topic":"orderbook.\#(depth).BTCUSDT","type":"\#(type)","ts":1600000000000,"#
            + #""data":{"s":"BTCUSDT","b":[\#(bids)],"a":[\#(asks)],"u":\#(number),"seq":1},"cts":1}"#
    }

    private static let image = book(
        "snapshot", 10, bids: #"["100","2"],["99.5","1"]"#, asks: #"["101","1"]"#)

    private func replay() throws -> SessionDriver {
        SessionDriver(.replay(of: Bybit.spot))
    }

    private func receive(
        _ frame: String, on connection: Int, _ driver: inout SessionDriver
    ) -> [MarketEvent] {
        driver.output.removeAll()
        var frame = frame
        frame.withUTF8 { bytes in
            driver.session.receive(
                UnsafeRawBufferPointer(bytes), connection: connection, at: driver.clock,
                into: &driver.output)
        }
        return driver.output.events
    }

    @Test("the next number is applied, the same one is no gap, any other is")
    func continuity() throws {
        var driver = try replay()
        driver.receive(Self.image)
        driver.receive(Self.book("delta", 11, bids: #"["100","0"]"#))
        #expect(driver.text("BTCUSDT") == "99.5×1 | 101×1")
        driver.receive(Self.book("delta", 11, bids: #"["99.5","3"]"#))
        #expect(driver.state("BTCUSDT") == .live && driver.output.counters.gaps == 0)
        let events = driver.receive(Self.book("delta", 10, bids: #"["99.5","4"]"#))
        #expect(states(events) == [.syncing] && bookEvents(events) == 0)
        #expect(driver.output.counters.gaps == 1)
        driver.receive(Self.book("delta", 11, bids: #"["99.5","3"]"#))
        #expect(driver.state("BTCUSDT") == .syncing)
    }

    @Test("a later snapshot replaces the book, and so does number 1", arguments: ["snapshot", "delta"])
    func replaced(type: String) throws {
        var driver = try replay()
        driver.receive(Self.image)
        let number = type == "delta" ? 1 : 77
        let events = driver.receive(Self.book(type, number, bids: #"["90","1"]"#, asks: #"["91","1"]"#))
        #expect(states(events) == [.syncing] && bookEvents(events) == 1)
        #expect(driver.text("BTCUSDT") == "90×1 | 91×1" && driver.state("BTCUSDT") == .live)
        driver.receive(Self.book("delta", number + 1, asks: #"["91","0"],["92","2"]"#))
        #expect(driver.text("BTCUSDT") == "90×1 | 92×2" && driver.state("BTCUSDT") == .live)
    }

    @Test("a depth of one has snapshots alone, the same one again after a while")
    func topOnly() throws {
        var driver = try replay()
        for number in [10, 11, 11] {
            let events = driver.receive(
                Self.book("snapshot", number, bids: #"["100","2"]"#, asks: #"["101","1"]"#, depth: 1))
            #expect(bookEvents(events) == 1 && driver.state("BTCUSDT") == .live)
        }
        #expect(driver.output.counters.gaps == 0)
    }

    @Test("a snapshot may be empty on both sides")
    func empty() throws {
        var driver = try replay()
        let events = driver.receive(Self.book("snapshot", 1))
        #expect(bookEvents(events) == 1 && driver.state("BTCUSDT") == .live)
        #expect(driver.text("BTCUSDT") == " | ")
    }

    @Test("changes of another depth or connection are none of a book's")
    func streams() throws {
        var driver = try replay()
        driver.receive(Self.book("snapshot", 500, bids: #"["100","9"]"#, depth: 1))
        driver.receive(Self.image)
        #expect(driver.text("BTCUSDT") == "100×2 99.5×1 | 101×1", "the deeper one takes over")
        driver.receive(Self.book("snapshot", 501, bids: #"["100","8"]"#, depth: 1))
        let others = receive(Self.book("delta", 11, bids: #"["100","7"]"#), on: 7, &driver)
        #expect(others.isEmpty && driver.text("BTCUSDT") == "100×2 99.5×1 | 101×1")
        driver.receive(Self.book("delta", 11, bids: #"["100","4"]"#))
        #expect(driver.text("BTCUSDT") == "100×4 99.5×1 | 101×1" && driver.state("BTCUSDT") == .live)
        #expect(driver.output.counters.gaps == 0)
    }

    @Test("the connection after a break brings the book anew, unless it is of less depth")
    func nextConnection() throws {
        var driver = try replay()
        _ = receive(Self.image, on: 2, &driver)
        _ = receive(Self.book("snapshot", 500, bids: #"["90","9"]"#, depth: 1), on: 3, &driver)
        #expect(driver.text("BTCUSDT") == "100×2 99.5×1 | 101×1")
        _ = receive(Self.book("snapshot", 900, bids: #"["90","1"]"#, asks: #"["91","1"]"#), on: 3, &driver)
        _ = receive(Self.book("delta", 901, asks: #"["91","0"]"#), on: 3, &driver)
        #expect(driver.text("BTCUSDT") == "90×1 | " && driver.state("BTCUSDT") == .live)
    }

    @Test("a recording of two categories keeps their instruments apart by the addresses")
    func categories() throws {
        var driver = try replay()
        driver.session.recorded(connection: 2, url: "wss://stream.bybit.com/v5/public/spot")
        driver.session.recorded(connection: 3, url: "wss://stream.bybit.com/v5/public/linear")
        _ = receive(Self.image, on: 2, &driver)
        _ = receive(Self.book("snapshot", 900, bids: #"["90","1"]"#, asks: #"["91","1"]"#), on: 3, &driver)
        _ = receive(Self.book("delta", 11, bids: #"["99.5","0"]"#), on: 2, &driver)
        _ = receive(Self.book("delta", 901, asks: #"["91","0"]"#), on: 3, &driver)
        #expect(driver.text("spot:BTCUSDT") == "100×2 | 101×1")
        #expect(driver.text("linear:BTCUSDT") == "90×1 | ")
        #expect(driver.state("spot:BTCUSDT") == .live && driver.state("linear:BTCUSDT") == .live)
        #expect(driver.session.registry.count == 2)
    }

    @Test("a recording of one category has the venue's names")
    func oneCategory() throws {
        var driver = try replay()
        driver.session.recorded(connection: 2, url: "wss://stream.bybit.com/v5/public/linear")
        driver.session.recorded(connection: 3, url: "wss://stream.bybit.com/v5/public/linear")
        _ = receive(Self.image, on: 3, &driver)
        #expect(driver.state("BTCUSDT") == .live)
    }

    @Test("what a ticker leaves out has not changed; one without a snapshot says nothing")
    func ticker() throws {
        var configuration = VenueConfiguration(Bybit.linear)
        configuration.subscriptions = [("BTCUSDT", [.ticker, .mark])]
        var driver = SessionDriver(configuration)
        func frame(_ type: String, _ data: String) -> String {
            #"{"topic":"tickers.BTCUSDT","type":"\#(type)","data":{"symbol":"BTCUSDT",\#(data)},"cs":1,"ts":5}"#
        }
        #expect(driver.receive(frame("delta", #""bid1Price":"9""#)).isEmpty)
        driver.receive(
            frame(
                "snapshot",
                #""bid1Price":"9","bid1Size":"1","ask1Price":"10","ask1Size":"2","lastPrice":"9""#))
        let events = driver.receive(frame("delta", #""ask1Size":"3.5","markPrice":"9.123""#))
        guard case .ticker(_, let ticker) = try #require(events.first),
            case .mark(_, let mark) = try #require(events.last)
        else { return #expect(Bool(false), "a ticker and a mark price") }
        #expect(ticker.bidPrice?.decimal(ticker.priceScale).description == "9")
        #expect(ticker.askSize?.decimal(ticker.sizeScale).description == "3.5")
        #expect(ticker.venueTime == Timestamp(milliseconds: 5) && mark.price.description == "9.123")
    }

    @Test("of V2: a row that contradicts the book costs it")
    func oldBook() throws {
        func rows(_ kind: String, _ text: String) -> String {
            #"{"topic":"orderBookL2_25.BTCUSD","type":"delta","data":{"delete":[],"\#(kind)":[\#(text)]},"#
                + #""cross_seq":5,"timestamp_e6":1600000000000000}"#
        }
        let image =
            #"{"topic":"orderBookL2_25.BTCUSD","type":"snapshot","data":["#
            + #"{"price":"100.50","symbol":"BTCUSD","id":1005000,"side":"Buy","size":3},"#
            + #"{"price":"101.00","symbol":"BTCUSD","id":1010000,"side":"Sell","size":4}],"cross_seq":4}"#
        let row = #"{"price":"100.50","symbol":"BTCUSD","id":1005000,"side":"Buy","size":7}"#
        var driver = try replay()
        driver.receive(image)
        driver.receive(rows("update", row))
        #expect(driver.text("BTCUSD") == "100.5×7 | 101×4" && driver.state("BTCUSD") == .live)
        let events = driver.receive(rows("insert", row))
        #expect(states(events) == [.syncing] && bookEvents(events) == 0)
    }
}
