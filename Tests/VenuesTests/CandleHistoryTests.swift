import Instruments
import MarketData
import Support
import Testing
import Venues

@Suite("Histories of candles")
struct CandleHistoryTests {
    private static let future = Timestamp(nanoseconds: 4_000_000_000_000_000_000)

    private static func history(_ venue: Venue, _ root: String? = nil) throws -> VenueCandleHistory {
        // Named, since one that has closed is asked at no other address.
        let address = try root ?? VenueCatalogue.standard.description(of: venue).restURL
        return try #require(VenueCandleHistory(venue: venue, restURL: address))
    }

    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

    private static func parse(
        _ body: String, _ history: VenueCandleHistory, _ page: HistoryPage, at now: Timestamp = future
    ) throws(HistoryError) -> [HistoryCandle] {
        var body = body
        let result: Result<[HistoryCandle], HistoryError> = body.withUTF8 { bytes in
            do throws(HistoryError) {
                return .success(try history.parse(UnsafeRawBufferPointer(bytes), of: page, at: now))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func amount(_ text: String) throws -> Amount { try Amount(parsing: text) }

    // Source: Binance, "Spot API, Market data endpoints, Kline/Candlestick data", the example of an answer.
    private static let kline = """
        [[1499040000000,"0.01634790","0.80000000","0.01575800","0.01577100","148976.11427815",1499644799999,\
        "2434.19055334",308,"1756.87402397","28.46694368","0"]]
        """

    @Test("Binance's klines give every volume exactly")
    func binance() throws {
        let history = try Self.history(.binance)
        let start = try Self.time("2017-07-03T00:00:00Z")
        let page = history.page(
            of: "ETHBTC", seconds: 604_800, from: start, to: start.adding(nanoseconds: 604_800_000_000_000))
        #expect(
            page.url == "https://api.binance.com/api/v3/klines?symbol=ETHBTC&interval=1w"
                + "&startTime=1499040000000&endTime=1499644799999&limit=1000")
        let candle = try #require(try Self.parse(Self.kline, history, page).first)
        #expect(candle.start == start)
        #expect(candle.open.description == "0.01634790" && candle.close.description == "0.01577100")
        #expect(candle.high.description == "0.80000000" && candle.low.description == "0.01575800")
        #expect(candle.volume == (try Self.amount("148976.11427815")))
        #expect(candle.notional == (try Self.amount("2434.19055334")))
        #expect(candle.takerBuyVolume == (try Self.amount("1756.87402397")))
        #expect(candle.tradeCount == 308)
    }

    @Test("USDⓈ-M klines have a route and a price of their own")
    func futures() throws {
        let history = try Self.history(.binanceUSDM, "http://127.0.0.1:7430/binance-usdm")
        let start = try Self.time("2021-07-22T22:00:00Z")
        let page = history.page(
            of: "BTCUSDT", seconds: 60, from: start, to: start.adding(nanoseconds: 86_400_000_000_000))
        #expect(page.url.hasPrefix("http://127.0.0.1:7430/binance-usdm/fapi/v1/klines?symbol=BTCUSDT&"))
        #expect(page.to == start.adding(nanoseconds: 60_000_000_000_000))
        #expect(history.pace.cost == 5 && history.pace.capacity == 2_400)
        #expect(!history.lengths.contains(1))
    }

    // Source: Kraken, "Spot REST API, Get OHLC data", the example of an answer, cut to three rows.
    private static let ohlc = """
        {"error":[],"result":{"XXBTZUSD":[\
        [1688671200,"30306.1","30306.2","30305.7","30305.7","30306.1","3.39243896",23],\
        [1688671260,"30304.5","30304.5","30300.0","30300.0","30300.0","4.42996871",18],\
        [1688672940,"30320.8","30320.9","30306.2","30313.1","30309.3","5.43211321",71]],"last":1688672880}}
        """

    @Test("Kraken's open row is left out, and its rounded average is not taken for a sum")
    func kraken() throws {
        let history = try Self.history(.kraken)
        let start = try Self.time("2023-07-06T19:20:00Z")
        let page = history.page(
            of: "BTC/USD", seconds: 60, from: start, to: start.adding(nanoseconds: 86_400_000_000_000))
        #expect(
            page.url == "https://api.kraken.com/0/public/OHLC?pair=BTCUSD&interval=1&since=1688671199")
        // All of it, since older candles cannot be had anyway.
        #expect(page.to == start.adding(nanoseconds: 86_400_000_000_000))
        let candles = try Self.parse(Self.ohlc, history, page)
        #expect(candles.map(\.start.plain) == ["2023-07-06T19:20:00Z", "2023-07-06T19:21:00Z"])
        #expect(candles[1].volume == (try Self.amount("4.42996871")))
        #expect(candles[1].tradeCount == 18)
        #expect(candles[1].notional == nil && candles[1].takerBuyVolume == nil)
        #expect(history.reach == 720 && !history.lengths.contains(604_800))
    }

    // Source: BitMEX, "API explorer, GET /trade/bucketed", the shape of an answer.
    private static let buckets = """
        [{"timestamp":"2021-07-22T22:37:00.000Z","symbol":"XBTUSD","open":32300,"high":32310.5,"low":32299,\
        "close":32299.5,"trades":12,"volume":45100,"vwap":32304.9,"lastSize":100,"turnover":139607000,\
        "homeNotional":1.39607,"foreignNotional":45100},\
        {"timestamp":"2021-07-22T22:38:00.000Z","symbol":"XBTUSD","open":32299.5,"high":null,"low":null,\
        "close":null,"trades":0,"volume":0,"vwap":null,"lastSize":null,"turnover":0,"homeNotional":0,\
        "foreignNotional":0},\
        {"timestamp":"2021-07-22T22:39:00.000Z","symbol":"XBTUSD","open":32320,"high":32310.5,"low":32299,\
        "close":32299.5,"trades":1,"volume":1}]
        """

    @Test("BitMEX's buckets are named by their end, and one without prices is left out")
    func bitmex() throws {
        let history = try Self.history(.bitmex)
        let start = try Self.time("2021-07-22T22:36:00Z")
        let page = history.page(
            of: "XBTUSD", seconds: 60, from: start, to: start.adding(nanoseconds: 180_000_000_000))
        #expect(
            page.url == "https://www.bitmex.com/api/v1/trade/bucketed?binSize=1m&partial=false"
                + "&symbol=XBTUSD&count=1000&reverse=false&startTime=2021-07-22T22%3A37%3A00.000Z"
                + "&endTime=2021-07-22T22%3A39%3A00.000Z")
        let candles = try Self.parse(Self.buckets, history, page)
        #expect(candles.map(\.start.plain) == ["2021-07-22T22:36:00Z", "2021-07-22T22:38:00Z"])
        #expect(candles[0].volume == (try Self.amount("45100")) && candles[0].tradeCount == 12)
        #expect(candles[0].notional == nil)
        // The open is the close before it here, above all that was traded.
        #expect(candles[1].high.description == "32320")
    }

