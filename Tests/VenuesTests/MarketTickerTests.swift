import Instruments
import MarketData
import Support
import Testing

@testable import Venues

/// What a venue's answer about all its markets is read as.
///
/// The answers are shaped after the example of each venue's documentation, read 2026-11.
@Suite("Tickers of all markets")
struct MarketTickerTests {
    /// One venue's answer with what it says of its first market, in which order: last, bid, ask, open, high,
    /// low, base volume, quote volume, percent.
    struct Sample: Sendable, CustomTestStringConvertible {
        let venue: String
        let page: Int
        let body: String
        let symbol: String
        let numbers: [String?]
        var testDescription: String { "\(venue) \(page)" }
    }

    static let samples: [Sample] = [
        Sample(
            venue: "binance", page: 0,
            body: """
                [{"symbol":"ETHBTC","openPrice":"0.01634790","highPrice":"0.80000000","lowPrice":\
                "0.01575800","lastPrice":"0.01577100","volume":"148976.11427815","quoteVolume":\
                "2434.19055334","openTime":1499040000000,"closeTime":1499644799999,"firstId":1,"lastId":308,\
                "count":308}]
                """,
            symbol: "ETHBTC",
            numbers: [
                "0.015771", nil, nil, "0.0163479", "0.8", "0.015758", "148976.11427815", "2434.19055334", nil,
            ]),
        Sample(
            venue: "binance-usdm", page: 0,
            body: """
                [{"symbol":"BTCUSDT","priceChange":"-94.99","priceChangePercent":"-95.960","lastPrice":\
                "4.00000200","lastQty":"200.0","openPrice":"99.0","highPrice":"100.0","lowPrice":"0.1",\
                "volume":"8913.3","quoteVolume":"15.3","openTime":1499783499040,"closeTime":1499869899040}]
                """,
            symbol: "BTCUSDT",
            numbers: ["4.000002", nil, nil, "99", "100", "0.1", "8913.3", "15.3", nil]),
        Sample(
            venue: "binance-coinm", page: 0,
            body: """
                [{"symbol":"BTCUSD_PERP","pair":"BTCUSD","lastPrice":"9548.5","openPrice":"9600.0",\
                "highPrice":"9700.1","lowPrice":"9440.0","volume":"4340","baseVolume":"4.5",\
                "closeTime":1591170300000}]
                """,
            symbol: "BTCUSD_PERP",
            numbers: ["9548.5", nil, nil, "9600", "9700.1", "9440", "4.5", nil, nil]),
        Sample(
            venue: "okx", page: 0,
            body: """
                {"code":"0","msg":"","data":[{"instType":"SPOT","instId":"LTC-USDT","last":"65.74","lastSz":\
                "0.1","askPx":"65.75","askSz":"11","bidPx":"65.73","bidSz":"5","open24h":"63","high24h":"70",\
                "low24h":"62.5","volCcy24h":"2222.5","vol24h":"33.25","sodUtc0":"0.1","sodUtc8":"0.1",\
                "ts":"1597026383085"}]}
                """,
            symbol: "LTC-USDT",
            numbers: ["65.74", "65.73", "65.75", "63", "70", "62.5", "33.25", "2222.5", nil]),
        Sample(
            venue: "okx", page: 1,
            body: """
                {"code":"0","msg":"","data":[{"instType":"SWAP","instId":"BTC-USD-SWAP","last":"9999.99",\
                "askPx":"","bidPx":"8888.88","open24h":"9000","high24h":"10000","low24h":"8888.88",\
                "volCcy24h":"22.5","vol24h":"2222","ts":"1597026383085"}]}
                """,
            symbol: "BTC-USD-SWAP",
            numbers: ["9999.99", "8888.88", nil, "9000", "10000", "8888.88", "22.5", nil, nil]),
        Sample(
            venue: "bybit", page: 0,
            body: """
                {"retCode":0,"retMsg":"OK","result":{"category":"spot","list":[{"symbol":"BTCUSDT",\
                "bid1Price":"20517.96","bid1Size":"2","ask1Price":"20527.77","ask1Size":"1.862172",\
                "lastPrice":"20533.13","prevPrice24h":"20393.48","price24hPcnt":"0.0068","highPrice24h":\
                "21128.12","lowPrice24h":"20318.89","turnover24h":"243765620.65899866","volume24h":\
                "11801.27771","usdIndexPrice":"20784.12009279"}]},"retExtInfo":{},"time":1673859087947}
                """,
            symbol: "BTCUSDT",
            numbers: [
                "20533.13", "20517.96", "20527.77", "20393.48", "21128.12", "20318.89", "11801.27771",
                "243765620.65899866", nil,
            ]),
        Sample(
            venue: "bybit-inverse", page: 0,
            body: """
                {"retCode":0,"retMsg":"OK","result":{"category":"inverse","list":[{"symbol":"BTCUSD",\
                "lastPrice":"16597.00","prevPrice24h":"16464.50","highPrice24h":"30912.50","lowPrice24h":\
                "15700.00","bid1Price":"16596.00","ask1Price":"16597.50","volume24h":"49337318",\
                "turnover24h":"2352.94950046"}]},"time":1672376496682}
                """,
            symbol: "BTCUSD",
            numbers: [
                "16597", "16596", "16597.5", "16464.5", "30912.5", "15700", "2352.94950046", "49337318", nil,
            ]),
        Sample(
            venue: "kraken", page: 0,
            body: """
                {"error":[],"result":{"XXBTZUSD":{"a":["30300.10000","1","1.000"],"b":["30300.00000","1",\
                "1.000"],"c":["30303.20000","0.00067643"],"v":["4083.67001100","4412.73601799"],"p":\
                ["30706.77771","30689.13205"],"t":[34619,38907],"l":["29868.30000","29868.30000"],"h":\
                ["31631.00000","31641.00000"],"o":"30502.80000"}}}
                """,
            symbol: "BTC/USD",
            numbers: [
                "30303.2", "30300", "30300.1", nil, "31641", "29868.3", "4412.73601799", nil, nil,
            ]),
        Sample(
            venue: "gateio", page: 0,
            body: """
                [{"currency_pair":"BTC3L_USDT","last":"2.46140352","lowest_ask":"2.477","highest_bid":\
                "2.4606821","change_percentage":"-8.91","base_volume":"656614.0845820589","quote_volume":\
                "1602221.66468375534639404191","high_24h":"2.7431","low_24h":"1.9863","etf_leverage":"2.2"}]
                """,
            symbol: "BTC3L_USDT",
            numbers: [
                "2.46140352", "2.4606821", "2.477", nil, "2.7431", "1.9863", "656614.0845820589",
                "1602221.66468375534639404191", "-8.91",
            ]),
        Sample(
            venue: "gateio-futures", page: 0,
            body: """
                [{"contract":"BTC_USDT","last":"6432","low_24h":"6278","high_24h":"6790",\
                "change_percentage":"4.43","total_size":"32323904","volume_24h":"184040233284",\
                "volume_24h_base":"28613220","volume_24h_quote":"184040233284.5","mark_price":"6534",\
                "funding_rate":"0.0001","index_price":"6531","highest_bid":"34089.7","lowest_ask":"34217.9"}]
                """,
            symbol: "BTC_USDT",
            numbers: [
                "6432", "34089.7", "34217.9", nil, "6790", "6278", "28613220", "184040233284.5", "4.43",
            ]
        ),
        Sample(
            venue: "kucoin", page: 0,
            body: """
                {"code":"200000","data":{"time":1729173207043,"ticker":[{"symbol":"BTC-USDT","symbolName":\
                "BTC-USDT","buy":"67192.5","bestBidSize":"0.000025","sell":"67192.6","bestAskSize":"1.24",\
                "changeRate":"-0.0014","changePrice":"-98.5","high":"68321.4","low":"66683.3","vol":\
                "1836.03034612","volValue":"124068431.06726933","last":"67193","averagePrice":"67281.21"}]}}
                """,
            symbol: "BTC-USDT",
            numbers: [
                "67193", "67192.5", "67192.6", "67291.5", "68321.4", "66683.3", "1836.03034612",
                "124068431.06726933", nil,
            ]),
        Sample(
            venue: "coinbase", page: 0,
            body: """
                {"products":[{"product_id":"BTC-USD","price":"140.21","price_percentage_change_24h":"9.43",\
                "volume_24h":"1908432","base_increment":"0.00000001","alias":"","alias_to":["BTC-USDC"],\
                "approximate_quote_24h_volume":"1908432.5"},{"product_id":"BTC-USDC","price":"140.21",\
                "alias":"BTC-USD"}],"num_products":2}
                """,
            symbol: "BTC-USD",
            numbers: ["140.21", nil, nil, nil, nil, nil, "1908432", "1908432.5", "9.43"]),
        Sample(
            venue: "bitget", page: 0,
            body: """
                {"code":"00000","msg":"success","requestTime":1695808949356,"data":[{"open":"37202.46",\
                "symbol":"BTCUSDT","high24h":"37744.75","low24h":"36666","lastPr":"37583.62","quoteVolume":\
                "428123.5","baseVolume":"1234.25","usdtVolume":"428123.5","bidPr":"37583.60","askPr":\
                "37583.64","ts":"1695702438018","openUtc":"23856.72","change24h":"0.00069"}]}
                """,
            symbol: "SPOT:BTCUSDT",
            numbers: [
                "37583.62", "37583.6", "37583.64", "37202.46", "37744.75", "36666", "1234.25", "428123.5",
                nil,
            ]),
        Sample(
            venue: "bitget", page: 1,
            body: """
                {"code":"00000","msg":"success","requestTime":1695808949356,"data":[{"symbol":"ETHUSD",\
                "lastPr":"1829.3","askPr":"1829.8","bidPr":"1829.2","high24h":"1850","low24h":"1800",\
                "ts":"1695794098184","change24h":"-0.01",\
                "baseVolume":"22.5","quoteVolume":"41000.5","open24h":"1830"}]}
                """,
            symbol: "USDT-FUTURES:ETHUSD",
            numbers: ["1829.3", "1829.2", "1829.8", "1830", "1850", "1800", "22.5", "41000.5", nil]),
    ]

