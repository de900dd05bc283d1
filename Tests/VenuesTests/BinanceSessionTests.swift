import Instruments
import MarketData
import Support
import Testing
import Venues

/// Frames are shaped after Binance's API documentation, "Diff.
///
/// Depth Stream" and "Order Book" (spot and USD-M).
@Suite("Binance's book procedure")
struct BinanceSessionTests {
    private static let spotURL = "https://api.binance.com/api/v3/depth?symbol=BNBBTC&limit=1000"
    private static let futuresURL = "https://fapi.binance.com/fapi/v1/depth?symbol=BNBBTC&limit=1000"

    private func spot(_ first: Int, _ last: Int, _ bids: String = "", _ asks: String = "") -> String {
        """
        {"stream":"bnbbtc@depth@100ms","data":{"e":"depthUpdate","E":1672515782136,"s":"BNBBTC",\
        "U":\(first),"u":\(last),"b":[\(bids)],"a":[\(asks)]}}
        """
    }

    private func futures(_ first: Int, _ last: Int, _ previous: Int, _ bids: String = "") -> String {
        """
        {"stream":"bnbbtc@depth@100ms","data":{"e":"depthUpdate","E":123456789,"T":123456788,"s":"BNBBTC",\
        "U":\(first),"u":\(last),"pu":\(previous),"b":[\(bids)],"a":[]}}
        """
    }

    private func snapshot(_ id: Int) -> String {
        "{\"lastUpdateId\":\(id),\"bids\":[[\"0.0024\",\"10\"]],\"asks\":[[\"0.0026\",\"100\"]]}"
    }

    private func spotDriver() throws -> SessionDriver { try SessionDriver(.replay(of: .binance)) }

    @Test(
        "the first event straddles the snapshot",
        arguments: [
            // (U, u, is applied)
            (90, 99, false), (95, 100, false), (95, 101, true), (101, 101, true), (101, 110, true),
            (102, 110, false),
        ])
    func firstSpotEvent(first: Int, last: Int, isApplied: Bool) throws {
        var driver = try spotDriver()
        driver.receive(spot(80, 85))
        try driver.respond(Self.spotURL, snapshot(100))
        let events = driver.receive(spot(first, last, "[\"0.0023\",\"5\"]"))
        #expect((bookEvents(events) == 1) == isApplied)
        // An event from beyond the snapshot shows a gap; an older one shows nothing.
        #expect(driver.state("BNBBTC") == (first > 101 ? .syncing : .live))
    }

    @Test("waiting events are applied on top of the snapshot, those that it contains are not")
    func bufferedEvents() throws {
        var driver = try spotDriver()
        driver.receive(spot(95, 98, "[\"0.0001\",\"1\"]"))
        driver.receive(spot(99, 102, "[\"0.0024\",\"0\"],[\"0.0023\",\"7\"]"))
        driver.receive(spot(103, 104, "", "[\"0.0025\",\"3\"]"))
        let events = try driver.respond(Self.spotURL, snapshot(100))
        #expect(bookEvents(events) == 3)
        #expect(driver.text("BNBBTC") == "0.0023×7 | 0.0025×3 0.0026×100")
        #expect(driver.output.counters.staleDropped == 1)
    }

    @Test("a snapshot older than the first waiting event is fetched again")
    func oldSnapshot() throws {
        var driver = try spotDriver()
        driver.receive(spot(200, 201))
        let events = try driver.respond(Self.spotURL, snapshot(100))
        #expect(bookEvents(events) == 0)
        #expect(driver.state("BNBBTC") == .syncing)
        try driver.respond(Self.spotURL, snapshot(200))
        #expect(driver.state("BNBBTC") == .live)
    }

    @Test(
        "after the first event the numbers join on",
        arguments: [(103, 105, BookState.live), (104, 105, .syncing), (101, 102, .live), (100, 101, .live)])
    func continuity(first: Int, last: Int, expected: BookState) throws {
        var driver = try spotDriver()
        driver.receive(spot(100, 100))
        try driver.respond(Self.spotURL, snapshot(100))
        driver.receive(spot(101, 102, "[\"0.0023\",\"5\"]"))
        driver.receive(spot(first, last, "[\"0.0022\",\"5\"]"))
        #expect(driver.state("BNBBTC") == expected)
    }

    @Test(
        "futures: the first event straddles, then pu is the previous u",
        arguments: [
            // (U, u, pu, state, applied)
            (90, 99, 89, BookState.live, 0), (95, 100, 94, .live, 1), (100, 105, 99, .live, 1),
            (101, 105, 100, .live, 1), (102, 105, 101, .syncing, 0),
        ])
    func firstFuturesEvent(first: Int, last: Int, previous: Int, expected: BookState, applied: Int) throws {
        var driver = try SessionDriver(.replay(of: .binanceUSDM))
        driver.receive(futures(80, 85, 79))
        try driver.respond(Self.futuresURL, snapshot(100))
        let events = driver.receive(futures(first, last, previous, "[\"0.0023\",\"5\"]"))
        #expect(bookEvents(events) == applied)
        #expect(driver.state("BNBBTC") == expected)
    }

