import Instruments
import JSON
import Recordings
import Support
import Testing

@testable import VenueSimulation

@Suite("BitMEX playback")
struct BitMEXPlaybackTests {
    private static let subscribe = #"{"op":"subscribe","args":["orderBookL2:XBTUSD","trade:XBTUSD"]}"#

    @Test("greets and acknowledges by itself and plays nothing before the first subscription")
    func clockStarts() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        #expect(scene.join(1, "/realtime"))
        scene.pass(milliseconds: 10_000)
        let greeting = scene.taken(1)
        #expect(greeting.count == 1)
        #expect(greeting[0].hasPrefix(#"{"info":"Welcome to the BitMEX Realtime API.""#))
        scene.say(1, Self.subscribe)
        let acknowledgements = scene.taken(1)
        let request = #""request":{"op":"subscribe","args":["orderBookL2:XBTUSD","trade:XBTUSD"]}}"#
        #expect(
            acknowledgements == [
                #"{"success":true,"subscribe":"orderBookL2:XBTUSD",\#(request)"#,
                #"{"success":true,"subscribe":"trade:XBTUSD",\#(request)"#,
            ])
    }

    @Test("delivers recorded messages verbatim, at their distances, and leaves recorded greetings out")
    func verbatim() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        _ = scene.taken(1)
        scene.pass(milliseconds: 0)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.partial])
        scene.pass(milliseconds: 99)
        #expect(scene.taken(1) == [])
        scene.pass(milliseconds: 1)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.tradePartial])
        scene.pass(milliseconds: 300)
        #expect(
            scene.taken(1) == [
                BitMEXPlaybackFixture.update, BitMEXPlaybackFixture.tradeInsert, BitMEXPlaybackFixture.insert,
            ])
        #expect(scene.playback.hasEnded)
    }

    @Test("messages that cannot be read go out as they were recorded, to whoever listens")
    func unreadable() throws {
        let broken = [
            #"{"table":"orderBookL2","action":"update","data":[{"symbol":"XBTUSD","id":91,"si"#, "garbage",
            #"{"table":"orderBookL2","action":"update","data":[{"id":91,"side":"Buy","size":6}]}"#,
        ]
        let entries = ([BitMEXPlaybackFixture.partial] + broken).enumerated().map {
            Tape.message(Int64($0.offset) * 100, $0.element)
        }
        let scene = try PlaybackFixture(entries, .bitmex, speed: .maximum)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        _ = scene.taken(1)
        scene.pass(milliseconds: 0)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.partial] + broken)
    }

    @Test("at ten times the speed the distances are a tenth; at maximum speed there are none")
    func speeds() throws {
        for (speed, milliseconds) in [(PlaybackSpeed.times(10), Int64(40)), (.maximum, 0)] {
            let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex, speed: speed)
            _ = scene.join(1, "/realtime")
            scene.say(1, Self.subscribe)
            _ = scene.taken(1)
            if milliseconds > 0 { scene.pass(milliseconds: milliseconds - 1) }
            #expect(scene.playback.counters.played < 5)
            scene.pass(milliseconds: min(milliseconds, 1))
            #expect(scene.taken(1).count == 5)
        }
    }

    @Test("at maximum speed nothing moves while nobody is subscribed")
    func readersPace() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex, speed: .maximum)
        _ = scene.join(1, "/realtime")
        scene.say(1, #"{"op":"subscribe","args":["trade:XBTUSD"]}"#)
        scene.say(1, #"{"op":"unsubscribe","args":["trade:XBTUSD"]}"#)
        scene.pass(milliseconds: 60_000)
        #expect(scene.playback.counters.played == 0)
    }

    @Test("holds at the first message of a topic until somebody subscribes to it")
    func holds() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, #"{"op":"subscribe","args":["trade:XBTUSD"]}"#)
        _ = scene.taken(1)
        scene.pass(milliseconds: 1_500)
        #expect(scene.taken(1) == [])
        scene.say(1, #"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#)
        _ = scene.taken(1)
        scene.pass(milliseconds: 0)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.partial])
        // The hold has moved everything after it.
        scene.pass(milliseconds: 99)
        #expect(scene.taken(1) == [])
        scene.pass(milliseconds: 1)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.tradePartial])
    }

    @Test("goes on after two seconds without what nobody wants")
    func patience() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, #"{"op":"subscribe","args":["trade:XBTUSD"]}"#)
        _ = scene.taken(1)
        scene.pass(milliseconds: 1_999)
        #expect(scene.playback.counters.played == 0)
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.tradePartial, BitMEXPlaybackFixture.tradeInsert])
    }

    @Test("a late subscriber gets the book at the playback position with the venue's ids, then what follows")
    func late() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 250)
        _ = scene.join(2, "/realtime")
        scene.say(2, #"{"op":"subscribe","args":["orderBookL2:XBTUSD"]}"#)
        let image = try #require(scene.taken(2).last)
        let rows = try #require(JSONValue(message: Array(image.utf8))?["data"]).elements
        let levels = rows.map { row in
            ["id", "side", "size", "price"].map { row[$0]?.text ?? "" }.joined(separator: " ")
        }
        #expect(levels == ["17 Sell 20 100.5", "91 Buy 6 100", "12 Buy 7 99.5"])
        #expect(image.contains(#""action":"partial""#) && image.contains(#""filter":{"symbol":"XBTUSD"}"#))
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(2) == [BitMEXPlaybackFixture.insert])
    }

    @Test("a late subscriber of trades gets the last one as the image")
    func lateTrades() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 1_000)
        _ = scene.join(2, "/realtime?subscribe=trade:XBTUSD")
        let image = try #require(scene.taken(2).last)
        #expect(image.contains(#""action":"partial""#))
        #expect(image.hasSuffix("[" + BitMEXPlaybackFixture.trade("2026-01-01T00:00:02.000Z", "c") + "]}"))
    }

    @Test("cuts a message of several symbols to those that a client wants")
    func cut() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.twoSymbols, .bitmex)
        for client in [1, 2] { _ = scene.join(client, "/realtime") }
        scene.say(1, #"{"op":"subscribe","args":["orderBookL2"]}"#)
        scene.say(2, #"{"op":"subscribe","args":["orderBookL2:ETHUSD"]}"#)
        scene.pass(milliseconds: 1_000)
        #expect(
            scene.taken(1).suffix(4) == [
                BitMEXPlaybackFixture.partial, BitMEXPlaybackFixture.etherPartial,
                BitMEXPlaybackFixture.mixed, BitMEXPlaybackFixture.update,
            ])
        let part =
            #"{"table":"orderBookL2","action":"update","data":["#
            + #"{"symbol":"ETHUSD","id":2,"side":"Buy","size":9}]}"#
        #expect(scene.taken(2).suffix(2) == [BitMEXPlaybackFixture.etherPartial, part])
    }

    @Test("a topic that two connections carry comes once, from the later one")
    func doubled() throws {
        var entries = BitMEXPlaybackFixture.entries
        entries.append(Tape.message(600, BitMEXPlaybackFixture.partial, connection: 2))
        entries.append(Tape.message(650, BitMEXPlaybackFixture.update, connection: 1))
        entries.append(Tape.message(700, BitMEXPlaybackFixture.update, connection: 2))
        let scene = try PlaybackFixture(entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 2_000)
        #expect(scene.taken(1).suffix(2) == [BitMEXPlaybackFixture.partial, BitMEXPlaybackFixture.update])
    }

    @Test(
        "refuses as the venue does",
        arguments: [
            (#"{"op":"subscribe","args":["trade:NOPE"]}"#, "Unknown or expired symbol."),
            (#"{"op":"subscribe","args":["weather:XBTUSD"]}"#, "Unknown table: weather"),
            (
                #"{"op":"unsubscribe","args":["trade:XBTUSD"]}"#,
                "You are not subscribed to this topic: trade:XBTUSD"
            ),
            (#"{"op":"dance","args":["trade:XBTUSD"]}"#, "Unknown or missing operation: dance"),
            ("hello", "Unrecognized request."),
        ])
    func refusals(text: String, error: String) throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        _ = scene.taken(1)
        scene.say(1, text)
        let answer = try #require(scene.taken(1).first.flatMap { JSONValue(message: Array($0.utf8)) })
        #expect(answer["status"]?.integer == 400)
        #expect(answer["error"]?.text == error)
    }

    @Test("answers the text ping, also at the end of the recording")
    func ping() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 60_000)
        _ = scene.taken(1)
        scene.say(1, "ping")
        #expect(scene.taken(1) == ["pong"])
        #expect(!scene.join(2, "/elsewhere"))
    }

    @Test("gives the whole book, trades and instruments by REST at the playback position")
    func rest() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex)
        scene.ask(1, "/api/v1/orderBook/L2?symbol=XBTUSD&depth=0")
        #expect(scene.answers[1]?.status == 503)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 250)
        scene.ask(2, "/api/v1/orderBook/L2?symbol=XBTUSD&depth=0")
        let rows = try #require(scene.answers[2].flatMap { JSONValue(message: $0.body) }).elements
        #expect(rows.map { $0["id"]?.text } == ["17", "91", "12"])
        scene.ask(3, "/api/v1/trade?symbol=XBTUSD&count=10")
        #expect(scene.body(3) == "[" + BitMEXPlaybackFixture.trade("2026-01-01T00:00:00.000Z", "a") + "]")
        scene.pass(milliseconds: 1_000)
        scene.ask(4, "/api/v1/trade?symbol=XBTUSD&startTime=2026-01-01T00%3A00%3A01.000Z&count=1")
        #expect(scene.body(4) == "[" + BitMEXPlaybackFixture.trade("2026-01-01T00:00:01.000Z", "b") + "]")
        scene.ask(5, "/api/v1/trade?symbol=XBTUSD&reverse=true&count=1")
        #expect(scene.body(5) == "[" + BitMEXPlaybackFixture.trade("2026-01-01T00:00:02.000Z", "c") + "]")
        scene.ask(6, "/api/v1/trade?symbol=NOPE")
        #expect(scene.body(6) == "[]")
        scene.ask(7, "/api/v1/instrument/active")
        #expect(try #require(scene.body(7)).contains(#""symbol":"XBTUSD""#))
        scene.ask(8, "/api/v1/nothing")
        #expect(scene.answers[8]?.status == 404)
        scene.ask(9, "/api/v1/trade?symbol=XBTUSD&startTime=yesterday")
        #expect(scene.answers[9]?.status == 400)
    }

    @Test("begins again where that is wanted, with a fresh image for who is still there")
    func loop() throws {
        let scene = try PlaybackFixture(BitMEXPlaybackFixture.entries, .bitmex, loops: true)
        _ = scene.join(1, "/realtime")
        scene.say(1, Self.subscribe)
        scene.pass(milliseconds: 399)
        _ = scene.taken(1)
        scene.pass(milliseconds: 1)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.insert, BitMEXPlaybackFixture.partial])
        scene.pass(milliseconds: 100)
        #expect(scene.taken(1) == [BitMEXPlaybackFixture.tradePartial])
    }

    @Test("hands the recorded list of instruments on as it is")
    func instruments() throws {
        let list = Tape.answer(
            0, "https://www.bitmex.com/api/v1/instrument/active", #"[ {"symbol":"XBTUSD"} ]"#)
        let scene = try PlaybackFixture([list] + BitMEXPlaybackFixture.entries, .bitmex)
        scene.ask(1, "/api/v1/instrument/active")
        #expect(scene.body(1) == #"[ {"symbol":"XBTUSD"} ]"#)
    }
}
