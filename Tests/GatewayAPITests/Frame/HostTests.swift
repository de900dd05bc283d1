import Operations
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Hosts and addresses of the gateway", .serialized, .timeLimit(.minutes(10)))
struct HostTests {
    private static func configuration(
        _ address: String, page: String? = nil, isBehindProxy: Bool = false
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.address = NetworkAddress(address) ?? configuration.address
        configuration.pageURL = page
        configuration.isBehindProxy = isBehindProxy
        return configuration
    }

    private static let here = configuration("127.0.0.1:8080")
    private static let named = configuration("[::1]:8080", page: "https://bitpal.example:8443")
    private static let proxied = configuration("127.0.0.1:8080", isBehindProxy: true)
    private static let elsewhere = configuration("0.0.0.0:8080", isBehindProxy: true)
    private static let composed = configuration(
        "0.0.0.0:8080", page: "http://[2001:db8::1]:80", isBehindProxy: true)

    @Test(
        "serve the names of this machine on loopback, and the page's",
        arguments: [
            (here, "127.0.0.1:8080", true), (here, "localhost", true), (here, "LocalHost:1", true),
            (here, "[::1]:8080", true), (here, "evil.example:8080", false), (here, "10.0.0.1:8080", false),
            (here, "localhost.evil.example", false), (here, "127.0.0.1.evil.example:8080", false),
            (here, "evil.example@localhost", false), (here, "localhost.", false), (here, "", false),
            (here, "[::1", true), (here, "[::2]:8080", false), (here, "bitpal.example", false),
            (named, "bitpal.example", true), (named, "Bitpal.Example:8443", true),
            (named, "localhost:1", true),
            (named, "x.bitpal.example", false), (named, "10.0.0.1", false),
            (proxied, "anything.example", true), (elsewhere, "anything.example", true),
            (composed, "[2001:db8::1]", true), (composed, "10.1.2.3:8080", true),
            (composed, "gateway", false),
            (composed, "localhost:8080", true),
        ] as [(ServerConfiguration, String, Bool)])
    func rule(configuration: ServerConfiguration, host: String, isServed: Bool) {
        let problem: Problem?
        do throws(Problem) {
            try HostRule(configuration).check(host)
            problem = nil
        } catch {
            problem = error
        }
        #expect((problem == nil) == isServed, "\(host)")
        #expect(problem == nil || problem?.code == .wrongHost && problem?.field == "Host")
    }

    @Test(
        "are told as a browser can use them, with passkeys where that is this machine",
        arguments: [
            (here, "127.0.0.1:8080", "http://localhost:8080"), (here, "[::1]:1", "http://localhost:1"),
            (here, "127.0.0.2:1", "http://127.0.0.2:1"), (elsewhere, "0.0.0.0:1", "http://0.0.0.0:1"),
            (named, "[::1]:1", "https://bitpal.example:8443"),
        ] as [(ServerConfiguration, String, String)])
    func origin(configuration: ServerConfiguration, address: String, origin: String) throws {
        #expect(configuration.origin(at: try #require(NetworkAddress(address))) == origin)
    }

    private static func ask(_ client: TestClient, _ line: String, _ host: String, _ more: String = "")
        async throws -> TestAnswer
    {
        let end = more.isEmpty ? "Connection: close\r\n" : more
        return try await client.raw(Array("\(line) HTTP/1.1\r\nHost: \(host)\r\n\(end)\r\n".utf8))
    }

    @Test("refuse what another site's name was led to, at routes, at files and at the stream")
    func rebinding() async throws {
        try await AccountGatewayFixture.run(
            assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { fixture async throws in
            let evil = "evil.example:\(fixture.nobody.port)"
            for path in ["/v1/tickers", "/v1/session", "/", "/nothing"] {
                let answer = try await Self.ask(fixture.nobody, "GET \(path)", evil)
                #expect(answer.status == 421 && answer.problem == "wrong-host", "\(path)")
            }
            let handshake = """
                Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \
                AAAAAAAAAAAAAAAAAAAAAA==\r\nConnection: Upgrade\r\nOrigin: http://\(evil)\r\n
                """
            #expect(try await Self.ask(fixture.nobody, "GET /v1/stream", evil, handshake).status == 421)
            // Who watches over us may call us what they like.
            #expect(try await Self.ask(fixture.nobody, "GET /health/live", evil).status == 200)
            for host in ["localhost:1", "[::1]", "127.0.0.1"] {
                #expect(try await Self.ask(fixture.nobody, "GET /v1/session", host).status == 200)
            }
        }
    }

    private static func streaming(
        _ configure: (inout GatewayConfiguration) -> Void, _ body: (TestClient) async throws -> Void
    ) async throws {
        try await AccountGatewayFixture.run(
            configure, assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { try await body($0.fixture.client) }
    }

    @Test("have so many connections each, and the next is told so, until one ends")
    func places() async throws {
        try await Self.streaming {
            $0.server.connectionsPerAddress = 2
        } _: { client in
            try await StreamClient.run(port: client.port) { _, _ in
                try await StreamClient.run(port: client.port) { _, _ in
                    let refused = try await client.raw([])
                    #expect(refused.status == 503 && refused.problem == "unavailable")
                    #expect(refused.header("retry-after") == "5")
                }
            }
            // A place is free when its connection has ended, which is not at once.
            try await eventually { try await client.get("/health/live").status == 200 }
        }
    }

    @Test(
        "are not counted where they are a proxy's",
        arguments: [["127.0.0.1"], ["10.0.0.5", "127.0.0.0/8"]] as [TrustedProxies])
    func proxies(trusted: TrustedProxies) async throws {
        try await Self.streaming {
            $0.server.connectionsPerAddress = 1
            $0.server.proxies = trusted
        } _: { client in
            try await StreamClient.run(port: client.port) { _, _ async throws in
                #expect(try await client.get("/health/live").status == 200)
            }
        }
    }
}
