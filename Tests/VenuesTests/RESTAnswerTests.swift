import Instruments
import MarketData
import Testing
import Venues

/// What REST interfaces answer, in the forms of the venues' documentation of 2026-11.
@Suite("Answers of REST interfaces")
struct RESTAnswerTests {
    /// Candles of an answer about some hours from 2023-07-10T14:00:00Z, and where they were asked for.
    private static func candles(
        _ description: VenueDescription, _ symbol: String, _ body: String
    ) throws -> (url: String, candles: [HistoryCandle]) {
        let history = try #require(VenueCandleHistory(description, restURL: "http://venue"))
        let from = try #require(Timestamp(iso8601: "2023-07-10T14:00:00Z"))
        let to = from.adding(nanoseconds: 4 * 3_600_000_000_000)
        let page = history.page(of: symbol, seconds: 3_600, from: from, to: to)
        let now = to.adding(nanoseconds: 3_600_000_000_000)
        let read = try Array(body.utf8).withUnsafeBytes { try history.parse($0, of: page, at: now) }
        return (page.url, read)
    }

    private static func text(_ candle: HistoryCandle) -> String {
        let prices = [candle.open, candle.high, candle.low, candle.close].map(\.normalized.description)
        return "\(candle.start.nanoseconds / 1_000_000_000) \(prices.joined(separator: " ")) \(candle.volume)"
    }

    @Test("Coinbase's candles")
    func coinbaseCandles() throws {
        let (url, candles) = try Self.candles(
            Coinbase.description, "ETH-USD",
            #"{"candles":[{"start":"1689001200","low":"1865.63","high":"1867.72","open":"1867.38","#
                + #""close":"1866.81","volume":"0.20269406"},{"start":"1688997600","low":"1","high":"2","#
                + #""open":"1","close":"2","volume":"3"}]}"#)
        #expect(
            url == "http://venue/api/v3/brokerage/market/products/ETH-USD/candles"
                + "?start=1688997600&end=1689011999&granularity=ONE_HOUR&limit=350")
        #expect(
            candles.map(Self.text) == [
                "1688997600 1 2 1 2 3", "1689001200 1867.38 1867.72 1865.63 1866.81 0.20269406",
            ])
    }

    @Test("Gemini's candles")
    func geminiCandles() throws {
        let (url, candles) = try Self.candles(
            Gemini.description, "BTCUSD",
            "[[1689001200000,7781.6,7820.3,7776.56,7819.39,34.7624802159],[1,1,1,1,1,1]]")
        #expect(url == "http://venue/v2/candles/btcusd/1hr")
        #expect(candles.map(Self.text) == ["1689001200 7781.6 7820.3 7776.56 7819.39 34.7624802159"])
    }

    @Test("Bitstamp's candles")
    func bitstampCandles() throws {
        let (url, candles) = try Self.candles(
            Bitstamp.description, "btcusd",
            #"{"data":{"ohlc":[{"close":"30218","high":"30219","low":"30150.5","open":"30200","#
                + #""timestamp":"1689001200","volume":"12.5"}],"pair":"BTC/USD"}}"#)
        #expect(
            url == "http://venue/api/v2/ohlc/btcusd/?step=3600&limit=1000&start=1688997600&end=1689011999")
        #expect(candles.map(Self.text) == ["1689001200 30200 30219 30150.5 30218 12.5"])
    }

    // MARK: - Whole books

    private static func audit(_ description: VenueDescription, _ symbol: String, _ body: String) -> String {
        var configuration = VenueConfiguration(description)
        configuration.subscriptions = [(symbol, [.book])]
        let session = configuration.makeSession()
        guard let index = session.registry.find(symbol),
            let book = Array(body.utf8).withUnsafeBytes({ session.auditBook($0, for: index) })
        else { return "none" }
        let sides = [book.bids, book.asks].map { side in
            side.top(.max).map { level in
                "\(level.price.decimal(book.priceScale).normalized)"
                    + "×\(level.size.decimal(book.sizeScale).normalized)"
            }.joined(separator: " ")
        }
        return sides.joined(separator: " | ")
    }

    @Test(
        "with whole books are read in each of their forms",
        arguments: [
            (
                Coinbase.description, "BTC-USD",
                #"{"pricebook":{"product_id":"BTC-USD","bids":[{"price":"100","size":"0.5"}],"#
                    + #""asks":[{"price":"101.5","size":"2"}],"time":"2026-04-07T00:28:59.662782Z"}}"#
            ),
            (
                Coinbase.description, "BTC-USD",
                #"{"bids":[["100.0","0.5",3]],"asks":[["101.5","2",1]],"sequence":1}"#
            ),
            (
                Gemini.description, "BTCUSD",
                #"{"bids":[{"price":"100","amount":"0.5","timestamp":"1"}],"#
                    + #""asks":[{"price":"101.5","amount":"2","timestamp":"1"}]}"#
            ),
            (
                Bitstamp.description, "btcusd",
                #"{"timestamp":"1","microtimestamp":"1000000","bids":[["100","0.50000000"]],"#
                    + #""asks":[["101.5","2.00000000"]]}"#
            ),
        ])
    func books(_ description: VenueDescription, symbol: String, body: String) {
        #expect(Self.audit(description, symbol, body) == "100×0.5 | 101.5×2")
        #expect(Self.audit(description, symbol, #"{"bids":[]}"#) == "none")
    }

    @Test("Coinbase's Exchange is asked for the trades up to a thousand ids later, oldest first")
    func exchangeTrades() throws {
        var configuration = VenueConfiguration(Coinbase.description)
        configuration.subscriptions = [("BTC-USD", [.trade])]
        configuration.options["interface"] = "exchange"
        var driver = SessionDriver(configuration)
        let index = try #require(driver.session.registry.find("BTC-USD"))
        let mark = TradeMark(id: "7", venueTime: driver.clock)
        let request = try #require(driver.session.tradesRequest(for: index, after: mark))
        let url = "https://api.exchange.coinbase.com/products/BTC-USD/trades?after=1007&limit=1000"
        #expect(request.url == url)
        func row(_ id: Int) -> String {
            #"{"trade_id":\#(id),"side":"buy","size":"1.5","price":"5\#(id)","#
                + #""time":"2026-01-01T00:00:0\#(id).5Z"}"#
        }
        let events = try driver.respond(url, "[\(row(8)),\(row(7))]")
        #expect(tradeTexts(events) == ["57×1.5", "58×1.5"])
    }
}
