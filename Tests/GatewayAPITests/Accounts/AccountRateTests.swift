import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// Limits by who asks, over HTTP: each request here comes from an address of its own.
@Suite("How often accounts may ask", .timeLimit(.minutes(10)))
struct AccountRateTests {
    /// A gateway whose clock stands still: an address and a token may ask 30 times at once, a user 60 times.
    private static func run(_ body: (AccountGatewayFixture) async throws -> Void) async throws {
        try await AccountGatewayFixture.run(
            {
                $0.server.requestsPerMinute = 120
                $0.server.proxies = ["127.0.0.1"]
            }, countsByHand: true, body)
    }

    /// Asks from so many addresses; the answers.
    private static func ask(_ client: TestClient, _ count: Int) async throws -> [TestAnswer] {
        var answers: [TestAnswer] = []
        for number in 0..<count {
            let address = "10.\(client.headers.count).\(number / 200).\(number % 200)"
            answers.append(try await client.get("/v1/account", headers: [("X-Forwarded-For", address)]))
        }
        return answers
    }

    private static func expectRefusal(_ answer: TestAnswer, limit: Int, window: Int) {
        #expect(answer.status == 429 && answer.problem == "rate-limited", "\(answer.text)")
        #expect(answer.header("retry-after") == "1")
        #expect(answer.header("ratelimit-limit") == "\(limit)")
        #expect(answer.header("ratelimit-remaining") == "0")
        #expect(answer.header("ratelimit-reset") == "\(window)")
        #expect(answer.header("ratelimit-policy") == "\(limit);w=\(window)")
    }

    private static func token(_ client: TestClient, _ fixture: AccountGatewayFixture) async throws
        -> TestClient
    {
        let made = try await client.ask(
            "POST", "/v1/account/tokens", headers: [("X-Forwarded-For", "10.200.0.1")],
            json: #"{"name":"t","scopes":["account:read"]}"#)
        return fixture.client(token: try #require(made.string("token")))
    }

    @Test("is counted for a user, from wherever, and for no other user")
    func users() async throws {
        try await Self.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            fixture.clock.advance(seconds: 60)
            let ben = try fixture.client(try await fixture.signUp("ben@example.org"))
            let answers = try await Self.ask(ann, 60)
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.first?.header("ratelimit-remaining") == "59")
            #expect(answers.last?.header("ratelimit-remaining") == "0")
            Self.expectRefusal(try await Self.ask(ann, 1)[0], limit: 60, window: 15)
            #expect(try await Self.ask(ben, 1)[0].header("ratelimit-remaining") == "59")
            // Four are earned in a second.
            fixture.clock.advance(seconds: 1)
            #expect(try await Self.ask(ann, 5).map(\.status) == [200, 200, 200, 200, 429])
        }
    }

    @Test("is counted for a token, and leaves its owner and the owner's other tokens their share")
    func tokens() async throws {
        try await Self.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let (busy, calm) = (try await Self.token(ann, fixture), try await Self.token(ann, fixture))
            fixture.clock.advance(seconds: 60)
            let answers = try await Self.ask(busy, 30)
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.last?.header("ratelimit-remaining") == "0")
            for refused in try await Self.ask(busy, 40) {
                Self.expectRefusal(refused, limit: 30, window: 15)
            }
            #expect(try await Self.ask(calm, 1)[0].header("ratelimit-remaining") == "29")
            // What the token was refused has cost its owner nothing.
            #expect(try await Self.ask(ann, 1)[0].header("ratelimit-remaining") == "28")
        }
    }
}
