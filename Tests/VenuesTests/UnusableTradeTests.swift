import Instruments
import MarketData
import Support
import Testing
import Venues

/// What is peculiar to venues; what holds for all of them is among the cases for every venue.
@Suite("Trades without a price or a size")
struct UnusableTradeTests {
    /// Source: Binance USD-M futures API documentation, "Trade Streams", and rows that the stream really has.
    @Test(
        "of Binance's futures are left out whatever else their row says, with a stream's name or raw",
        arguments: [("0", "0", "NA"), ("0.00", "0.000", "NA"), ("0", "1", "MARKET"), ("1", "0", "MARKET")])
    func binance(price: String, size: String, kind: String) throws {
        var driver = try SessionDriver(.replay(of: .binanceUSDM))
        func row(_ price: String, _ size: String, _ kind: String) -> String {
            #"{"e":"trade","E":1722000000001,"T":1722000000000,"s":"BTCUSDT","t":5,"p":"\#(price)","#
                + #""q":"\#(size)","X":"\#(kind)","m":true}"#
        }
        let raw = row(price, size, kind)
        #expect(driver.receive(raw).isEmpty)
        let named = try #require(driver.output.latestUnusable)
        #expect(named.id == "5" && driver.session.registry[named.instrument].symbol == "BTCUSDT")
        #expect(driver.receive(#"{"stream":"btcusdt@trade","data":\#(raw)}"#).isEmpty)
        #expect(driver.output.counters.unusableTrades == 2 && driver.output.counters.malformed == 0)
        // Executions that were forced have a price and a size, and move the market as others do.
        for forced in ["INSURANCE_FUND", "ADL", "NA"] {
            #expect(tradeTexts(driver.receive(row("60000.10", "0.5", forced))) == ["60000.1×0.5"])
        }
        #expect(driver.output.counters.unusableTrades == 2)
    }

    @Test("in a page that is read again at finer scales are counted once")
    func finerPage() throws {
        var driver = try SessionDriver(.replay(of: .binance))
        func row(_ id: Int, _ price: String) -> String {
            #"{"a":\#(id),"p":"\#(price)","q":"1","f":1,"l":1,"T":1600000000000,"m":false}"#
        }
        let rows = [row(1, "5"), row(2, "0"), row(3, "5.1"), row(4, "-2"), row(5, "5.123")]
        let events = try driver.respond(
            "https://api.binance.com/api/v3/aggTrades?symbol=BTCUSDT&fromId=1&limit=1000",
            "[\(rows.joined(separator: ","))]")
        #expect(tradeTexts(events) == ["5×1", "5.1×1", "5.123×1"])
        #expect(driver.output.counters.unusableTrades == 2)
        #expect(driver.output.latestUnusable?.id == "4")
    }

    @Test("of an instrument that nobody asked for are not counted as its trades")
    func unwanted() throws {
        for venue in [Binance.usdm, BitMEX.description] {
            var configuration = VenueConfiguration(venue)
            configuration.subscriptions = [("BTCUSDT", [.book])]
            var driver = SessionDriver(configuration)
            let frame =
                venue.venue == .bitmex
                ? #"{"table":"trade","action":"insert","data":[{"timestamp":"2026-01-01T00:00:00.000Z","#
                    + #""symbol":"XBTUSD","side":"Buy","size":0,"price":0,"trdMatchID":"t"}]}"#
                : #"{"e":"trade","E":1,"T":1,"s":"BTCUSDT","t":5,"p":"0","q":"0","X":"NA","m":true}"#
            #expect(driver.receive(frame).isEmpty)
            #expect(driver.output.counters.unexpected == 1 && driver.output.counters.unusableTrades == 0)
        }
    }

    @Test("of Kraken's arrays are left out, on the socket and by REST")
    func krakenArrays() throws {
        var configuration = VenueConfiguration.replay(of: Kraken.description)
        configuration.krakenInterface = .v1
        var driver = SessionDriver(configuration)
        let rows = ["5541.2,0.158", "0,1", "5541.2,0.00000000", "-1,1", "6060.0,0.02"].map { text in
            let numbers = text.split(separator: ",")
            return #"["\#(numbers[0])","\#(numbers[1])","1534614057.321597","s","l",""]"#
        }.joined(separator: ",")
        let wanted = ["5541.2×0.158", "6060×0.02"]
        #expect(tradeTexts(driver.receive("[1,[\(rows)],\"trade\",\"XBT/USD\"]")) == wanted)
        #expect(driver.output.latestUnusable?.id == "")
        let fetched = try driver.respond(
            "https://api.kraken.com/0/public/Trades?pair=XBTUSD&since=1",
            #"{"error":[],"result":{"XXBTZUSD":[\#(rows)],"last":"1534614057321597"}}"#)
        #expect(tradeTexts(fetched) == wanted)
        #expect(driver.output.counters.unusableTrades == 6 && driver.output.counters.malformed == 0)
    }

    @Test("are none of the equals that Kraken's ids count")
    func krakenOrdinals() throws {
        let trade = #"["5541.2","0.158","1534614057.321597","s","l",""]"#
        // More than are remembered, all different.
        let others = (1...100).map { #"["\#($0)","0","1534614057.321597","s","l",""]"# }
        let frame = "[1,[\(([trade] + others + [trade]).joined(separator: ","))],\"trade\",\"XBT/USD\"]"
        var driver = try SessionDriver(.replay(of: .kraken))
        let ids = driver.receive(frame).compactMap { event in
            if case .trade(_, let trade) = event { trade.id } else { nil }
        }
        #expect(ids.count == 2 && Set(ids).count == 2, "\(ids)")
        #expect(driver.output.counters.unusableTrades == 100)
    }

    @Test("make no scale finer", arguments: [Kraken.description, BitMEX.description])
    func scales(of venue: VenueDescription) throws {
        let isKraken = venue.venue == .kraken
        let symbol = isKraken ? "BTC/USD" : "XBTUSD"
        var driver = SessionDriver(VenueConfiguration.replay(of: venue))
        func frame(_ price: String, _ size: String) -> String {
            isKraken
                ? #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"buy","price":\#(price),"#
                    + #""qty":\#(size),"trade_id":1,"timestamp":"2026-01-01T00:00:00.000000Z"}]}"#
                : #"{"table":"trade","action":"insert","data":[{"timestamp":"2026-01-01T00:00:00.000Z","#
                    + #""symbol":"XBTUSD","side":"Buy","size":\#(size),"price":\#(price),"trdMatchID":"t"}]}"#
        }
        #expect(tradeTexts(driver.receive(frame("100.5", "2"))) == ["100.5×2"])
        let index = try #require(driver.session.registry.find(symbol))
        let before = try #require(driver.session.book(of: index))
        #expect(driver.receive(frame("100.123456", "-0.00000001")).isEmpty)
        #expect(driver.receive(frame("-0.123456", "0.5")).isEmpty)
        let after = try #require(driver.session.book(of: index))
        #expect(after.priceScale == before.priceScale && after.sizeScale == before.sizeScale)
        #expect(driver.output.counters.unusableTrades == 2)
    }
}