    static let pairs = """
        {"error":[],"result":{"XXBTZUSD":{"altname":"XBTUSD","wsname":"XBT/USD"},\
        "XDGUSD":{"altname":"XDGUSD","wsname":"XDG/USD"}}}
        """

    private static func tickers(_ name: String) throws -> VenueTickers {
        let description = try VenueCatalogue.standard.description(of: Venue(rawValue: name))
        var tickers = try #require(VenueTickers(VenueConfiguration(description)))
        let isNamed = tickers.namesURL == nil || bytes(pairs) { tickers.takeNames($0) }
        #expect(isNamed)
        return tickers
    }

    private static func bytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private static func numbers(_ ticker: MarketTicker) -> [String?] {
        [
            ticker.last.description, ticker.bid?.description, ticker.ask?.description,
            ticker.open?.description, ticker.high?.description, ticker.low?.description,
            ticker.baseVolume?.description, ticker.quoteVolume?.description,
            ticker.changePercent?.description,
        ]
    }

    @Test("gives each number exactly", arguments: samples)
    func reads(_ sample: Sample) throws {
        let tickers = try Self.tickers(sample.venue)
        let rows = try #require(Self.bytes(sample.body) { tickers.read($0, of: sample.page) })
        let ticker = try #require(rows.tickers.first)
        #expect(rows.tickers.count == 1 && rows.unreadable == 0 && rows.isWhole)
        #expect(ticker.symbol == sample.symbol)
        #expect(Self.numbers(ticker) == sample.numbers)
    }

