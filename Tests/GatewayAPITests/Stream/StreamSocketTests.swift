import Instruments
import JSON
import MarketData
import Support
import Testing
import Wire

@testable import GatewayStream

@Suite("Stream over WebSocket", .timeLimit(.minutes(10)))
struct StreamSocketTests {
    private static func subscribe(_ id: String, _ channel: String, _ key: String, after: String = "")
        -> String
    {
        "{\"op\":\"subscribe\",\"id\":\"\(id)\",\"channel\":\"\(channel)\",\"key\":\"\(key)\"\(after)}"
    }

    private static func member(_ message: JSONObject, _ names: String...) -> JSONValue? {
        var value: JSONValue? = .object(message)
        for name in names {
            guard case .object(let members)? = value else { return nil }
            value = members[name]
        }
        return value
    }

    /// Reads until a message of a kind.
    private static func next(_ type: String, _ client: StreamClient) async throws -> JSONObject {
        while true {
            let message = try await client.message()
            if message["type"] == .string(type) { return message }
        }
    }

    @Test("subscribes, tells the snapshot and then each change with its number, and unsubscribes")
    func ticker() async throws {
        try await StreamFixture.run { fixture async throws in
            try fixture.say(price: 100)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin) != nil }
            try await fixture.connect { client in
                try await client.send(Self.subscribe("a", "ticker", "bitmex:XBTUSD"))
                let answer = try await client.message()
                #expect(answer["type"] == .string("subscribed") && answer["key"] == .string("bitmex:XBTUSD"))
                let snapshot = try await client.message()
                #expect(snapshot["type"] == .string("snapshot") && snapshot["sequence"] == .number("1"))
                #expect(Self.member(snapshot, "data", "last") == .string("100"))
                try fixture.say(price: 101)
                let change = try await client.message()
                #expect(change["type"] == .string("change") && change["sequence"] == .number("2"))
                #expect(change["id"] == .string("a") && Self.member(change, "data", "last") == .string("101"))
                try await client.send(Self.subscribe("a", "ticker", "bitmex:XBTUSD"))
                #expect(
                    Self.member(try await Self.next("error", client), "problem", "code")
                        == .string("conflict"))
                try await client.send("{\"op\":\"unsubscribe\",\"id\":\"a\"}")
                #expect(try await client.message()["type"] == .string("unsubscribed"))
                try await client.send("{\"op\":\"ping\",\"id\":\"p\"}")
                #expect(try await client.message() == ["type": .string("pong"), "id": .string("p")])
            }
        }
    }

    @Test("hears what came with the request, and what came with a refused one breaks nothing")
    func early() async throws {
        try await StreamFixture.run { fixture async throws in
            let pings = (0..<3).flatMap {
                StreamClient.frame(0x81, Array("{\"op\":\"ping\",\"id\":\"\($0)\"}".utf8))
            }
            try await StreamClient.run(port: fixture.port, early: pings) { client, head async throws in
                #expect(head.hasPrefix("HTTP/1.1 101 "))
                for number in 0..<3 {
                    #expect(try await client.message()["id"] == .string("\(number)"))
                }
            }
            let elsewhere = [("Origin", "http://elsewhere.example")]
            try await StreamClient.run(port: fixture.port, headers: elsewhere, early: pings) { _, head in
                #expect(head.hasPrefix("HTTP/1.1 403 "))
            }
            try await fixture.connect { client in
                try await client.send("{\"op\":\"ping\",\"id\":\"after\"}")
                #expect(try await client.message()["id"] == .string("after"))
            }
        }
    }

    @Test("goes on after a reconnection where the client was, and says what it cannot tell any more")
    func resume() async throws {
        try await StreamFixture.run { fixture async throws in
            try fixture.say(price: 100)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin) != nil }
            let epoch = try await fixture.connect { client in
                try await client.send(Self.subscribe("a", "ticker", "bitmex:XBTUSD"))
                let snapshot = try await Self.next("snapshot", client)
                guard case .number(let epoch)? = snapshot["epoch"] else {
                    throw PropertyFailure("\(snapshot)")
                }
                return epoch
            }
            try await fixture.connect { other in
                try await other.send(Self.subscribe("b", "ticker", "bitmex:XBTUSD"))
                _ = try await Self.next("snapshot", other)
                for price in 101...103 as ClosedRange<Int64> {
                    try fixture.say(price: price)
                    #expect(
                        Self.member(try await Self.next("change", other), "data", "last")
                            == .string("\(price)"))
                }
            }
            try await fixture.connect { client in
                let after = ",\"after\":{\"epoch\":\(epoch),\"sequence\":1}"
                try await client.send(Self.subscribe("a", "ticker", "bitmex:XBTUSD", after: after))
                #expect(try await client.message()["type"] == .string("subscribed"))
                let skipped = try await client.message()
                #expect(skipped["type"] == .string("skipped") && skipped["count"] == .number("2"))
                let change = try await client.message()
                #expect(
                    change["sequence"] == .number("4")
                        && Self.member(change, "data", "last") == .string("103"))
                let now = ",\"after\":{\"epoch\":1,\"sequence\":4}"
                try await client.send(Self.subscribe("c", "ticker", "bitmex:XBTUSD", after: now))
                #expect(try await Self.next("snapshot", client)["sequence"] == .number("4"))
            }
        }
    }

    @Test("tells a book as its best levels, and then what changes in them")
    func book() async throws {
        try await StreamFixture.run { fixture async throws in
            func say(_ bids: [Int64], _ sizes: [Int64]) throws {
                var depth = Bitpal_V1_BookDepth()
                (depth.state, depth.reason) = (.live, .verified)
                (depth.bidPrices, depth.bidSizes) = (bids, sizes)
                try fixture.say(
                    .bookDepth(StreamFixture.bitcoin, depth), on: Topic.bookDepth(StreamFixture.bitcoin))
            }
            try say([100, 99], [1, 2])
            try await eventually { fixture.view.depth(StreamFixture.bitcoin) != nil }
            try await fixture.connect { client in
                try await client.send(Self.subscribe("b", "book", "bitmex:XBTUSD"))
                let level = { (price: String, size: String) in
                    JSONValue.array([.string(price), .string(size)])
                }
                let snapshot = try await Self.next("snapshot", client)
                #expect(
                    Self.member(snapshot, "data", "bids") == .array([level("100", "1"), level("99", "2")]))
                #expect(Self.member(snapshot, "data", "state") == .string("live"))
                try say([100, 98], [1, 3])
                let change = try await Self.next("change", client)
                #expect(Self.member(change, "data", "bids") == .array([level("99", "0"), level("98", "3")]))
            }
        }
    }

    @Test("lets a client read that has stalled beside one that has not, and tells it what it skipped")
    func stall() async throws {
        // Without heartbeats: whoever does not read answers none, and would be closed after a minute.
        let seconds = ManualPause()
        try await StreamFixture.run(pause: { try await seconds.pause($0) }) { fixture async throws in
            try fixture.say(price: 1)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin) != nil }
            let text = Self.subscribe("a", "ticker", "bitmex:XBTUSD")
            try await fixture.connect { slow in
                try await slow.send(text)
                _ = try await Self.next("snapshot", slow)
                // More than every buffer between the two holds: 40 subscriptions of the same thing each.
                for number in 0..<40 {
                    try await slow.send(Self.subscribe("s\(number)", "ticker", "bitmex:XBTUSD"))
                }
                let last = try await fixture.connect { fast in
                    try await fast.send(text)
                    _ = try await Self.next("snapshot", fast)
                    for price in 2...2_000 as ClosedRange<Int64> {
                        try fixture.say(price: price)
                        // Every change reaches the fast one, whatever the slow one does.
                        #expect(
                            Self.member(try await Self.next("change", fast), "data", "last")
                                == .string("\(price)"))
                    }
                    return "2000"
                }
                var (sequence, skipped): (UInt64, UInt64) = (1, 0)
                while sequence < 2_000 {
                    let message = try await slow.message()
                    guard message["id"] == .string("a") else { continue }
                    if case .number(let count)? = message["count"], let count = UInt64(count) {
                        skipped += count
                        sequence += count
                    } else if case .number(let number)? = message["sequence"], let number = UInt64(number) {
                        #expect(number == sequence + 1)
                        sequence = number
                        if number == 2_000 { #expect(Self.member(message, "data", "last") == .string(last)) }
                    }
                }
                #expect(skipped > 0)
            }
        }
    }

    @Test("closes with the protocol's own code", arguments: BrokenFrame.corpus)
    func broken(_ frame: BrokenFrame) async throws {
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect { client in
                try await client.send(raw: frame.bytes)
                let (code, _) = try await client.closing()
                #expect(code == frame.code)
                try? await client.send(frame: 0x88, [0x03, 0xE8])
                #expect(try await client.next() == .end)
            }
        }
    }

    @Test("answers pings between the fragments of a message, and a close with its own number")
    func preferences() async throws {
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect { client in
                try await client.send(frame: 0x01, Array("{\"op\":\"pi".utf8))
                try await client.send(frame: 0x89, Array("are you there".utf8))
                #expect(try await client.next() == .pong(Array("are you there".utf8)))
                try await client.send(frame: 0x80, Array("ng\",\"id\":\"é\"}".utf8))
                #expect(try await client.message()["id"] == .string("é"))
                try await client.send(frame: 0x88, [0x0F, 0xA1])
                #expect(try await client.closing().0 == 4_001)
                #expect(try await client.next() == .end)
            }
        }
    }

    @Test(
        "refuses messages that mean nothing, names what is wrong, and goes on",
        arguments: [
            ("[]", "bad-request"), ("{", "malformed-json"), ("{\"op\":\"dance\"}", "invalid-field"),
            ("{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"weather\"}", "invalid-field"),
            (
                "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"ticker\",\"key\":\"XBTUSD\"}",
                "invalid-field"
            ),
            (
                "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"candles\",\"key\":\"2m/bitmex:XBTUSD\"}",
                "invalid-field"
            ),
            (
                "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"ticker\",\"key\":\"a:b\",\"x\":1}",
                "invalid-field"
            ),
            (
                "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"portfolio\",\"key\":\"p\"}",
                "unauthenticated"
            ),
            ("{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"status\",\"key\":\"\"}", "unauthenticated"),
            ("{\"op\":\"unsubscribe\",\"id\":\"a\"}", "not-found"),
            (#"{"op":"subscribe","id":"a","channel":"trending","key":null}"#, "invalid-field"),
            (#"{"op":"subscribe","id":"a","channel":"trending","after":{"epoch":1}}"#, "invalid-field"),
            (#"{"op":"subscribe","id":"","channel":"trending"}"#, "invalid-field"),
            (#"{"op":"ping","id":null}"#, "invalid-field"),
            (#"{"op":"authenticate"}"#, "invalid-field"),
            (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), "too-deep"),
        ])
    func refusals(_ text: String, _ code: String) async throws {
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect { client in
                try await client.send(text)
                #expect(Self.member(try await client.message(), "problem", "code") == .string(code))
                try await client.send("{\"op\":\"ping\"}")
                #expect(try await client.message()["type"] == .string("pong"))
            }
        }
    }

    @Test("refuses the subscription past the limit and goes on with the others")
    func limit() async throws {
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect { client in
                for number in 0...StreamSession.subscriptionLimit {
                    try await client.send(Self.subscribe("\(number)", "index", "A\(number)-USD"))
                }
                for _ in 0..<StreamSession.subscriptionLimit {
                    #expect(try await client.message()["type"] == .string("subscribed"))
                }
                let error = try await Self.next("error", client)
                #expect(
                    error["id"] == .string("200")
                        && Self.member(error, "problem", "code") == .string("rate-limited"))
            }
        }
    }
}

