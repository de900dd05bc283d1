import Instruments
import MarketData
import Testing

@testable import Venues

/// Frames are shaped after Coinbase's documentation of "Advanced Trade WebSocket channels" and of "Exchange
/// WebSocket channels".
@Suite("Coinbase's book procedure and its two interfaces")
struct CoinbaseSessionTests {
    private typealias Level = (side: String, price: String, size: String)

    private static func replayed() -> SessionDriver { SessionDriver(.replay(of: Coinbase.description)) }

    private static func advanced(
        _ number: Int?, _ type: String, _ levels: [Level], of product: String = "BTC-USD"
    ) -> String { VenueSample.coinbaseBook(number, type, levels, of: product) }

    private static let image: [Level] = [("bid", "100", "2"), ("offer", "101", "1")]

    private static func trades(_ events: [MarketEvent]) -> [Trade] {
        events.compactMap { event in
            if case .trade(_, let trade) = event { trade } else { nil }
        }
    }

    private static func tickers(_ events: [MarketEvent]) -> [Ticker] {
        events.compactMap { event in
            if case .ticker(_, let ticker) = event { ticker } else { nil }
        }
    }

    private static func receive(_ frame: String, on connection: Int, _ driver: inout SessionDriver) {
        driver.output.removeAll()
        var frame = frame
        frame.withUTF8 { bytes in
            driver.session.receive(
                UnsafeRawBufferPointer(bytes), connection: connection, at: driver.clock, into: &driver.output)
        }
    }

    // MARK: - Advanced Trade

