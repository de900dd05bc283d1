import Instruments
import MarketData
import Testing

@testable import Venues

/// What is asked for where several kinds of data come as one, and where several instruments share a topic.
@Suite("Subscriptions to derivatives")
struct DerivativeSubscriptionTests {
    typealias Wants = [(symbol: String, channels: Set<VenueChannel>)]

    private func opened(_ venue: VenueDescription, _ wants: Wants, connection: Int = 0) -> SessionDriver {
        var configuration = VenueConfiguration(venue)
        configuration.subscriptions = wants
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        for place in 0...connection {
            driver.output.removeAll()
            driver.session.opened(connection: place, at: driver.clock, into: &driver.output)
        }
        return driver
    }

    private func follow(_ wants: Wants, _ driver: inout SessionDriver) -> [String] {
        driver.output.removeAll()
        driver.session.follow(wants, at: driver.clock, into: &driver.output)
        return driver.sent
    }

    @Test("Binance's mark price and state are one stream, which stays as long as either is wanted")
    func binance() {
        var driver = opened(Binance.usdm, [("BTCUSDT", [.mark])], connection: 1)
        #expect(follow([("BTCUSDT", [.mark, .derivative])], &driver).isEmpty)
        #expect(follow([("BTCUSDT", [.derivative])], &driver).isEmpty)
        #expect(
            follow([("BTCUSDT", [.liquidation])], &driver) == [
                #"{"method":"UNSUBSCRIBE","params":["btcusdt@markPrice@1s"],"id":1}"#,
                #"{"method":"SUBSCRIBE","params":["btcusdt@forceOrder"],"id":2}"#,
            ])
    }

    @Test("Spot markets are asked for none of it", arguments: [Binance.spot, Bybit.spot, Gateio.spot])
    func spot(_ venue: VenueDescription) {
        let driver = opened(venue, [("BTCUSDT", [.derivative, .liquidation])])
        #expect(driver.sent.isEmpty)
    }

    @Test("Binance is asked for the open interest of those that it speaks of, in turn, once a minute")
    func openInterest() {
        let symbols = ["BTCUSDT", "ETHUSDT"]
        var driver = opened(Binance.usdm, symbols.map { ($0, [.derivative]) }, connection: 1)
        func asked(after seconds: Int64) -> [String] {
            driver.tick(after: seconds * 1_000_000_000)
            return driver.output.actions.compactMap { action in
                if case .request(let request) = action { request.url } else { nil }
            }
        }
        #expect(asked(after: 1).isEmpty)
        for symbol in symbols {
            driver.receive(
                #"{"stream":"\#(symbol.lowercased())@markPrice@1s","data":{"e":"markPriceUpdate","#
                    + #""E":1562305380000,"s":"\#(symbol)","p":"1","i":"1","P":"1","r":"0","T":0}}"#)
        }
        let route = "https://fapi.binance.com/fapi/v1/openInterest?symbol="
        #expect(asked(after: 1) == [route + "BTCUSDT"])
        #expect(asked(after: 1).isEmpty)
        #expect(asked(after: 29) == [route + "ETHUSDT"])
        #expect(asked(after: 30) == [route + "BTCUSDT"])
    }

    @Test("OKX's index prices go by pair, liquidations by kind: each is asked for once, till the last goes")
    func okx() {
        let swaps = ["BTC-USDT-SWAP", "BTC-USDT-261225"]
        let all: Set<VenueChannel> = [.derivative, .liquidation]
        var driver = opened(OKX.description, swaps.map { ($0, all) } + [("BTC-USDT", all)])
        let text = driver.sent.joined()
        func count(_ part: String) -> Int { text.ranges(of: part).count }
        #expect(count(#""channel":"index-tickers","instId":"BTC-USDT""#) == 1)
        #expect(count(#""channel":"liquidation-orders","instType":"SWAP""#) == 1)
        #expect(count(#""channel":"liquidation-orders","instType":"FUTURES""#) == 1)
        #expect(count(#""channel":"funding-rate""#) == 1 && count(#""channel":"mark-price""#) == 2)
        #expect(count(#""channel":"open-interest""#) == 2 && count("SPOT") == 0)
        driver.receive(
            #"{"event":"subscribe","arg":{"channel":"index-tickers","instId":"BTC-USDT"},"connId":"a"}"#)
        driver.receive(
            #"{"event":"subscribe","arg":{"channel":"liquidation-orders","instType":"SWAP"},"connId":"a"}"#)
        // Both hear of the index.
        let events = driver.receive(
            #"{"arg":{"channel":"index-tickers","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","#
                + #""idxPx":"37285.1","ts":"1597026383085"}]}"#)
        #expect(derivatives(events) == ["index 37285.1", "index 37285.1"])
        let gone = follow([(swaps[1], all), ("BTC-USDT", all)], &driver).joined()
        #expect(!gone.contains("index-tickers") && gone.contains(#""instType":"SWAP""#))
        #expect(gone.contains(#""channel":"funding-rate","instId":"BTC-USDT-SWAP""#))
        #expect(!gone.contains("FUTURES") && !gone.contains(#""op":"subscribe""#))
        #expect(follow([], &driver).joined().contains("index-tickers"))
    }

    @Test(
        "reads figures that are exact where they fit, rounds binary fractions, and passes over what is none",
        arguments: [
            ("\"0.00010000\"", "0.0001"), ("-1.2345678901234567e-07", "-0.000000123456789012"),
            ("2216113.01000000009", "2216113.01000000009"),
            ("12345678901234.123456789", "12345678901234.12346"),
            ("\"\"", "-"), ("null", "-"), ("\"N/A\"", "-"), ("true", "-"), ("{\"a\":[1]}", "-"),
            ("123456789012345678901234567890", "-"), ("0E-7", "0"),
        ])
    func figures(_ text: String, _ number: String) throws {
        var text = text + ","
        try text.withUTF8 { bytes in
            var scanner = try #require(JSONScanner(UnsafeRawBufferPointer(bytes)))
            #expect(try scanner.figure()?.description ?? "-" == number)
            // What stands behind it is read next.
            #expect(try scanner.peek() == 0x2C)
        }
    }

    @Test(
        "reads moments in milliseconds and as ISO 8601",
        arguments: [
            ("\"1700726400000\"", 1_700_726_400), ("1700726400000.0", 1_700_726_400),
            ("\"2021-07-23T04:00:00.000Z\"", 1_627_012_800), ("0", nil), ("\"\"", nil), ("null", nil),
            ("\"soon\"", nil), ("-5", nil),
        ])
    func moments(_ text: String, _ seconds: Int64?) throws {
        var text = text + " "
        try text.withUTF8 { bytes in
            var scanner = try #require(JSONScanner(UnsafeRawBufferPointer(bytes)))
            #expect(try scanner.moment()?.nanoseconds == seconds.map { $0 * 1_000_000_000 })
        }
    }
}