/// Bytes after the handshake that no client may send, and the code of the close that follows.
struct BrokenFrame: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: UInt16

    init(_ name: String, _ code: UInt16, _ bytes: [UInt8]) {
        (testDescription, self.code, self.bytes) = (name, code, bytes)
    }

    static let corpus = [
        BrokenFrame("not masked", 1002, [0x81, 0x02, 0x7B, 0x7D]),
        BrokenFrame("reserved bit 1", 1002, StreamClient.frame(0xC1, [])),
        BrokenFrame("reserved bit 3", 1002, StreamClient.frame(0x91, [])),
        BrokenFrame("opcode 3", 1002, StreamClient.frame(0x83, [])),
        BrokenFrame("opcode 11", 1002, StreamClient.frame(0x8B, [])),
        BrokenFrame("binary", 1003, StreamClient.frame(0x82, [1, 2])),
        BrokenFrame("split ping", 1002, StreamClient.frame(0x09, [])),
        BrokenFrame("long ping", 1002, StreamClient.frame(0x89, [UInt8](repeating: 0, count: 126))),
        BrokenFrame("continuation of nothing", 1002, StreamClient.frame(0x80, [])),
        BrokenFrame(
            "message inside a message", 1002,
            StreamClient.frame(0x01, [0x7B]) + StreamClient.frame(0x81, [0x7B])),
        BrokenFrame("17 kB", 1009, StreamClient.frame(0x81, [UInt8](repeating: 0x20, count: 17 << 10))),
        BrokenFrame("2^63 - 1 bytes", 1009, [0x81, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7)),
        BrokenFrame("2^64 - 1 bytes", 1009, [0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8)),
        BrokenFrame(
            "17 kB in fragments", 1009,
            StreamClient.frame(0x01, [UInt8](repeating: 0x20, count: 16_000))
                + StreamClient.frame(0x80, [UInt8](repeating: 0x20, count: 1_000))),
        BrokenFrame("no UTF-8", 1007, StreamClient.frame(0x81, [0xC3, 0x28])),
        BrokenFrame("half of a character", 1007, StreamClient.frame(0x81, [0x22, 0xE2, 0x82])),
        BrokenFrame("a surrogate", 1007, StreamClient.frame(0x81, [0xED, 0xA0, 0x80])),
        BrokenFrame("close of one byte", 1002, StreamClient.frame(0x88, [0x03])),
        BrokenFrame("close 1005", 1002, StreamClient.frame(0x88, [0x03, 0xED])),
        BrokenFrame("close 999", 1002, StreamClient.frame(0x88, [0x03, 0xE7])),
        BrokenFrame("close without UTF-8", 1007, StreamClient.frame(0x88, [0x03, 0xE8, 0xFF])),
    ]
}