    @Test("a number that is not the next costs every book of the connection, an image gives it back")
    func gap() {
        var driver = Self.replayed()
        driver.receive(Self.advanced(0, "snapshot", Self.image))
        driver.receive(Self.advanced(1, "snapshot", Self.image, of: "ETH-USD"))
        driver.receive(#"{"channel":"heartbeats","sequence_num":2,"events":[]}"#)
        #expect(driver.state("BTC-USD") == .live && driver.state("ETH-USD") == .live)
        let events = driver.receive(Self.advanced(4, "update", [("bid", "100", "3")]))
        #expect(states(events) == [.syncing, .syncing] && bookEvents(events) == 0)
        #expect(driver.output.counters.gaps == 1 && driver.output.counters.resyncs == 2)
        driver.receive(Self.advanced(5, "update", [("bid", "100", "4")]))
        #expect(driver.state("BTC-USD") == .syncing)
        driver.receive(Self.advanced(6, "snapshot", [("bid", "100", "5"), ("offer", "101", "1")]))
        #expect(driver.state("BTC-USD") == .live && driver.text("BTC-USD") == "100×5 | 101×1")
        #expect(driver.state("ETH-USD") == .syncing)
    }

    @Test("a number that comes again is the same message again; a lower one is a gap")
    func doubled() {
        var driver = Self.replayed()
        driver.receive(Self.advanced(7, "snapshot", Self.image))
        driver.receive(Self.advanced(8, "update", [("bid", "100", "3")]))
        let again = driver.receive(Self.advanced(8, "update", [("bid", "100", "3")]))
        #expect(again.isEmpty && driver.output.counters.staleDropped == 1)
        #expect(driver.state("BTC-USD") == .live)
        #expect(states(driver.receive(Self.advanced(3, "update", []))) == [.syncing])
    }

    @Test("the image of an earlier subscription is none of the new one, unless nobody can count")
    func earlierImage() {
        for refusal in ["", #"{"type":"error","message":"rate limit"}"#] {
            var configuration = VenueConfiguration(Coinbase.description)
            configuration.subscriptions = [("BTC-USD", [.book])]
            var driver = SessionDriver(configuration)
            driver.session.start(at: driver.clock, into: &driver.output)
            driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
            driver.session.follow([], at: driver.clock, into: &driver.output)
            driver.session.follow(configuration.subscriptions, at: driver.clock, into: &driver.output)
            if !refusal.isEmpty { driver.receive(refusal) }
            driver.receive(Self.advanced(0, "snapshot", Self.image))
            #expect((driver.state("BTC-USD") == .live) != refusal.isEmpty)
            driver.receive(Self.advanced(1, "snapshot", Self.image))
            #expect(driver.state("BTC-USD") == .live)
        }
    }

    @Test("connections are counted each for itself, and a book is its image's connection's")
    func connections() {
        var driver = Self.replayed()
        Self.receive(Self.advanced(5, "snapshot", Self.image), on: 2, &driver)
        Self.receive(Self.advanced(90, "update", [("bid", "100", "9")]), on: 3, &driver)
        Self.receive(Self.advanced(92, "update", [("bid", "100", "9")]), on: 3, &driver)
        #expect(driver.state("BTC-USD") == .live && driver.text("BTC-USD") == "100×2 | 101×1")
        driver.session.recorded(connection: 2, url: "wss://advanced-trade-ws.coinbase.com")
        Self.receive(Self.advanced(0, "update", [("bid", "100", "3")]), on: 2, &driver)
        #expect(driver.text("BTC-USD") == "100×3 | 101×1")
    }

    @Test("trades, tickers without a side and candles of five minutes are read")
    func tape() throws {
        var driver = Self.replayed()
        let rows = driver.receive(
            #"{"channel":"market_trades","timestamp":"2026-01-01T00:00:01Z","events":[{"type":"snapshot","#
                + #""trades":[{"trade_id":"12","product_id":"BTC-USD","price":"1260.01","size":"0.3","#
                + #""time":"2026-01-01T00:00:00.25Z","side":"SELL"}]}]}"#)
        let trade = try #require(Self.trades(rows).first)
        #expect(trade.id == "12" && trade.side == .buy && trade.isBackfill, "the side is the maker's")
        let said = driver.receive(
            #"{"channel":"ticker","timestamp":"2026-01-01T00:00:01Z","events":[{"type":"update","tickers":["#
                + #"{"type":"ticker","product_id":"BTC-USD","price":"5","best_bid":"0","#
                + #""best_bid_quantity":"0","best_ask":"6","best_ask_quantity":"0.5"}]}]}"#)
        let ticker = try #require(Self.tickers(said).first)
        #expect(ticker.bidPrice == nil && ticker.askPrice != nil && ticker.askSize != nil)
        let candles = driver.receive(
            #"{"channel":"candles","timestamp":"2026-01-01T00:00:01Z","events":[{"type":"snapshot","#
                + #""candles":[{"start":"1688998200","high":"1867.72","low":"1865.63","open":"1867.38","#
                + #""close":"1866.81","volume":"0.20269406","product_id":"ETH-USD"}]}]}"#)
        guard case .candle(_, let candle) = try #require(candles.first) else {
            return #expect(Bool(false), "no candle")
        }
        #expect(candle.interval == "5m" && candle.start.nanoseconds == 1_688_998_200_000_000_000)
        let wording = Coinbase.description.wording(nil)
        #expect(wording.candleText(candle.start) == "1688998200")
        #expect(wording.text(trade.venueTime) == "2026-01-01T00:00:00.250000Z")
        #expect(wording.text(Timestamp(nanoseconds: 1)) == "1970-01-01T00:00:00.000000001Z")
    }

    // MARK: - Exchange

    @Test("the Exchange's snapshot and changes make the same book, and its side is the maker's")
    func exchange() throws {
        var driver = Self.replayed()
        driver.receive(
            #"{"type":"snapshot","product_id":"SKL-BTC","asks":[["0.00001306","9.5"]],"#
                + #""bids":[["1.302E-5","10"]]}"#)
        driver.receive(
            #"{"type":"l2update","product_id":"SKL-BTC","time":"2021-04-17T16:43:37.075687Z","#
                + #""changes":[["sell","0.00001306","0.0"],["sell","0.00001307","2"],"#
                + #"["buy","0.00001303","1"]]}"#)
        #expect(driver.state("SKL-BTC") == .live)
        #expect(driver.text("SKL-BTC") == "0.00001303×1 0.00001302×10 | 0.00001307×2")
        let match =
            #"_match","trade_id":3,"side":"sell","size":"2","price":"0.5","product_id":"SKL-BTC","#
            + #""sequence":9,"time":"2021-04-17T16:43:37.089723Z"}"#
        let last = try #require(Self.trades(driver.receive(#"{"type":"last"# + match)).first)
        #expect(last.side == .buy && last.isBackfill)
        let next = match.replacing("_match", with: "match")
        let live = try #require(Self.trades(driver.receive(#"{"type":""# + next)).first)
        #expect(live.side == .buy && !live.isBackfill && live.id == "3")
    }

    @Test("an option chooses the interface that is followed, and its addresses")
    func option() {
        var configuration = VenueConfiguration(Coinbase.description)
        configuration.subscriptions = [("BTC-USD", [.book, .trade])]
        configuration[CoinbaseInterface.option] = "exchange"
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        #expect(
            driver.output.actions.contains(.open(connection: 0, url: "wss://ws-feed.exchange.coinbase.com")))
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        #expect(
            driver.sent == [
                #"{"type":"subscribe","product_ids":["BTC-USD"],"channels":["level2_batch"]}"#,
                #"{"type":"subscribe","product_ids":["BTC-USD"],"channels":["matches"]}"#,
            ])
    }

    // MARK: - Instruments and refusals

    @Test("aliases and products that are no more are not listed; a future says what a contract is worth")
    func definitions() throws {
        var driver = Self.replayed()
        try driver.respond(
            "https://api.coinbase.com/api/v3/brokerage/market/products",
            #"{"products":[{"product_id":"BTC-USDC","base_currency_id":"BTC","quote_currency_id":"USDC","#
                + #""alias":"BTC-USD","product_type":"SPOT"},{"product_id":"OLD-USD","base_currency_id":"OLD","#
                + #""quote_currency_id":"USD","status":"delisted"},{"product_id":"BIT-24APR26-CDE","#
                + #""base_currency_id":"","quote_currency_id":"USD","price_increment":"5","#
                + #""base_increment":"1","product_type":"FUTURE","future_product_details":{"contract_size":"0.01","#
                + #""contract_root_unit":"BTC","contract_expiry_type":"EXPIRING"}}]}"#)
        let future = try #require(driver.output.listed.first)
        #expect(driver.output.listed.count == 1 && future.kind == .future && future.base.rawValue == "BTC")
        #expect(future.contractMultiplier?.description == "0.01" && future.tickSize?.description == "5")
    }

    @Test("a refusal for being asked too much is asked again after a pause, another is only counted")
    func refusals() {
        var configuration = VenueConfiguration(Coinbase.description)
        configuration.subscriptions = [("BTC-USD", [.trade])]
        for (reason, asked) in [("rate limit exceeded", 1), ("NO-SUCH is not a valid product", 0)] {
            var driver = SessionDriver(configuration)
            driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
            driver.receive(#"{"type":"error","message":"failed to subscribe","reason":"\#(reason)"}"#)
            #expect(driver.output.counters.refused == 1)
            driver.tick(after: 900_000_000)
            #expect(driver.sent.isEmpty, "not at once")
            driver.receive(#"{"channel":"heartbeats","events":[]}"#)
            driver.tick(after: 3_000_000_000)
            #expect(driver.sent.count { $0.contains("market_trades") } == asked, "\(reason)")
        }
    }
}