    @Test("a candle outside of the page or not over yet is left out")
    func clipped() throws {
        let history = try Self.history(.binance)
        let start = try Self.time("2017-07-03T00:00:00Z")
        let week: Int64 = 604_800_000_000_000
        let later = history.page(
            of: "A", seconds: 604_800, from: start.adding(nanoseconds: week),
            to: start.adding(nanoseconds: week * 2))
        #expect(try Self.parse(Self.kline, history, later).isEmpty)
        let page = history.page(
            of: "A", seconds: 604_800, from: start, to: start.adding(nanoseconds: week))
        let end = start.adding(nanoseconds: week)
        #expect(try Self.parse(Self.kline, history, page, at: end).count == 1)
        #expect(try Self.parse(Self.kline, history, page, at: end.adding(nanoseconds: -1)).isEmpty)
    }

    @Test(
        "what a venue says instead of candles is handed on",
        arguments: [
            (
                Venue.binance, #"{"code":-1121,"msg":"Invalid symbol."}"#,
                HistoryError.refused("Invalid symbol.")
            ),
            (.kraken, #"{"error":["EQuery:Unknown asset pair"]}"#, .refused("EQuery:Unknown asset pair")),
            (
                .kraken, #"{"error":["EGeneral:Too many requests"],"result":{}}"#,
                .busy("EGeneral:Too many requests")
            ),
            (
                .bitmex, #"{"error":{"message":"Rate limit exceeded, retry in 1 seconds.","name":"X"}}"#,
                .busy("Rate limit exceeded, retry in 1 seconds.")
            ),
            (.bitmex, "[{\"timestamp\":1}]", .malformed), (.binance, "[[1,2]]", .malformed),
            (.kraken, "", .malformed), (.binance, "<html>", .malformed),
            (.binance, #"[[1,"1","1","1","1","-1",1,"1",1,"1"]]"#, .malformed),
        ])
    func refusals(_ venue: Venue, _ body: String, _ expected: HistoryError) throws {
        let history = try Self.history(venue)
        let page = history.page(
            of: "A", seconds: 60, from: .zero, to: Timestamp(nanoseconds: 60_000_000_000))
        #expect(throws: expected) { try Self.parse(body, history, page) }
    }

    @Test("an unknown venue has no history")
    func unknown() { #expect(VenueCandleHistory(venue: Venue(rawValue: "x")) == nil) }

    @Test("has none of a venue that has closed, but where somebody else plays it")
    func closed() {
        #expect(VenueCandleHistory(venue: .bitmex) == nil)
        #expect(VenueCandleHistory(venue: .bitmex, restURL: "http://venue") != nil)
    }
}
