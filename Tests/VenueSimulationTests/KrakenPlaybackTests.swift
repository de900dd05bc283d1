import Instruments
import JSON
import Recordings
import Support
import Testing

@testable import VenueSimulation

@Suite("Kraken playback")
struct KrakenPlaybackTests {
    // Source: Kraken API documentation, "Book (Level 2)" of WebSocket v2 and v1; checksums of these levels.
    private static let v2: [RecordingEntry] = [
        Tape.message(0, #"{"channel":"status","type":"update","data":[{"version":"2.0.0"}]}"#),
        Tape.message(
            10,
            #"{"method":"subscribe","result":{"channel":"book","depth":25,"snapshot":true,"symbol":"MATIC/USD"},"success":true}"#
        ),
        Tape.message(
            100,
            #"{"channel":"book","type":"snapshot","data":[{"symbol":"MATIC/USD","bids":[{"price":0.5666,"qty":4831.75496356},{"price":0.5665,"qty":6658.22734739}],"asks":[{"price":0.5668,"qty":4410.79769741}],"checksum":2583266180}]}"#
        ),
        Tape.message(150, #"{"channel":"heartbeat"}"#),
        Tape.message(
            200,
            #"{"channel":"trade","type":"update","data":[{"symbol":"MATIC/USD","side":"sell","price":0.5117,"qty":40.0,"ord_type":"market","trade_id":4665906,"timestamp":"2023-09-25T07:49:37.708706Z"}]}"#
        ),
    ]
    private static let subscribe =
        #"{"method":"subscribe","params":{"channel":"book","symbol":["MATIC/USD"],"depth":100},"req_id":3}"#

    @Test("v2: greets, grants the depth that it has, and acknowledges with the request's id")
    func acknowledge() throws {
        let scene = try PlaybackFixture(Self.v2, .kraken)
        #expect(scene.playback.dialect is KrakenV2Dialect)
        #expect(scene.playback.dialect.depth == 25)
        #expect(!scene.join(1, ""))
        #expect(scene.join(1, "/v2"))
        #expect(try #require(scene.taken(1).first).contains(#""channel":"status""#))
        scene.say(1, Self.subscribe)
        let answer = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(answer["req_id"]?.integer == 3)
        #expect(answer["success"]?.flag == true)
        #expect(answer["result"]?["depth"]?.integer == 25)
        scene.say(1, #"{"method":"subscribe","params":{"channel":"book","symbol":["NOPE/USD"]}}"#)
        let refusal = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(refusal["error"]?.text == "Currency pair not supported NOPE/USD")
        #expect(refusal["success"]?.flag == false)
        scene.say(1, #"{"method":"ping","req_id":9}"#)
        #expect(try #require(scene.taken(1).first).hasPrefix(#"{"method":"pong","req_id":9"#))
    }

    @Test("v2: passes recorded heartbeats on and makes one for each silent second, also at the end")
    func heartbeats() throws {
        let scene = try PlaybackFixture(Self.v2, .kraken)
        _ = scene.join(1, "/v2")
        scene.say(1, Self.subscribe)
        scene.say(1, #"{"method":"subscribe","params":{"channel":"trade","symbol":["MATIC/USD"]}}"#)
        _ = scene.taken(1)
        scene.pass(milliseconds: 100)
        #expect(scene.taken(1).filter { $0.contains("heartbeat") }.count == 1)
        scene.pass(milliseconds: 5_000)
        #expect(scene.taken(1) == Array(repeating: #"{"channel":"heartbeat"}"#, count: 5))
        #expect(scene.playback.hasEnded)
    }

    @Test("v2: gives the book and the trades by REST under either spelling of the pair")
    func rest() throws {
        let scene = try PlaybackFixture(Self.v2, .kraken)
        _ = scene.join(1, "/v2")
        scene.say(1, Self.subscribe)
        scene.say(1, #"{"method":"subscribe","params":{"channel":"trade","symbol":["MATIC/USD"]}}"#)
        scene.pass(milliseconds: 1_000)
        scene.ask(1, "/0/public/Depth?pair=MATICUSD&count=1")
        let bid = #""bids":[["0.5666","4831.75496356",0]]"#
        #expect(
            scene.body(1)
                == #"{"error":[],"result":{"MATICUSD":{"asks":[["0.5668","4410.79769741",0]],\#(bid)}}}"#)
        scene.ask(2, "/0/public/Trades?pair=MATIC%2FUSD&since=1695628177708705999")
        let row = #"["0.5117","40.0",1695628177.708706000,"s","m","",4665906]"#
        #expect(
            scene.body(2) == #"{"error":[],"result":{"MATICUSD":[\#(row)],"last":"1695628177708706000"}}"#)
        scene.ask(3, "/0/public/Trades?pair=MATICUSD&since=1695628177708706000")
        #expect(try #require(scene.body(3)).contains(#""MATICUSD":[]"#))
        scene.ask(4, "/0/public/Depth?pair=NOPE")
        #expect(scene.body(4) == #"{"error":["EQuery:Unknown asset pair"]}"#)
        scene.ask(5, "/0/public/AssetPairs")
        #expect(try #require(scene.body(5)).contains(#""wsname":"MATIC/USD""#))
        #expect(try #require(scene.body(5)).contains(#""pair_decimals":4,"lot_decimals":8"#))
    }

    private static let v1: [RecordingEntry] = [
        Tape.message(0, #"{"connectionID":8628615390848610000,"event":"systemStatus","status":"online"}"#),
        Tape.message(
            10,
            #"{"channelID":336,"channelName":"book-10","event":"subscriptionStatus","pair":"XBT/USD","status":"subscribed","subscription":{"depth":10,"name":"book"}}"#
        ),
        Tape.message(
            100,
            #"[336,{"as":[["5541.30000","2.50700000","1534614248.123678"]],"bs":[["5541.20000","1.52900000","1534614248.765567"]]},"book-10","XBT/USD"]"#
        ),
        Tape.message(
            200, #"[337,[["5541.20000","0.15850568","1534614057.321597","s","l",""]],"trade","XBT/USD"]"#),
    ]

    @Test("v1: acknowledges with the recorded channel's number and says why it refuses")
    func v1Acknowledge() throws {
        let scene = try PlaybackFixture(Self.v1, .kraken)
        #expect(scene.playback.dialect is KrakenV1Dialect)
        #expect(!scene.join(1, "/v2"))
        #expect(scene.join(1, ""))
        _ = scene.taken(1)
        scene.say(
            1,
            #"{"event":"subscribe","pair":["XBT/USD","NO/PE"],"subscription":{"name":"book","depth":1000},"reqid":4}"#
        )
        let answers = scene.taken(1)
        #expect(
            answers == [
                #"{"channelID":336,"channelName":"book-10","event":"subscriptionStatus","pair":"XBT/USD","reqid":4,"status":"subscribed","subscription":{"depth":10,"name":"book"}}"#,
                #"{"errorMessage":"Currency pair not supported NO/PE","event":"subscriptionStatus","pair":"NO/PE","reqid":4,"status":"error","subscription":{"depth":1000,"name":"book"}}"#,
            ])
        scene.say(1, #"{"event":"ping","reqid":42}"#)
        #expect(scene.taken(1) == [#"{"event":"pong","reqid":42}"#])
    }

    @Test("v1: a late subscriber gets the book in the venue's own shape; trades come by REST")
    func v1Late() throws {
        let scene = try PlaybackFixture(Self.v1, .kraken)
        _ = scene.join(1, "")
        scene.say(1, #"{"event":"subscribe","pair":["XBT/USD"],"subscription":{"name":"book","depth":10}}"#)
        scene.pass(milliseconds: 5_000)
        _ = scene.join(2, "")
        _ = scene.taken(2)
        scene.say(2, #"{"event":"subscribe","pair":["XBT/USD"],"subscription":{"name":"book","depth":10}}"#)
        #expect(
            scene.taken(2).last
                == #"[336,{"as":[["5541.30000","2.50700000","0.200000"]],"bs":[["5541.20000","1.52900000","0.200000"]]},"book-10","XBT/USD"]"#
        )
        scene.ask(1, "/0/public/Trades?pair=XBTUSD&since=0")
        #expect(
            scene.body(1)
                == #"{"error":[],"result":{"XBTUSD":[["5541.20000","0.15850568",1534614057.321597000,"s","l",""]],"last":"1534614057321597000"}}"#
        )
    }
}
