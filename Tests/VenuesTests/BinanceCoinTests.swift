import Instruments
import MarketData
import Testing
import Venues

/// Frames and answers shaped after Binance's COIN-M futures documentation.
///
/// "Diff. Book Depth Streams", "Exchange Information" and "Kline/Candlestick Data".
@Suite("Binance's coin-margined futures")
struct BinanceCoinTests {
    private static let route = "https://dapi.binance.com/dapi/v1/"

    @Test("a contract is worth its size in dollars, and is paid in the coin")
    func definitions() throws {
        var driver = SessionDriver(.replay(of: Binance.coinm))
        driver.receive(
            """
            {"stream":"btcusd_perp@bookTicker","data":{"e":"bookTicker","u":17242169,"s":"BTCUSD_PERP",\
            "ps":"BTCUSD","b":"9548.1","B":"52","a":"9548.5","A":"11","T":1591268628155,"E":1591268628166}}
            """)
        let events = try driver.respond(
            Self.route + "exchangeInfo",
            """
            {"symbols":[{"symbol":"BTCUSD_PERP","pair":"BTCUSD","contractType":"PERPETUAL",\
            "contractStatus":"TRADING","contractSize":100,"quoteAsset":"USD","baseAsset":"BTC",\
            "marginAsset":"BTC","filters":[{"filterType":"PRICE_FILTER","tickSize":"0.1"},\
            {"filterType":"LOT_SIZE","stepSize":"1"}]},\
            {"symbol":"BTCUSD_261225","contractType":"CURRENT_QUARTER","contractSize":100,\
            "quoteAsset":"USD","baseAsset":"BTC","filters":[]}]}
            """)
        guard case .instrument(_, let perpetual) = try #require(events.first) else {
            return #expect(Bool(false), "no instrument")
        }
        #expect(perpetual.isInverse && perpetual.kind == .perpetual)
        #expect(perpetual.contractMultiplier?.description == "100")
        #expect(perpetual.tickSize?.description == "0.1" && perpetual.quote.rawValue == "USD")
        #expect(driver.output.listed.map(\.kind) == [.future])
    }

    @Test("a change with the name of its pair follows as those of the other futures do")
    func pairs() throws {
        var driver = SessionDriver(.replay(of: Binance.coinm))
        func change(_ first: Int, _ last: Int, _ previous: Int, _ size: Int) -> String {
            """
            {"stream":"btcusd_200626@depth@100ms","data":{"e":"depthUpdate","E":1591270260907,\
            "T":1591270260891,"s":"BTCUSD_200626","ps":"BTCUSD","U":\(first),"u":\(last),"pu":\(previous),\
            "b":[["9517.6","\(size)"]],"a":[["9518.5","45"]]}}
            """
        }
        driver.receive(change(95, 99, 94, 1))
        try driver.respond(
            Self.route + "depth?symbol=BTCUSD_200626&limit=1000",
            """
            {"lastUpdateId":100,"E":1591250106370,"T":1591250106368,"symbol":"BTCUSD_200626","pair":"BTCUSD",\
            "bids":[["9517.5","10"]],"asks":[["9518.5","45"]]}
            """)
        driver.receive(change(100, 102, 99, 2))
        #expect(driver.text("BTCUSD_200626") == "9517.6×2 9517.5×10 | 9518.5×45")
        driver.receive(change(103, 105, 102, 3))
        #expect(driver.state("BTCUSD_200626") == .live)
        driver.receive(change(107, 108, 106, 4))
        #expect(driver.state("BTCUSD_200626") == .syncing)
    }

    @Test("its klines count contracts and have no sum of price × size; a page is never above 200 days")
    func history() throws {
        let history = try #require(VenueCandleHistory(Binance.coinm))
        let start = Timestamp(nanoseconds: 1_591_258_320_000_000_000)
        let page = history.page(
            of: "BTCUSD_PERP", seconds: 86_400, from: .zero,
            to: Timestamp(nanoseconds: 86_400_000_000_000 * 1_000))
        #expect(page.url.hasPrefix(Self.route + "klines?symbol=BTCUSD_PERP&interval=1d&"))
        #expect(page.to == Timestamp(nanoseconds: 86_400_000_000_000 * 200))
        let minute = history.page(
            of: "BTCUSD_PERP", seconds: 60, from: start, to: start.adding(nanoseconds: 60_000_000_000))
        let body = """
            [[1591258320000,"9640.7","9642.4","9640.6","9642.0","206",1591258379999,"2.13660389",48,"119",\
            "1.23424865","0"]]
            """
        let candles = try Array(body.utf8).withUnsafeBytes {
            try history.parse($0, of: minute, at: start.adding(nanoseconds: 90_000_000_000))
        }
        #expect(candles.count == 1 && candles.first?.notional == nil)
        #expect(candles.first?.volume.description == "206" && candles.first?.tradeCount == 48)
    }

    @Test("a recording that calls it by its other name is of it")
    func alias() {
        let catalogue = VenueCatalogue.standard
        #expect(
            catalogue.venue(recordedAs: Venue(rawValue: "binance-delivery")) == Binance.coinm.venue)
        #expect(catalogue.venue(recordedAs: Binance.spot.venue) == Binance.spot.venue)
        #expect(catalogue[Venue(rawValue: "binance-delivery")] == nil)
    }
}
