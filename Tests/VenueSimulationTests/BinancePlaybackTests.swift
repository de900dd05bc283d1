import Instruments
import Recordings
import Support
import Testing

@testable import VenueSimulation

@Suite("Binance playback")
struct BinancePlaybackTests {
    // Source: Binance API documentation, "How to manage a local order book correctly".
    private static func depth(_ first: Int, _ last: Int, _ bids: String) -> String {
        #"{"stream":"bnbbtc@depth@100ms","data":{"e":"depthUpdate","E":123456789,"s":"BNBBTC","#
            + #""U":\#(first),"u":\#(last),"b":[\#(bids)],"a":[]}}"#
    }
    private static func trade(_ id: Int) -> String {
        #"{"stream":"bnbbtc@aggTrade","data":{"e":"aggTrade","E":123456789,"s":"BNBBTC","a":\#(id),"p":"0.001","#
            + #""q":"100","f":1,"l":1,"T":\#(id)000,"m":true,"M":true}}"#
    }
    private static let body =
        #"{"lastUpdateId":160,"bids":[["0.0024","10"],["0.0022","4"]],"asks":[["0.0026","100"]]}"#
    private static let image = Tape.answer(
        300, "https://api.binance.com/api/v3/depth?symbol=BNBBTC&limit=1000", body)
    private static let entries: [RecordingEntry] = [
        Tape.message(100, depth(157, 160, #"["0.0024","10"]"#)), Tape.message(200, trade(5)), image,
        Tape.message(400, depth(161, 165, #"["0.0023","7"]"#)), Tape.message(500, trade(6)),
        Tape.message(600, depth(166, 170, #"["0.0024","0"]"#)),
    ]
    private static let streams = "/stream?streams=bnbbtc@depth@100ms/bnbbtc@aggTrade"

    @Test(
        "starts with the connection, whose address names the streams, behind a root or without",
        arguments: ["", "/public", "/market"])
    func connect(root: String) throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        #expect(scene.join(1, root + Self.streams))
        scene.pass(milliseconds: 150)
        #expect(scene.taken(1) == [Self.depth(157, 160, #"["0.0024","10"]"#), Self.trade(5)])
    }

    @Test("holds at the recorded image until a client has asked for it, and hands it on as it is")
    func holds() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        _ = scene.join(1, Self.streams)
        scene.pass(milliseconds: 1_500)
        #expect(scene.taken(1).count == 2)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        #expect(scene.answers.isEmpty)
        scene.pass(milliseconds: 0)
        #expect(scene.body(1) == Self.body)
        scene.pass(milliseconds: 99)
        #expect(scene.taken(1) == [])
        scene.pass(milliseconds: 1)
        #expect(scene.taken(1).count == 1)
    }

    @Test("a request that comes early waits for the image's position")
    func early() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        _ = scene.join(1, Self.streams)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        scene.pass(milliseconds: 199)
        #expect(scene.answers.isEmpty)
        scene.pass(milliseconds: 1)
        #expect(scene.body(1) == Self.body)
    }

    @Test("goes on after two seconds; later requests get the book at the playback position")
    func later() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        _ = scene.join(1, Self.streams)
        scene.pass(milliseconds: 2_199)
        #expect(scene.taken(1).count == 2)
        scene.pass(milliseconds: 101)
        #expect(scene.taken(1).count == 1)
        scene.ask(1, "/api/v3/depth?symbol=bnbbtc&limit=1000")
        let book =
            #""bids":[["0.00240000","10.00000000"],["0.00230000","7.00000000"],["0.00220000","4.00000000"]]"#
        #expect(
            scene.body(1) == #"{"lastUpdateId":165,\#(book),"asks":[["0.00260000","100.00000000"]]}"#)
        scene.ask(2, "/api/v3/depth?symbol=BNBBTC&limit=1")
        #expect(try #require(scene.body(2)).contains(#""bids":[["0.00240000","10.00000000"]],"#))
    }

    @Test("who asks and goes does not hold anybody up")
    func withdrawn() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        _ = scene.join(1, Self.streams)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        scene.playback.withdraw(1)
        scene.pass(milliseconds: 5_000)
        #expect(scene.answers.isEmpty)
        #expect(scene.playback.hasEnded)
    }

    @Test("says what it does not have as the venue does")
    func missing() throws {
        let scene = try PlaybackFixture(Array(Self.entries.filter { $0.kind == .ws }), .binance)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        #expect(scene.answers[1]?.status == 404)
        scene.ask(2, "/api/v3/depth?symbol=NOPE&limit=1000")
        #expect(scene.answers[2] == RESTAnswer(status: 400, #"{"code":-1121,"msg":"Invalid symbol."}"#))
        scene.ask(3, "/api/v3/time")
        #expect(scene.answers[3]?.status == 200)
        scene.ask(4, "/fapi/v1/depth?symbol=BNBBTC")
        #expect(scene.answers[4]?.status == 404)
        #expect(!scene.join(1, "/realtime"))
    }

    @Test("gives aggregated trades again from an id")
    func trades() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        _ = scene.join(1, Self.streams)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        scene.pass(milliseconds: 1_000)
        let row = #"{"a":6,"p":"0.001","q":"100","f":1,"l":1,"T":6000,"m":true,"M":true}"#
        scene.ask(2, "/api/v3/aggTrades?symbol=BNBBTC&fromId=6&limit=1000")
        #expect(scene.body(2) == "[\(row)]")
        scene.ask(3, "/api/v3/aggTrades?symbol=BNBBTC&limit=1")
        #expect(scene.body(3) == "[\(row)]")
        scene.ask(4, "/api/v3/historicalTrades?symbol=BNBBTC&fromId=6")
        #expect(scene.body(4) == "[]")
    }

