import AccountStore
import Hosting
import Instruments
import JSON
import NIOCore
import NIOPosix
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// What holds for connections that stay: real cookies and tokens, WebSockets and events.
@Suite("Live connections of accounts", .serialized, .timeLimit(.minutes(10)))
struct LiveAccessTests {
    private static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in }, countsByHand: Bool = false,
        _ body: (AccountGatewayFixture) async throws -> Void
    ) async throws {
        try await AccountGatewayFixture.run(
            configure, assemble: { gateway in gateway.addStream(gateway.services.market) },
            countsByHand: countsByHand, body)
    }

    /// Who asks, as headers of a WebSocket's handshake by our own page.
    private static func own(_ client: TestClient) -> [(String, String)] {
        client.headers + [("Origin", "http://127.0.0.1:\(client.port)")]
    }

    /// Reads events until they end; `begun` is called once the first has come.
    private static func events(_ client: TestClient, _ begun: () async throws -> Void) async throws -> String
    {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: client.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var head = "GET /v1/events?channel=trending&key= HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n"
            for (name, value) in client.headers + [("Connection", "close")] {
                head += "\(name): \(value)\r\n"
            }
            try await outbound.write(ByteBuffer(string: head + "\r\n"))
            var text = ""
            var isBegun = false
            for try await part in inbound {
                text += String(buffer: part)
                if !isBegun, text.contains(": heartbeat") {
                    isBegun = true
                    try await begun()
                }
            }
            return text
        }
    }

    private static func token(_ client: TestClient) async throws -> (id: String, text: String) {
        let made = try await client.ask(
            "POST", "/v1/account/tokens", json: #"{"name":"t","scopes":["market:read"]}"#)
        return (try #require(made.string("id")), try #require(made.string("token")))
    }

    /// What ends them, by who is signed in.
    private static let ends: [@Sendable (TestClient, String) async throws -> TestAnswer] = [
        { client, token in try await client.ask("DELETE", "/v1/account/tokens/\(token)") },
        { client, _ in
            try await client.ask(
                "DELETE", "/v1/account", json: #"{"password":"\#(AccountGatewayFixture.password)"}"#)
        },
    ]

    @Test("of a token end when it is revoked and when its account is erased", arguments: [0, 1])
    func tokens(_ number: Int) async throws {
        try await Self.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let ben = try fixture.client(try await fixture.signUp("ben@example.org"))
            let (id, text) = try await Self.token(ann)
            let program = fixture.client(token: text)
            let other = fixture.client(token: try await Self.token(ben).text)
            try await StreamClient.run(port: ben.port, headers: other.headers) { others, _ async throws in
                let events = try await StreamClient.run(port: ann.port, headers: program.headers) {
                    socket, head async throws in
                    #expect(head.hasPrefix("HTTP/1.1 101"))
                    let events = try await Self.events(program) {
                        #expect(try await Self.ends[number](ann, id).status == 204)
                        let (code, reason) = try await socket.closing()
                        #expect(code == 1008 && reason == "signed out")
                    }
                    return events
                }
                #expect(events.hasPrefix("HTTP/1.1 200") && events.hasSuffix("0\r\n\r\n"))
                #expect(try await program.get("/v1/account").status == 401)
                try await others.send("{\"op\":\"ping\"}")
                #expect(try await others.message()["type"] == .string("pong"))
            }
        }
    }

    @Test(
        "of a session end with signing out everywhere, a new password, disabling, and when it is idle",
        arguments: ["everywhere", "password", "idle", "disabled"])
    func sessions(_ way: String) async throws {
        try await Self.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let made = try await fixture.signUp("ann@example.org")
            let ann = try fixture.client(made)
            let second = try fixture.client(try await fixture.signIn("ann@example.org"))
            try await StreamClient.run(port: ann.port, headers: Self.own(ann)) { socket, head async throws in
                #expect(head.hasPrefix("HTTP/1.1 101"))
                switch way {
                case "everywhere": _ = try await second.ask("POST", "/v1/auth/sign-out-everywhere")
                case "password":
                    let json =
                        #"{"current":"\#(AccountGatewayFixture.password)","new":"another lantern quilt"}"#
                    #expect(try await second.ask("POST", "/v1/auth/password", json: json).status == 204)
                case "disabled":
                    let id = try #require(made.string("user.id"))
                    let answer = try await boss.ask(
                        "PATCH", "/v1/operator/users/\(id)", json: #"{"disabled":true}"#)
                    #expect(answer.status == 200)
                default:
                    fixture.clock.advance(seconds: 1_801)
                    let now = fixture.clock.now
                    try await fixture.database.withSession { try $0.tidyAccounts(at: now) }
                }
                #expect(try await socket.closing().0 == 1008)
            }
            #expect(try await ann.get("/v1/account").status == 401)
        }
    }

    @Test("of a token end when its time is over")
    func expiry() async throws {
        try await Self.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let expires = fixture.clock.now.adding(nanoseconds: 60_000_000_000).inAnswers
            let made = try await ann.ask(
                "POST", "/v1/account/tokens",
                json: #"{"name":"t","scopes":["market:read"],"expires":"\#(expires)"}"#)
            let program = fixture.client(token: try #require(made.string("token")))
            try await StreamClient.run(port: ann.port, headers: program.headers) { socket, _ async throws in
                let events = try await Self.events(program) {
                    fixture.clock.advance(seconds: 61)
                    var tidying = AccountExpiry(services: fixture.fixture.services, hasher: fixture.hasher)
                    tidying.time = { _ in fixture.clock.now }
                    try await serving([tidying]) { () async throws in
                        #expect(try await socket.closing().0 == 1008)
                    }
                }
                #expect(events.hasPrefix("HTTP/1.1 200") && events.hasSuffix("0\r\n\r\n"))
            }
        }
    }

    @Test("are counted as requests, by the address that asks, before anything is looked up")
    func handshakes() async throws {
        try await Self.run(
            {
                $0.server.requestsPerMinute = 60
                $0.server.proxies = ["127.0.0.1"]
            }, countsByHand: true
        ) { fixture async throws in
            func status(_ address: String) async throws -> String {
                try await StreamClient.run(
                    port: fixture.nobody.port, headers: [("X-Forwarded-For", address)]
                ) { _, head async throws in String(head.split(separator: " ")[1]) }
            }
            // Thirty at once; a handshake costs five.
            for _ in 0..<6 { #expect(try await status("1.1.1.1") == "101") }
            #expect(try await status("1.1.1.1") == "429")
            #expect(try await status("2.2.2.2") == "101")
        }
    }

    @Test("are so many for a user and an address, and no more, until one ends")
    func liveLimit() throws {
        let liveLimit = ClientLimit(of: "live connections", ofUser: 2, ofAddress: 1)
        let alice = StreamFixture.alice
        var held: [ClientLimit.Permit] = []
        held.append(try liveLimit.take(alice, from: "1.1.1.1"))
        held.append(try liveLimit.take(alice, from: "2.2.2.2"))
        let problem = #expect(throws: Problem.self) { _ = try liveLimit.take(alice, from: "3.3.3.3") }
        #expect(problem?.code == .rateLimited && problem?.retryAfter == 5)
        held.append(try liveLimit.take(nil, from: "1.1.1.1"))
        #expect(throws: Problem.self) { _ = try liveLimit.take(nil, from: "1.1.1.1") }
        held.append(try liveLimit.take(StreamFixture.bob, from: "1.1.1.1"))
        held.removeFirst()
        held.append(try liveLimit.take(alice, from: "1.1.1.1"))
        held = []
        for _ in 0..<2 { held.append(try liveLimit.take(alice, from: "1.1.1.1")) }
    }

    @Test("past their number are refused with a problem, as WebSockets and as events")
    func full() async throws {
        try await Self.run {
            $0.server.connectionLimit = 2
        } _: { fixture async throws in
            try await StreamClient.run(port: fixture.nobody.port) { socket, head async throws in
                #expect(head.hasPrefix("HTTP/1.1 101"))
                let upgrade = [
                    "GET /v1/stream HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "\r\n",
                ].joined(separator: "\r\n")
                for refused in [
                    try await fixture.nobody.raw(Array(upgrade.utf8)),
                    try await fixture.nobody.get("/v1/events?channel=trending"),
                ] {
                    #expect(refused.status == 429 && refused.problem == "rate-limited")
                    let detail = "one address has at most 1 live connections; close some"
                    #expect(refused.string("detail") == detail)
                    #expect(refused.header("retry-after") == "5")
                }
                try await socket.send("{\"op\":\"ping\"}")
                #expect(try await socket.message()["type"] == .string("pong"))
            }
        }
    }
}
