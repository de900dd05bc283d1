import JSON
import Store
import Support
import Testing

@testable import GatewayAPI

@Suite("Dead letters", .timeLimit(.minutes(10)))
struct DeadLetterTests {
    private static func count(_ client: TestClient, _ state: String) async throws -> Int? {
        try await client.get("/v1/deliveries?state=\(state)").count()
    }

    @Test("go again together, those of one channel or all, and nobody else's do")
    func together() async throws {
        try await TwoUserFixture.run { fixture, ann, ben in
            for (client, name) in [(ann, "one"), (ann, "two"), (ben, "one")] {
                let id = try await client.make(
                    "/v1/channels",
                    #"{"kind":"webhook","name":"\#(name)","settings":{"url":"https://example.com"}}"#)
                for _ in 0..<2 { _ = try await client.make("/v1/channels/\(id)/test", "{}") }
            }
            try await fixture.services.database.withSession { session in
                try session.script(
                    "UPDATE alerts.outbox SET state = 'dead', ended_at = clock_timestamp(), failures = 9")
            }
            let path = "/v1/deliveries/redeliver"
            // Whoever says nothing does not mean all.
            #expect(try await ann.ask("POST", path).status == 400)
            #expect(try await ann.ask("POST", path, json: #"{"chanel":"one"}"#).status == 422)
            let nowhere = try await ann.ask("POST", path, json: #"{"channel":"three"}"#)
            #expect(try nowhere.status == 202 && nowhere.json("count") == .number("0"), "\(nowhere.text)")
            #expect(try await Self.count(ann, "dead") == 4)
            let one = try await ann.ask("POST", path, json: #"{"channel":"one"}"#)
            #expect(try one.status == 202 && one.json("count") == .number("2"), "\(one.text)")
            let waiting = try await ann.get("/v1/deliveries?state=waiting")
            #expect(try waiting.count() == 2 && waiting.text("items.0.channel") == "one")
            #expect(try waiting.json("items.0.failures") == .number("0"))
            #expect(try await ann.ask("POST", path, json: "{}").json("count") == .number("2"))
            #expect(try await Self.count(ann, "waiting") == 4)
            #expect(try await Self.count(ben, "dead") == 2)
        }
    }
}
