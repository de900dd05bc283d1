import Support
import Wire
import Instruments
import Testing

@testable import GatewayStream

@Suite("Stream as server-sent events", .timeLimit(.minutes(10)))
struct StreamEventTests {
    /// What follows the last `name: ` in a text.
    private static func last(_ name: String, in text: String) -> String? {
        text.split(whereSeparator: \.isNewline).last { $0.hasPrefix("\(name): ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    @Test("tells snapshots and changes of several things, and goes on after the last id")
    func events() async throws {
        try await StreamFixture.run { fixture async throws in
            try fixture.say(price: 100)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin) != nil }
            let path = "/v1/events?channel=ticker:bitmex:XBTUSD&channel=index:BTC-USD"
            var isSaid = false
            let text = try await EventReader.read(port: fixture.port, path) { text in
                if text.contains("event: snapshot"), !isSaid {
                    isSaid = true
                    try fixture.say(price: 101)
                }
                return text.contains("event: change\ndata: ") && text.contains("\"last\":\"101\"")
            }
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("text/event-stream"))
            #expect(
                text.contains(": heartbeat\n\n")
                    && text.contains("\"channel\":\"ticker\",\"key\":\"bitmex:XBTUSD\""))
            let id = try #require(Self.last("id", in: text))
            #expect(id.hasSuffix(".2,"))
            // Two more, of which the first is not told any more.
            try fixture.say(price: 102)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin)?.day?.value.lastPrice == 102 }
            try fixture.say(price: 103)
            try await eventually { fixture.view.ticker(StreamFixture.bitcoin)?.day?.value.lastPrice == 103 }
            let rest = try await EventReader.read(
                port: fixture.port, path, headers: [("Last-Event-ID", id)]
            ) { $0.contains("\"last\":\"103\"") }
            #expect(
                rest.contains("event: skipped") && rest.contains("\"count\":1") && !rest.contains("snapshot"))
        }
    }

    @Test(
        "refuses with a problem what cannot be followed",
        arguments: [
            ("/v1/events", "invalid-field"), ("/v1/events?channel=weather:x", "invalid-field"),
            ("/v1/events?channel=ticker:XBTUSD", "invalid-field"),
            ("/v1/events?channel=ticker&channel=index&key=BTC-USD", "invalid-field"),
            ("/v1/events?channel=alerts", "unauthenticated"),
            ("/v1/events?channel=status", "unauthenticated"),
        ])
    func refusals(_ path: String, _ code: String) async throws {
        try await StreamFixture.run { fixture async throws in
            #expect(try await TestClient(port: fixture.port).get(path).problem == code)
        }
    }

    @Test("reads where a client was, and nothing that does not fit")
    func places() {
        #expect(StreamEvents.places("a.2,", count: 2) == [StreamCursor(epoch: 10, sequence: 2), nil])
        #expect(StreamEvents.places("a.2", count: 2) == [nil, nil])
        #expect(
            StreamEvents.places("a.2,b,c.%", count: 3) == [StreamCursor(epoch: 10, sequence: 2), nil, nil])
        #expect(StreamEvents.places(nil, count: 1) == [nil])
    }
}