    @Test("COIN-M futures have routes and terms of their own")
    func coinMargined() throws {
        let depth = Self.depth(157, 160, #"["0.0024","10"]"#)
            .replacing("BNBBTC", with: "BNBUSD_PERP").replacing("bnbbtc", with: "bnbusd_perp")
            .replacing(#""u":160"#, with: #""u":160,"pu":156"#)
        let scene = try PlaybackFixture([Tape.message(100, depth)], Venue(rawValue: "binance-coinm"))
        scene.ask(1, "/dapi/v1/exchangeInfo")
        let list = try #require(scene.body(1))
        #expect(list.contains(#""baseAsset":"BNB","quoteAsset":"USD","contractType":"PERPETUAL""#))
        #expect(list.contains(#""contractSize":10"#))
        scene.ask(2, "/fapi/v1/exchangeInfo")
        #expect(scene.answers[2]?.status == 404)
    }

    @Test("subscribes by messages, answers them together, and sends raw streams raw")
    func messages() throws {
        let scene = try PlaybackFixture(Self.entries, .binance)
        #expect(scene.join(1, "/ws"))
        scene.say(1, #"{"method":"SUBSCRIBE","params":["bnbbtc@trade","bnbbtc@depth@0ms"],"id":7}"#)
        #expect(scene.taken(1) == [#"{"result":null,"id":7}"#])
        scene.pass(milliseconds: 150)
        let raw = scene.taken(1)
        #expect(raw.count == 2)
        #expect(raw[1].hasPrefix(#"{"e":"aggTrade","E":123456789"#))
        scene.say(1, #"{"method":"UNSUBSCRIBE","params":["bnbbtc@trade","bnbbtc@depth"],"id":8}"#)
        #expect(scene.taken(1) == [#"{"result":null,"id":8}"#])
        scene.pass(milliseconds: 5_000)
        #expect(scene.taken(1) == [])
        scene.say(1, #"{"method":"DANCE","id":9}"#)
        #expect(scene.taken(1).first?.contains(#""code":2"#) ?? false)
    }

    @Test("at the end of a loop closes the connections, since numbers would go back")
    func loop() throws {
        let scene = try PlaybackFixture(Self.entries, .binance, loops: true)
        _ = scene.join(1, Self.streams)
        scene.ask(1, "/api/v3/depth?symbol=BNBBTC&limit=1000")
        scene.pass(milliseconds: 10_000)
        #expect(scene.closed == [1])
        _ = scene.taken(1)
        _ = scene.join(2, Self.streams)
        scene.pass(milliseconds: 0)
        #expect(scene.taken(2).count == 1)
    }
}
