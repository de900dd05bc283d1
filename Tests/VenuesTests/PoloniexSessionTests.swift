import Instruments
import MarketData
import Testing
import Venues

/// Frames are shaped after Poloniex' "Spot WebSocket" documentation.
@Suite("Poloniex")
struct PoloniexSessionTests {
    private let sample = VenueSample.poloniex

    private func followed(_ channels: Set<VenueChannel> = [.book]) -> SessionDriver {
        var configuration = VenueConfiguration(Poloniex.description)
        configuration.subscriptions = [("BTC_USDT", channels), ("ETH_USDT", channels)]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("an update follows the one that it names; one that the snapshot contains is dropped")
    func sequence() {
        var driver = followed()
        driver.receive(sample.image)
        driver.receive(VenueSample.poloniexBook("update", 10, after: 9, bids: #"["100","9"]"#))
        driver.receive(VenueSample.poloniexBook("update", 8, after: 7, bids: #"["100","9"]"#))
        #expect(driver.output.counters.staleDropped == 2)
        driver.receive(sample.changes[0])
        #expect(driver.text("BTC_USDT") == "100×3 | 101×1")
        let events = driver.receive(VenueSample.poloniexBook("update", 8, after: 7, bids: #"["1","1"]"#))
        #expect(states(events) == [.syncing])
        #expect(driver.output.counters.gaps == 1)
        driver.tick(after: 1_000_000_000)
        #expect(
            driver.sent
                == ["unsubscribe", "subscribe"].map {
                    #"{"event":"\#($0)","channel":["book_lv2"],"symbols":["BTC_USDT"]}"#
                })
    }

    @Test("a message may hold several books, and its action before them")
    func several() {
        var driver = followed()
        let rows = [
            VenueSample.poloniexRow(5, after: 4, bids: #"["1","9.121E-7"]"#, asks: ""),
            VenueSample.poloniexRow(7, after: 6, asks: #"["2","1"]"#, of: "ETH_USDT"),
            VenueSample.poloniexRow(7, after: 6, asks: #"["2","1"]"#, of: "XRP_USDT"),
        ].joined(separator: ",")
        driver.receive(#"{"action":"snapshot","channel":"book_lv2","data":[\#(rows)]}"#)
        #expect(driver.text("BTC_USDT") == "1×0.0000009121 | ")
        #expect(driver.text("ETH_USDT") == " | 2×1")
        #expect(driver.state("BTC_USDT") == .live && driver.state("ETH_USDT") == .live)
        #expect(driver.output.counters.unexpected == 1)
    }

    @Test("says the minute that goes on, and that it is over when the venue says so after its end")
    func candle() throws {
        var driver = followed([.candle])
        func frame(_ time: Int) -> String {
            """
            {"channel":"candles_minute_1","data":[{"symbol":"BTC_USDT","amount":"1000","high":"12","quantity":\
            "100.5","tradeCount":7,"low":"9","closeTime":1648057199999,"startTime":1648057140000,"close":"11",\
            "open":"10","ts":\(time)}]}
            """
        }
        for (time, isClosed) in [(1_648_057_141_081, false), (1_648_057_200_100, true)] {
            guard case .candle(_, let candle)? = driver.receive(frame(time)).first else {
                Issue.record("no candle")
                return
            }
            #expect(candle.interval == "1m" && candle.tradeCount == 7 && candle.isClosed == isClosed)
            #expect(candle.volume.decimal(candle.sizeScale).normalized.description == "100.5")
            #expect(candle.stop == Timestamp(milliseconds: 1_648_057_199_999))
        }
    }

    @Test("a ticker says the newest price, and no best bid and ask that the venue does not give")
    func ticker() throws {
        var driver = followed([.ticker])
        let events = driver.receive(
            """
            {"channel":"ticker","data":[{"symbol":"BTC_USDT","startTime":1648052239156,"open":"9","high":"10",\
            "low":"9","close":"9.5","quantity":"1","amount":"1","tradeCount":2,"dailyChange":"-0.1",\
            "markPrice":"9.4","closeTime":1648057199999,"ts":1648052239200}]}
            """)
        guard case .ticker(_, let ticker)? = events.first else {
            Issue.record("no ticker")
            return
        }
        #expect(ticker.lastPrice?.decimal(ticker.priceScale).normalized.description == "9.5")
        #expect(ticker.bidPrice == nil && ticker.askPrice == nil)
        #expect(ticker.venueTime == Timestamp(milliseconds: 1_648_052_239_200))
    }

    @Test("asks again for what is refused for lack of time, and says something every twenty seconds")
    func refusals() {
        var driver = followed([.trade])
        driver.receive(#"{"event":"subscribe","channel":"trades","symbols":["ETH_USDT"]}"#)
        driver.receive(#"{"event":"error","message":"Request rate limit exceeded"}"#)
        driver.tick(after: 4_000_000_000)
        #expect(driver.sent == [#"{"event":"subscribe","channel":["trades"],"symbols":["BTC_USDT"]}"#])
        driver.receive(#"{"event":"error","message":"Subscription failed; please check the symbols"}"#)
        #expect(driver.output.counters.refused == 1)
        for second in 0..<20 {
            driver.receive(#"{"event":"pong"}"#)
            driver.tick(after: 1_000_000_000)
            #expect(driver.sent == (second == 15 ? [#"{"event":"ping"}"#] : []))
        }
    }

    @Test("an audit reads prices and sizes in turns")
    func audit() throws {
        var driver = followed()
        driver.receive(sample.image)
        let index = try #require(driver.session.registry.find("BTC_USDT"))
        var answer = #"{"time":1,"scale":"0.01","asks":["101","1.0"],"bids":["100","2","99","1"],"ts":2}"#
        let book = try #require(
            answer.withUTF8 { driver.session.auditBook(UnsafeRawBufferPointer($0), for: index) })
        #expect(book.bidCount == 2 && book.bestAsk?.price.decimal(book.priceScale).normalized.units == 101)
        var odd = #"{"asks":["101"],"bids":[]}"#
        #expect(odd.withUTF8 { driver.session.auditBook(UnsafeRawBufferPointer($0), for: index) } == nil)
    }
}
