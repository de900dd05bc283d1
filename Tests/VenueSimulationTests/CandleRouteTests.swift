import Instruments
import MarketData
import MarketState
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

@Suite("Candle routes of the simulator")
struct CandleRouteTests {
    private static func trade(_ time: String, _ price: String, _ size: Int, _ id: String) -> String {
        #"{"table":"trade","action":"insert","data":[{"timestamp":"\#(time)","symbol":"XBTUSD","side":"Buy","#
            + #""size":\#(size),"price":\#(price),"trdMatchID":"\#(id)"}]}"#
    }

    /// A minute that the recording begins in, one with two trades, one without any, one with one.
    private static let entries: [RecordingEntry] = [
        Tape.message(100, BitMEXPlaybackFixture.partial),
        Tape.message(10_000, trade("1970-01-01T00:00:10.000Z", "99", 1, "a")),
        Tape.message(70_000, trade("1970-01-01T00:01:10.000Z", "100.5", 3, "b")),
        Tape.message(80_000, trade("1970-01-01T00:01:20.000Z", "100", 2, "c")),
        Tape.message(200_000, trade("1970-01-01T00:03:20.000Z", "101", 4, "d")),
        Tape.message(250_000, trade("1970-01-01T00:04:10.000Z", "102", 5, "e")),
    ]

    private static func scene() throws -> PlaybackFixture {
        let scene = try PlaybackFixture(entries, .bitmex)
        scene.playback = Playback(
            {
                var script = scene.playback.script
                script.started = Timestamp(nanoseconds: 1)
                return script
            }(), source: ListSource(entries), speed: .times(1), loops: false)
        #expect(scene.join(1, "/realtime?subscribe=orderBookL2:XBTUSD,trade:XBTUSD"))
        scene.pass(milliseconds: 260_000)
        return scene
    }

    @Test("BitMEX's buckets are the whole and finished ones, empty ones included, and named by their end")
    func bitmex() throws {
        let scene = try Self.scene()
        scene.ask(1, "/api/v1/trade/bucketed?binSize=1m&symbol=XBTUSD&count=2")
        #expect(
            scene.body(1)
                == #"[{"timestamp":"1970-01-01T00:02:00.000Z","symbol":"XBTUSD","open":100.5,"high":100.5,"low":100,"close":100,"trades":2,"volume":5},"#
                + #"{"timestamp":"1970-01-01T00:03:00.000Z","symbol":"XBTUSD","open":100,"high":100,"low":100,"close":100,"trades":0,"volume":0}]"#
        )
        // The fifth minute is still open.
        scene.ask(2, "/api/v1/trade/bucketed?binSize=1m&symbol=XBTUSD&startTime=1970-01-01T00:04:00.000Z")
        let last = try #require(scene.body(2))
        #expect(last.contains(#""open":101"#) && !last.contains(#""open":102"#))
        scene.ask(3, "/api/v1/trade/bucketed?binSize=7m&symbol=XBTUSD")
        #expect(scene.answers[3]?.status == 400)
        scene.ask(4, "/api/v1/trade/bucketed?binSize=1m&symbol=NONE")
        #expect(scene.body(4) == "[]")
    }

    @Test("what a client's history reads is what the recording's trades add up to")
    func roundTrip() throws {
        let scene = try Self.scene()
        let history = try #require(VenueCandleHistory(venue: .bitmex, restURL: ""))
        let page = history.page(
            of: "XBTUSD", seconds: 60, from: .zero, to: Timestamp(nanoseconds: 600_000_000_000))
        scene.ask(1, page.url)
        let body = try #require(scene.answers[1]?.body)
        let candles = try body.withUnsafeBytes {
            try history.parse($0, of: page, at: Timestamp(nanoseconds: 600_000_000_000))
        }
        #expect(candles.map { $0.start.nanoseconds / 60_000_000_000 } == [1, 2, 3])
        #expect(candles.map(\.tradeCount) == [2, 0, 1])
        #expect(candles.map(\.volume) == [Amount(units: 5), .zero, Amount(units: 4)])
    }

    @Test("Binance gives the venue's own recorded candle where there is one")
    func binance() throws {
        let kline =
            #"{"stream":"bnbbtc@kline_1m","data":{"e":"kline","E":60001,"s":"BNBBTC","k":{"t":0,"T":59999,"s":"BNBBTC","#
            + #""i":"1m","f":1,"L":9,"o":"0.0010","c":"0.0020","h":"0.0025","l":"0.0005","v":"1000","n":9,"x":true,"#
            + #""q":"1.5000","V":"500","Q":"0.500","B":"0"}}}"#
        let entries = [Tape.message(60_001, kline), Tape.message(60_002, kline)]
        let scene = try PlaybackFixture(entries, .binance)
        #expect(scene.join(1, "/stream?streams=bnbbtc@kline_1m"))
        scene.pass(milliseconds: 61_000)
        scene.ask(1, "/api/v3/klines?symbol=BNBBTC&interval=1m")
        #expect(
            scene.body(1)
                == #"[[0,"0.0010","0.0025","0.0005","0.0020","1000",59999,"1.5000",9,"500","0.500","0"]]"#)
        scene.ask(2, "/api/v3/klines?symbol=BNBBTC&interval=2m")
        #expect(scene.answers[2]?.status == 400)
    }

    @Test("Kraken's answer ends with the row that is open, and is read without it")
    func kraken() throws {
        var tape = CandleTape(keepsSeconds: false)
        for (second, price) in [(5, 100), (65, 110), (125, 120)] as [(Int64, Int64)] {
            let time = Timestamp(nanoseconds: second * 1_000_000_000)
            tape.add(
                Trade(
                    id: "\(second)", side: .buy, price: Price(price), size: Quantity(7), priceScale: .zero,
                    sizeScale: .zero, venueTime: time, receivedTime: time), of: "BTC/USD")
        }
        let position = Timestamp(nanoseconds: 130_000_000_000)
        let query = CandleQuery(symbol: "BTC/USD", interval: .minute, limit: 720, takesNewest: true)
        let body = KrakenREST.candles(tape.candles(query, from: .zero, at: position), query)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"error":[],"result":{"XBTUSD":[[0,"100","100","100","100","100","7",1],"#
                + #"[60,"110","110","110","110","110","7",1],[120,"120","120","120","120","120","7",1]],"last":60}}"#
        )
        let history = try #require(VenueCandleHistory(venue: .kraken))
        let page = history.page(of: "BTC/USD", seconds: 60, from: .zero, to: position)
        let candles = try body.withUnsafeBytes { try history.parse($0, of: page, at: position) }
        #expect(candles.map(\.open.units) == [100, 110])
    }
}
