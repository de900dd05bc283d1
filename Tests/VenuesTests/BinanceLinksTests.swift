import Instruments
import MarketData
import Testing

@testable import Venues

/// Addresses as in Binance's "Important WebSocket Change Notice" of USD-M futures.
@Suite("Binance's USD-M futures bring books on one connection and trades on another")
struct BinanceLinksTests {
    private static let stream = "wss://fstream.binance.com"

    private func driver(
        _ venue: VenueDescription, _ wants: [(symbol: String, channels: Set<VenueChannel>)]
    ) -> SessionDriver {
        var configuration = VenueConfiguration(venue)
        configuration.subscriptions = wants
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        return driver
    }

    private func opened(_ driver: SessionDriver) -> [String] {
        driver.output.actions.compactMap { action in
            if case .open(let connection, let url) = action { "\(connection) \(url)" } else { nil }
        }
    }

    private func sent(_ driver: SessionDriver) -> [String] {
        driver.output.actions.compactMap { action in
            if case .send(let connection, let text) = action { "\(connection) \(text)" } else { nil }
        }
    }

    @Test("each address has the root of its kind of data, other markets have one address without")
    func addresses() {
        let all: Set<VenueChannel> = [.book, .trade, .ticker, .candle, .mark]
        #expect(
            opened(driver(Binance.usdm, [("BTCUSDT", all)])) == [
                "0 \(Self.stream)/public/stream?streams=btcusdt@depth@100ms/btcusdt@bookTicker",
                "1 \(Self.stream)/market/stream?streams="
                    + "btcusdt@aggTrade/btcusdt@kline_1m/btcusdt@markPrice@1s",
            ])
        #expect(
            opened(driver(Binance.coinm, [("BTCUSD_PERP", [.book, .trade])])) == [
                "0 wss://dstream.binance.com/stream?streams=btcusd_perp@depth@100ms/btcusd_perp@aggTrade"
            ])
    }

    @Test("what is followed later is asked for on its own connection, once that is up")
    func following() {
        var driver = driver(Binance.usdm, [("BTCUSDT", [.book, .trade])])
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        #expect(sent(driver).isEmpty)
        driver.output.removeAll()
        driver.session.follow(
            [("BTCUSDT", [.book]), ("ETHUSDT", [.book, .trade])], at: driver.clock, into: &driver.output)
        #expect(sent(driver) == [#"0 {"method":"SUBSCRIBE","params":["ethusdt@depth@100ms"],"id":1}"#])
        driver.output.removeAll()
        driver.session.opened(connection: 1, at: driver.clock, into: &driver.output)
        #expect(
            sent(driver) == [
                #"1 {"method":"UNSUBSCRIBE","params":["btcusdt@aggTrade"],"id":2}"#,
                #"1 {"method":"SUBSCRIBE","params":["ethusdt@aggTrade"],"id":3}"#,
            ])
    }

    @Test("the end of the connection of trades leaves the books as they are")
    func endOfTape() throws {
        var driver = driver(Binance.usdm, [("BTCUSDT", [.book, .trade])])
        for connection in 0...1 {
            driver.session.opened(connection: connection, at: driver.clock, into: &driver.output)
        }
        try driver.respond(
            "\(Binance.usdm.restURL)/fapi/v1/depth?symbol=BTCUSDT&limit=1000",
            #"{"lastUpdateId":1,"E":1,"T":1,"bids":[["10","1"]],"asks":[["11","1"]]}"#)
        #expect(driver.state("BTCUSDT") == .live)
        driver.session.closed(connection: 1, at: driver.clock, into: &driver.output)
        #expect(driver.state("BTCUSDT") == .live)
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        #expect(driver.state("BTCUSDT") == .stale)
    }
}