    /// The same answer with rows before its first that no venue says.
    private static func broken(_ sample: Sample) throws -> String {
        let names = ["lastPrice", "lastPr", "last", "price"]
        if sample.venue == "kraken" {
            return sample.body.replacing(
                "\"XXBTZUSD\":", with: "\"XDGUSD\":{\"c\":[\"0.1\"],\"v\":\"none\"},\"XXBTZUSD\":")
        }
        let name = try #require(names.first { sample.body.contains("\"\($0)\":") })
        return sample.body.replacing(
            "[{", with: "[{\"\(name)\":\"12x\"},{\"\(name)\":[1,{\"a\":2}]},\"nothing\",{",
            maxReplacements: 1)
    }

    @Test("an unreadable row costs itself and is counted", arguments: samples)
    func badRows(_ sample: Sample) throws {
        let tickers = try Self.tickers(sample.venue)
        let body = try Self.broken(sample)
        let rows = try #require(Self.bytes(body) { tickers.read($0, of: sample.page) })
        #expect(rows.tickers.map(\.symbol) == [sample.symbol])
        #expect(rows.unreadable == (sample.venue == "kraken" ? 1 : 3))
        #expect(rows.isWhole)
    }

    @Test("an answer that breaks off keeps what came, and is not whole", arguments: samples)
    func truncated(_ sample: Sample) throws {
        let tickers = try Self.tickers(sample.venue)
        for length in 0..<sample.body.utf8.count {
            let part = String(decoding: Array(sample.body.utf8.prefix(length)), as: UTF8.self)
            let rows = Self.bytes(part) { tickers.read($0, of: sample.page) }
            #expect(rows?.isWhole != true)
            #expect(rows.map { $0.tickers.count <= 1 } ?? true)
        }
        // Of a plain array what came is kept; others say only at their end whether they are an answer.
        guard sample.body.first == "[" else { return }
        let end = Self.bytes(String(sample.body.dropLast())) { tickers.read($0, of: sample.page) }
        #expect(end?.tickers.map(\.symbol) == [sample.symbol])
    }

