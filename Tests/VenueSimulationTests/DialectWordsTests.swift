import Instruments
import JSON
import Recordings
import Support
import Testing

@testable import VenueSimulation

/// How venues answer subscriptions, questions and signs of life.
///
/// Sources: the venues' documentation of these messages; answers of recordings.
@Suite("Words of more venues")
struct DialectWordsTests {
    private static func scene(_ venue: String, _ frames: [String]) throws -> PlaybackFixture {
        let entries = frames.enumerated().map { Tape.message(100 * Int64($0 + 1), $1) }
        return try PlaybackFixture(entries, Venue(rawValue: venue))
    }

    @Test("KuCoin: a token is posted for, a connection needs it, and a message is answered once")
    func kucoin() throws {
        let scene = try Self.scene(
            "kucoin",
            [#"{"type":"message","topic":"/market/ticker:BTC-USDT","subject":"t","data":{"price":"1"}}"#])
        scene.ask(1, "/api/v1/bullet-public")
        #expect(scene.answers[1]?.status == 405)
        scene.ask(2, "/api/v1/bullet-public", posting: "")
        let token = try #require(scene.answers[2].flatMap { JSONValue(message: $0.body) })
        #expect(token["data"]?["token"]?.text == "simulated")
        #expect(
            token["data"]?["instanceServers"]?.elements.first?["endpoint"]?.text?.hasPrefix("wss") == true)
        #expect(!scene.join(1, ""))
        #expect(scene.join(1, "?token=simulated&connectId=1"))
        #expect(scene.taken(1) == [#"{"id":"1","type":"welcome"}"#])
        scene.say(
            1, #"{"id":7,"type":"subscribe","topic":"/market/ticker:BTC-USDT,NO-PE","response":true}"#)
        let refusal =
            #"{"id":"7","type":"error","code":404,"data":"topic /market/ticker:NO-PE is not found"}"#
        #expect(scene.taken(1) == [refusal])
        // Nothing of a message that is refused is subscribed to.
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == [])
        scene.say(1, #"{"id":8,"type":"subscribe","topic":"/market/ticker:BTC-USDT","response":true}"#)
        #expect(scene.taken(1) == [#"{"id":"8","type":"ack"}"#])
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1).count == 1)
        scene.say(1, #"{"id":"9","type":"ping"}"#)
        #expect(try #require(scene.taken(1).first).hasPrefix(#"{"id":"9","type":"pong""#))
    }

    private static let gate =
        #"{"time":1,"channel":"spot.order_book_update","event":"update","result":{"t":1,"s":"BTC_USDT","#
        + #""U":8,"u":9,"b":[["1.5","2"]],"a":[]}}"#

    @Test("Gate: a subscription is answered with its number, and an unknown pair costs it")
    func gateio() throws {
        let scene = try Self.scene("gateio", [Self.gate])
        #expect(!scene.join(1, "/ws/v3"))
        #expect(scene.join(1, "/ws/v4/"))
        let book = #""channel":"spot.order_book_update""#
        scene.say(1, #"{"time":1,\#(book),"id":3,"event":"subscribe","payload":["NO_PE","100ms"]}"#)
        let refusal = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(refusal["id"]?.integer == 3)
        #expect(refusal["error"]?["message"]?.text == "unknown currency pair: NO_PE")
        #expect(refusal["result"]?["status"]?.text == "fail")
        scene.say(1, #"{"time":1,\#(book),"id":4,"event":"subscribe","payload":["BTC_USDT","100ms"]}"#)
        let answer = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(answer["result"]?["status"]?.text == "success")
        #expect(answer["error"] == .null)
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == [Self.gate])
        scene.say(1, #"{"time":1,"channel":"spot.ping"}"#)
        #expect(try #require(scene.taken(1).first).contains(#""channel":"spot.pong""#))
    }

    @Test("Gate: the image that changes wait for has the number of the last change")
    func gateioImage() throws {
        let later = Self.gate.replacing(#""U":8,"u":9"#, with: #""U":10,"u":12"#)
        let image = #"{"id":9,"current":1,"update":1,"asks":[["2","1"]],"bids":[["1.5","2"]]}"#
        let path = "/api/v4/spot/order_book?currency_pair=BTC_USDT&limit=100&with_id=true"
        let entries = [
            Tape.message(100, Self.gate), Tape.answer(150, "https://api.gateio.ws" + path, image),
            Tape.message(200, later),
        ]
        let scene = try PlaybackFixture(entries, Venue(rawValue: "gateio"))
        _ = scene.join(1, "/ws/v4/")
        scene.say(
            1,
            #"{"time":1,"channel":"spot.order_book_update","event":"subscribe","payload":["BTC_USDT","100ms"]}"#
        )
        scene.ask(1, path)
        scene.pass(milliseconds: 40)
        #expect(scene.answers[1] == nil)
        scene.pass(milliseconds: 500)
        #expect(scene.body(1) == image)
        scene.ask(2, path)
        let body = try #require(scene.answers[2].flatMap { JSONValue(message: $0.body) })
        #expect(body["id"]?.integer == 12)
        #expect(body["bids"]?.elements.count == 1)
    }

    @Test("Bitfinex: messages have each connection's own numbers, and channels go by theirs")
    func bitfinex() throws {
        let scene = try Self.scene(
            "bitfinex",
            [
                #"{"event":"subscribed","channel":"book","chanId":5,"symbol":"tBTCUSD","prec":"P0"}"#,
                #"{"event":"subscribed","channel":"trades","chanId":6,"symbol":"tBTCUSD"}"#,
                #"[5,[[100,1,2],[101,1,-3]],1]"#, #"[6,"te",[1,2,3,100],2]"#, #"[5,"hb",3]"#,
                #"[5,[100,2,7],4]"#,
            ])
        #expect(scene.join(1, "/ws/2"))
        #expect(try #require(scene.taken(1).first).contains(#""event":"info""#))
        scene.say(1, #"{"event":"conf","flags":196608}"#)
        #expect(scene.taken(1) == [#"{"event":"conf","status":"OK","flags":65536}"#])
        scene.say(1, #"{"event":"subscribe","channel":"book","symbol":"tNOPE"}"#)
        #expect(try #require(scene.taken(1).first).contains(#""code":10300"#))
        scene.say(1, #"{"event":"subscribe","channel":"book","symbol":"tBTCUSD","prec":"P0","len":"25"}"#)
        #expect(try #require(scene.taken(1).first).contains(#""chanId":5,"symbol":"tBTCUSD""#))
        scene.pass(milliseconds: 5_000)
        #expect(scene.taken(1) == [#"[5,[[100,1,2],[101,1,-3]],1]"#, #"[5,"hb",2]"#, #"[5,[100,2,7],3]"#])
        // Who comes late gets the book as it is.
        _ = scene.join(2, "/ws/2")
        scene.say(2, #"{"event":"subscribe","channel":"book","symbol":"tBTCUSD","prec":"P0","len":"25"}"#)
        #expect(scene.taken(2).last == #"[5,[[100,1,7],[101,1,-3]],1]"#)
        scene.say(2, #"{"event":"unsubscribe","chanId":5}"#)
        #expect(scene.taken(2) == [#"{"event":"unsubscribed","status":"OK","chanId":5}"#])
        scene.say(2, #"{"event":"ping","cid":8}"#)
        #expect(try #require(scene.taken(2).first).contains(#""cid":8"#))
        scene.ask(1, "/v2/trades/tBTCUSD/hist?start=0&sort=1&limit=10")
        #expect(scene.body(1) == "[[1,2,3,100]]")
    }

    @Test("Kraken's futures: each product is answered by itself; the snapshot has the last number")
    func krakenFutures() throws {
        let scene = try Self.scene(
            "kraken-futures",
            [
                #"{"feed":"book_snapshot","product_id":"PI_XBTUSD","timestamp":1,"seq":4,"#
                    + #""bids":[{"price":10.5,"qty":3}],"asks":[{"price":11,"qty":2}]}"#,
                #"{"feed":"book","product_id":"PI_XBTUSD","side":"sell","seq":5,"price":11,"qty":0,"timestamp":2}"#,
            ])
        #expect(scene.join(1, "/ws/v1"))
        #expect(scene.taken(1) == [#"{"event":"info","version":1}"#])
        scene.say(1, #"{"event":"subscribe","feed":"book","product_ids":["pi_xbtusd","PI_NOPE"]}"#)
        #expect(
            scene.taken(1) == [
                #"{"event":"subscribed","feed":"book","product_ids":["PI_XBTUSD"]}"#,
                #"{"event":"error","message":"Invalid product id"}"#,
            ])
        scene.pass(milliseconds: 1_000)
        _ = scene.join(2, "/ws/v1")
        scene.say(2, #"{"event":"subscribe","feed":"book","product_ids":["PI_XBTUSD"]}"#)
        let image = #""seq":5,"bids":[{"price":10.5,"qty":3}],"asks":[]}"#
        #expect(try #require(scene.taken(2).last).hasSuffix(image))
        scene.ask(1, "/derivatives/api/v3/orderbook?symbol=PI_XBTUSD")
        #expect(try #require(scene.body(1)).contains(#""orderBook":{"bids":[[10.5,3]],"asks":[]}"#))
    }

    @Test("Poloniex: a channel's symbols are answered together; the snapshot has the last number")
    func poloniex() throws {
        func book(_ action: String, _ id: Int, _ bids: String) -> String {
            #"{"channel":"book_lv2","data":[{"symbol":"BTC_USDT","createTime":1,"asks":[],"bids":\#(bids),"#
                + #""lastId":\#(id - 1),"id":\#(id),"ts":1}],"action":"\#(action)"}"#
        }
        let scene = try Self.scene(
            "poloniex", [book("snapshot", 3, #"[["9.5","1"]]"#), book("update", 4, #"[["9.6","2"]]"#)])
        #expect(scene.join(1, "/ws/public"))
        scene.say(1, #"{"event":"subscribe","channel":["book_lv2"],"symbols":["BTC_USDT","NO_PE"]}"#)
        #expect(scene.taken(1) == [#"{"event":"error","message":"Symbol not found: NO_PE"}"#])
        scene.say(1, #"{"event":"subscribe","channel":["book_lv2"],"symbols":["BTC_USDT"]}"#)
        #expect(
            scene.taken(1) == [#"{"event":"subscribe","channel":"book_lv2","symbols":["BTC_USDT"]}"#])
        scene.pass(milliseconds: 1_000)
        _ = scene.join(2, "/ws/public")
        scene.say(2, #"{"event":"subscribe","channel":["book_lv2"],"symbols":["BTC_USDT"]}"#)
        #expect(
            try #require(scene.taken(2).last).contains(
                #""bids":[["9.6","2"],["9.5","1"]],"lastId":3,"id":4"#))
        scene.ask(1, "/markets/BTC_USDT/orderBook?limit=20")
        #expect(try #require(scene.body(1)).contains(#""asks":[],"bids":["9.6","2","9.5","1"]"#))
        scene.say(1, #"{"event":"ping"}"#)
        #expect(scene.taken(1).last == #"{"event":"pong"}"#)
    }
}
