import Instruments
import JSON
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

/// Of venues of whose books each message is the whole.
@Suite("Words of venues that say whole books")
struct WholeBookWordsTests {
    private static func scene(_ venue: String, _ frames: [String]) throws -> PlaybackFixture {
        let entries = frames.enumerated().map { Tape.message(100 * Int64($0 + 1), $1) }
        return try PlaybackFixture(entries, Venue(rawValue: venue))
    }

    @Test("HTX: one topic is answered at a time, and the venue's own pings reach who listens")
    func huobi() throws {
        let book =
            #"{"ch":"market.btcusdt.depth.step0","ts":1,"tick":{"bids":[[9.5E-7,2]],"asks":[[1E-6,3]],"ts":1}}"#
        let scene = try Self.scene("huobi", [book, #"{"ping":7}"#])
        #expect((scene.playback.dialect as? HuobiDialect)?.followsChanges == false)
        #expect(scene.join(1, "/ws"))
        scene.say(1, #"{"sub":"market.nope.depth.step0","id":"1"}"#)
        #expect(try #require(scene.taken(1).first).contains(#""err-msg":"invalid symbol""#))
        scene.say(1, #"{"sub":"market.btcusdt.depth.step0","id":"2"}"#)
        let answer = #"{"id":"2","status":"ok","subbed":"market.btcusdt.depth.step0""#
        #expect(try #require(scene.taken(1).first).hasPrefix(answer))
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == [book, #"{"ping":7}"#])
        scene.say(1, #"{"pong":7}"#)
        #expect(scene.taken(1) == [])
        scene.ask(1, "/market/depth?symbol=btcusdt&type=step0")
        #expect(
            try #require(scene.body(1)).contains(#""bids":[[0.00000095,2]],"asks":[[0.00000100,3]]"#))
    }

    @Test("HTX: with changes the image is asked for on the connection")
    func huobiChanges() throws {
        func change(_ last: Int, _ bids: String) -> String {
            #"{"ch":"market.btcusdt.mbp.150","ts":1,"tick":{"seqNum":\#(last + 1),"prevSeqNum":\#(last),"#
                + #""bids":\#(bids),"asks":[]}}"#
        }
        let image =
            #"{"id":"1","rep":"market.btcusdt.mbp.150","status":"ok","ts":1,"data":{"seqNum":5,"#
            + #""bids":[[10,1]],"asks":[[11,1]]}}"#
        let scene = try Self.scene("huobi", [change(4, "[[10,1]]"), image, change(5, "[[10,4]]")])
        #expect((scene.playback.dialect as? HuobiDialect)?.followsChanges == true)
        #expect(scene.join(1, "/feed"))
        let topic = "market.btcusdt.mbp.150"
        scene.say(1, #"{"sub":"\#(topic)","id":"1"}"#)
        _ = scene.taken(1)
        scene.say(1, #"{"req":"\#(topic)","id":"2"}"#)
        #expect(try #require(scene.taken(1).first).contains(#""err-code":"too-many-request""#))
        scene.pass(milliseconds: 1_000)
        _ = scene.taken(1)
        scene.say(1, #"{"req":"\#(topic)","id":"3"}"#)
        let answer = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(answer["rep"]?.text == topic)
        #expect(answer["data"]?["seqNum"]?.integer == 6)
        #expect(answer["data"]?["bids"]?.elements.first?.elements.map(\.text) == ["10", "4"])
    }

    @Test("Upbit: a list replaces the one before it, in either format")
    func upbit() throws {
        func book(_ code: String) -> String {
            #"{"ty":"orderbook","cd":"\#(code)","tms":1,"obu":[{"ap":127.0,"bp":126.0,"as":2.5,"bs":3.0}],"#
                + #""st":"REALTIME"}"#
        }
        let scene = try Self.scene("upbit", [book("KRW-A"), book("KRW-B"), book("KRW-A"), book("KRW-B")])
        #expect(scene.join(1, "/websocket/v1"))
        scene.say(1, "PING")
        #expect(scene.taken(1) == [#"{"status":"UP"}"#])
        scene.say(1, #"[{"ticket":"t"},{"type":"orderbook","codes":["KRW-A","KRW-B"]}]"#)
        scene.pass(milliseconds: 100)
        #expect(scene.taken(1) == [book("KRW-A"), book("KRW-B")])
        scene.say(1, #"[{"ticket":"t"},{"type":"orderbook","codes":["KRW-B"]}]"#)
        let image = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(image["code"]?.text == "KRW-B")
        #expect(image["orderbook_units"]?.elements.first?["bid_size"]?.text == "3")
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == [book("KRW-B")])
        scene.say(1, "nonsense")
        #expect(try #require(scene.taken(1).first).contains("WRONG_FORMAT"))
    }

    private static let images = ["101", "102"].map { price in
        #"{"channel":"l2Book","data":{"coin":"BTC","time":1,"levels":[[{"px":"100","sz":"2.5","n":1}],"#
            + #"[{"px":"\#(price)","sz":"1","n":2}]]}}"#
    }

    @Test("Hyperliquid: a subscription is repeated in its answer, and questions are posted")
    func hyperliquid() throws {
        let scene = try Self.scene("hyperliquid", Self.images)
        #expect(scene.join(1, "/ws"))
        let wanted = #""subscription":{"type":"l2Book","coin":"BTC"}"#
        scene.say(1, #"{"method":"subscribe",\#(wanted)}"#)
        #expect(
            scene.taken(1)
                == [#"{"channel":"subscriptionResponse","data":{"method":"subscribe",\#(wanted)}}"#])
        scene.say(1, #"{"method":"subscribe","subscription":{"type":"l2Book","coin":"NOPE"}}"#)
        #expect(try #require(scene.taken(1).first).contains("Invalid subscription"))
        scene.say(1, #"{"method":"ping"}"#)
        #expect(scene.taken(1) == [#"{"channel":"pong"}"#])
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == Self.images)
        scene.ask(1, "/info", posting: #"{"type":"l2Book","coin":"BTC"}"#)
        #expect(try #require(scene.body(1)).contains(#"[{"px":"102","sz":"1.0","n":1}]"#))
        scene.ask(2, "/info", posting: #"{"type":"meta"}"#)
        #expect(scene.body(2) == #"{"universe":[{"name":"BTC","szDecimals":1}]}"#)
        scene.ask(3, "/info")
        #expect(scene.answers[3]?.status == 422)
    }

    @Test("Hyperliquid: our session is live, and an audit agrees")
    func session() throws {
        let client = try SessionClient(try Self.scene("hyperliquid", Self.images).playback)
        client.run(milliseconds: 1_000)
        #expect(try client.state("BTC") == .live)
        #expect(client.output.counters.refused == 0)
        let index = try #require(client.session.registry.find("BTC"))
        let request = try #require(client.session.auditRequest(for: index))
        client.scene.ask(99, "/info", posting: request.body)
        let body = try #require(client.scene.answers[99]?.body)
        let audited = try #require(body.withUnsafeBytes { client.session.auditBook($0, for: index) })
        #expect(ExpectedBooks.best(audited) == ["100 2.5", "102 1"])
        #expect(ExpectedBooks.best(try client.book("BTC")) == ["100 2.5", "102 1"])
    }
}