    @Test("a market without a price is left out and no fault")
    func silent() throws {
        let tickers = try Self.tickers("binance")
        let body = """
            [{"symbol":"NEWUSDT","lastPrice":"0.00000000","openPrice":"0.00000000","volume":"0"},\
            {"symbol":"OLDUSDT","lastPrice":"1.5","highPrice":"0","volume":""}]
            """
        let rows = try #require(Self.bytes(body) { tickers.read($0, of: 0) })
        #expect(rows.tickers.map(\.symbol) == ["OLDUSDT"] && rows.unreadable == 0)
        #expect(rows.tickers[0].high == nil && rows.tickers[0].baseVolume == nil)
    }

    @Test("what is no list of markets is none", arguments: ["{}", "", "[", "null", "{\"code\":-1003}"])
    func refusals(_ body: String) throws {
        for venue in ["binance", "okx", "bybit", "gateio", "kucoin", "coinbase", "bitget"] {
            let tickers = try Self.tickers(venue)
            let rows = Self.bytes(body) { tickers.read($0, of: 0) }
            #expect(rows == nil)
        }
    }

    @Test("Binance pushes what changed")
    func stream() throws {
        let tickers = try Self.tickers("binance-usdm")
        #expect(tickers.streamURL == "wss://fstream.binance.com/market/ws/!miniTicker@arr")
        #expect(tickers.period == 60_000_000_000 && tickers.silentPeriod == 10_000_000_000)
        let message = """
            [{"e":"24hrMiniTicker","E":1672515782136,"s":"BNBUSDT","c":"0.0025","o":"0.0010","h":"0.0025",\
            "l":"0.0010","v":"10000","q":"18"},{"e":"24hrMiniTicker","s":"BTCUSDT","c":"x"}]
            """
        let rows = try #require(Self.bytes(message) { tickers.readStream($0) })
        let ticker = try #require(rows.tickers.first)
        #expect(ticker.venueTime == Timestamp(milliseconds: 1_672_515_782_136))
        #expect(
            Self.numbers(ticker) == ["0.0025", nil, nil, "0.001", "0.0025", "0.001", "10000", "18", nil])
        #expect(rows.unreadable == 1)
        let answer = try #require(Self.bytes("{\"result\":null,\"id\":1}") { tickers.readStream($0) })
        #expect(answer.tickers.isEmpty)
    }

    @Test("Kraken's pairs are those of its interface, and unknown ones are counted")
    func names() throws {
        let description = try VenueCatalogue.standard.description(of: .kraken)
        var configuration = VenueConfiguration(description)
        configuration.krakenInterface = .v1
        var tickers = try #require(VenueTickers(configuration))
        let sample = try #require(Self.samples.first { $0.venue == "kraken" })
        let early = Self.bytes(sample.body) { tickers.read($0, of: 0) }
        #expect(early == nil && !tickers.isNamed)
        let refused = Self.bytes("{\"error\":[\"EGeneral\"]}") { tickers.takeNames($0) }
        let taken = Self.bytes(Self.pairs) { tickers.takeNames($0) }
        #expect(!refused && taken)
        let body = sample.body.replacing(
            "\"XXBTZUSD\":", with: "\"NEWUSD\":{\"c\":[\"0.1\",\"1\"]},\"XXBTZUSD\":")
        let rows = try #require(Self.bytes(body) { tickers.read($0, of: 0) })
        #expect(rows.tickers.map(\.symbol) == ["XBT/USD"] && rows.unnamed == 1)
    }

    @Test("a closed venue is asked at no address of its own")
    func closed() throws {
        let description = try VenueCatalogue.standard.description(of: Venue(rawValue: "okcoin"))
        var configuration = VenueConfiguration(description)
        #expect(VenueTickers(configuration) == nil)
        configuration.restURL = "http://127.0.0.1:7430/okcoin"
        #expect(VenueTickers(configuration)?.pages.count == 3)
    }
}
