import Accounts
import JSON
import Support
import Testing

@testable import GatewayAPI
@testable import Store

/// What the stream tells is asked of the database as the gateway's own process asks it.
@Suite("Other people's things on the stream", .timeLimit(.minutes(10)))
struct ForeignStreamTests {
    /// What Ben has, by channel.
    private struct OwnedTopics {
        var portfolio: String
        var list: String

        var keys: [(channel: String, key: String)] { [("portfolio", portfolio), ("watchlist", list)] }
    }

    /// Runs a gateway with its stream, whose statements may have forgotten whose things are.
    private static func run(
        _ layers: ForeignAccessTests.Layers,
        _ body: (TestClient, TestClient, OwnedTopics) async throws -> Void
    ) async throws {
        let made = MadeStream()
        try await TwoUserFixture.run(
            prepare: { gateway in
                _ = gateway.addStream(gateway.services.market)
                made.hub = gateway.stream
            },
            connect: { store in
                if layers != .both { store.rewriting = { OwnerPredicate.removed(from: $0) } }
            }
        ) { fixture, ann, ben in
            guard let hub = made.hub else { throw PropertyFailure("no stream") }
            let things = try await ForeignAccessTests.fill(ben)
            if layers == .none { try await fixture.services.database.disableRowSecurity() }
            let own = OwnedTopics(
                portfolio: things["/v1/portfolios/{id}"] ?? "", list: things["/v1/watchlists/{id}"] ?? "")
            try await serving([hub]) { try await body(ann, ben, own) }
        }
    }

    private static func subscribe(
        _ client: TestClient, _ channel: String, _ key: String
    ) async throws -> (answer: JSONValue, snapshot: JSONValue?) {
        try await StreamClient.run(port: client.port, headers: client.headers) { socket, _ async throws in
            try await socket.send(#"{"op":"subscribe","id":"a","channel":"\#(channel)","key":"\#(key)"}"#)
            let answer = JSONValue.object(try await socket.message())
            // A portfolio that nobody values has nothing to show.
            guard answer.at("type") == .string("subscribed"), channel != "portfolio" else {
                return (answer, nil)
            }
            return (answer, .object(try await socket.message()))
        }
    }

    private static func code(_ answer: JSONValue) -> JSONValue? { answer.at("problem")?.at("code") }

    private static func events(_ client: TestClient, _ channel: String, _ key: String) async throws -> String
    {
        try await EventReader.read(
            port: client.port, "/v1/events?channel=\(channel)&key=\(key)", headers: client.headers
        ) { text in
            // Ours begin with a sign of life; a refusal ends with its object.
            text.contains(": heartbeat\n\n") && (channel == "portfolio" || text.contains("event: snapshot"))
                || text.hasPrefix("HTTP/1.1 4") && text.hasSuffix("}")
        }
    }

    @Test(
        "are not found over WebSocket nor as events, also when every statement forgot whose they are",
        arguments: [ForeignAccessTests.Layers.both, .rowSecurity])
    func notFound(layers: ForeignAccessTests.Layers) async throws {
        try await Self.run(layers) { ann, ben, things in
            for (channel, key) in things.keys {
                let refused = try await Self.subscribe(ann, channel, key)
                #expect(Self.code(refused.answer) == .string("not-found"), "\(channel): \(refused)")
                let events = try await Self.events(ann, channel, key)
                #expect(events.hasPrefix("HTTP/1.1 404"), "\(events)")
                #expect(events.contains(#""code":"not-found""#))
                let own = try await Self.subscribe(ben, channel, key)
                #expect(own.answer.at("type") == .string("subscribed"), "\(channel): \(own)")
                #expect(try await Self.events(ben, channel, key).hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test(
        "of alerts, everybody is told their own firings, also when every statement forgot whose they are",
        arguments: [ForeignAccessTests.Layers.both, .rowSecurity])
    func firings(layers: ForeignAccessTests.Layers) async throws {
        try await Self.run(layers) { ann, ben, _ in
            // There is no key by which to ask for another's.
            let named = try await Self.subscribe(ann, "alerts", "\(TwoUserFixture.ben)")
            #expect(Self.code(named.answer) == .string("invalid-field"), "\(named)")
            #expect(try await Self.events(ann, "alerts", "\(TwoUserFixture.ben)").hasPrefix("HTTP/1.1 422"))
            #expect(try await Self.subscribe(ann, "alerts", "").snapshot?.at("data") == .array([]))
            #expect(try await Self.events(ann, "alerts", "").contains(#""data":[]"#))
            #expect(try await Self.subscribe(ben, "alerts", "").snapshot?.at("data")?.items.count == 1)
            #expect(try await Self.events(ben, "alerts", "").contains(#""kind":"tested""#))
        }
    }

    @Test("are found with no layer, so that each of the two does hold them back")
    func found() async throws {
        try await Self.run(.none) { ann, _, things in
            for (channel, key) in things.keys {
                let taken = try await Self.subscribe(ann, channel, key)
                #expect(taken.answer.at("type") == .string("subscribed"), "\(channel): \(taken)")
                #expect(try await Self.events(ann, channel, key).hasPrefix("HTTP/1.1 200"))
            }
            #expect(try await Self.subscribe(ann, "alerts", "").snapshot?.at("data")?.items.count == 1)
        }
    }
}