    @Test("futures: a pu that is not the previous u is a gap, whatever U is")
    func futuresGap() throws {
        var driver = try SessionDriver(.replay(of: .binanceUSDM))
        driver.receive(futures(80, 85, 79))
        try driver.respond(Self.futuresURL, snapshot(100))
        driver.receive(futures(99, 105, 98))
        driver.receive(futures(108, 110, 107))
        #expect(driver.state("BNBBTC") == .syncing)
        #expect(driver.output.counters.gaps == 1)
    }

    @Test("a gap of one instrument does not touch another")
    func otherInstruments() throws {
        var driver = try spotDriver()
        driver.receive(spot(100, 100))
        try driver.respond(Self.spotURL, snapshot(100))
        let other = spot(500, 500).replacing("BNBBTC", with: "ETHBTC").replacing("bnbbtc", with: "ethbtc")
        driver.receive(other)
        try driver.respond(Self.spotURL.replacing("BNBBTC", with: "ETHBTC"), snapshot(500))
        driver.receive(spot(110, 111))
        #expect(driver.state("BNBBTC") == .syncing)
        #expect(driver.state("ETHBTC") == .live)
    }

    @Test("a level with more places than any before refines the whole book")
    func refinement() throws {
        var driver = try spotDriver()
        driver.receive(spot(100, 100))
        try driver.respond(Self.spotURL, snapshot(100))
        driver.receive(spot(101, 101, "[\"0.00241\",\"0.5\"]"))
        #expect(driver.text("BNBBTC") == "0.00241×0.5 0.0024×10 | 0.0026×100")
    }

    @Test("a book crossed for two messages is fetched again, for one it is suspect")
    func crossed() throws {
        var driver = try spotDriver()
        driver.receive(spot(100, 100))
        try driver.respond(Self.spotURL, snapshot(100))
        let first = driver.receive(spot(101, 101, "[\"0.0027\",\"1\"]"))
        #expect(states(first) == [.suspect])
        guard case .state = first.first else {
            return #expect(Bool(false), "the state must come before the levels")
        }
        let healed = driver.receive(spot(102, 102, "[\"0.0027\",\"0\"]"))
        #expect(states(healed) == [.live])
        driver.receive(spot(103, 103, "[\"0.0027\",\"1\"]"))
        let stuck = driver.receive(spot(104, 104, "[\"0.0028\",\"1\"]"))
        #expect(states(stuck) == [.syncing])
    }

    @Test("a number of more than 63 bits costs that book and nothing else")
    func overflow() throws {
        var driver = try spotDriver()
        driver.receive(spot(100, 100))
        try driver.respond(Self.spotURL, snapshot(100))
        driver.receive(spot(101, 101, "[\"99999999999999999999\",\"1\"]"))
        #expect(driver.state("BNBBTC") == .syncing)
        #expect(driver.output.counters.malformed == 1)
    }

    @Test("a bookTicker without an event type is known by its keys")
    func rawTicker() throws {
        var driver = try spotDriver()
        let frame =
            #"{"u":400900217,"s":"BNBUSDT","b":"25.35190000","B":"31.21000000","a":"25.36520000","A":"40.66"}"#
        let events = driver.receive(frame)
        guard case .ticker(_, let ticker) = try #require(events.first) else {
            return #expect(Bool(false), "no ticker")
        }
        #expect(ticker.bidPrice?.decimal(ticker.priceScale).normalized.description == "25.3519")
        #expect(ticker.askSize?.decimal(ticker.sizeScale).normalized.description == "40.66")
        #expect(ticker.updateID == 400_900_217)
    }

    /// Source: Binance USD-M futures API documentation, "Mark Price Stream".
    @Test("a mark price is exact, and is asked for where it is wanted")
    func mark() throws {
        var driver = try SessionDriver(.replay(of: .binanceUSDM))
        let events = driver.receive(
            """
            {"stream":"btcusdt@markPrice@1s","data":{"e":"markPriceUpdate","E":1562305380000,"s":"BTCUSDT",\
            "p":"11794.15004321","i":"11784.62659091","P":"11784.25641265","r":"0.00038167","T":1562306400000}}
            """)
        guard case .mark(_, let mark) = try #require(events.first) else {
            return #expect(Bool(false), "no mark price")
        }
        #expect(mark.price.description == "11794.15004321")
        #expect(mark.venueTime == Timestamp(milliseconds: 1_562_305_380_000))
        for (venue, isAsked) in [(Binance.usdm, true), (Binance.spot, false)] {
            var configuration = VenueConfiguration(venue)
            configuration.subscriptions = [("BTCUSDT", [.trade, .mark])]
            var output = VenueOutput()
            var session = SessionDriver(configuration).session
            session.start(at: .zero, into: &output)
            #expect("\(output.actions)".contains("btcusdt@markPrice@1s") == isAsked)
        }
    }
}
