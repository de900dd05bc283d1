import Testing

@testable import Web

@Suite("Proxies of the environment", .timeLimit(.minutes(10)))
struct ProxyTests {
    private func proxy(
        _ environment: [String: String], to host: String = "api.venue.test", isSecure: Bool = true
    ) throws -> String? {
        try WebProxies(environment: environment).proxy(to: host, isSecure: isSecure)?.url
    }

    @Test("are chosen by the scheme, in lower case first")
    func choice() throws {
        let all = [
            "HTTPS_PROXY": "http://up:1", "https_proxy": "low:2", "http_proxy": "plain", "ALL_PROXY": "x:3",
        ]
        #expect(try proxy(all) == "http://low:2")
        #expect(try proxy(all, isSecure: false) == "http://plain:1080")
        #expect(try proxy(["HTTPS_PROXY": "http://up:1/"]) == "http://up:1")
        #expect(try proxy(["HTTP_PROXY": "up:1"], isSecure: false) == nil, "a client may have said it")
        #expect(try proxy(["ALL_PROXY": "x:3"], isSecure: false) == "http://x:3")
        #expect(try proxy([:]) == nil && proxy(["https_proxy": ""]) == nil)
    }

    @Test(
        "are left out on the way to what no_proxy names, and to this machine",
        arguments: [
            ("*", "api.venue.test", true), ("venue.test", "api.venue.test", true),
            (".venue.test", "api.venue.test", true), ("VENUE.test", "venue.test", true),
            ("a.test, api.venue.test", "api.venue.test", true), ("enue.test", "api.venue.test", false),
            ("api.venue.test", "venue.test", false), ("10.0.0.1", "10.0.0.1", true), ("", "localhost", true),
            ("", "127.0.0.1", true), ("", "::1", true),
        ] as [(String, String, Bool)])
    func exceptions(_ list: String, _ host: String, _ isDirect: Bool) throws {
        let found = try proxy(["ALL_PROXY": "p:1", "no_proxy": list], to: host)
        #expect((found == nil) == isDirect)
    }

    @Test("that cannot be used are named, without what is secret in them")
    func unusable() {
        #expect(
            throws: WebError.proxyFailed(proxy: "socks5://", reason: "only http:// proxies are spoken to")
        ) {
            try WebProxy(parsing: "socks5://me:secret@p:1")
        }
        #expect(throws: WebError.proxyFailed(proxy: "p:x", reason: "it is no host with a port")) {
            try WebProxy(parsing: "http://me:secret@p:x")
        }
    }

    @Test("are told who asks, as Basic")
    func credentials() throws {
        // base64 of "me:s e:c"
        #expect(try WebProxy(parsing: "http://me:s%20e%3ac@p:1").authorization == "Basic bWU6cyBlOmM=")
        #expect(try WebProxy(parsing: "p:1").authorization == nil)
    }

    @Test("lead a WebSocket to its server, in the clear and in TLS", arguments: [false, true])
    func webSocket(_ isSecure: Bool) async throws {
        let certificate = try TestCertificate(names: "DNS:venue.test")
        defer { certificate.remove() }
        let server = try await RawServer.accepting(
            tls: isSecure ? certificate.serverContext() : nil, greeting: RawFrame.text("through"))
        let tunnel = try await TunnelServer.start()
        var configuration = WebSocketConfiguration.test.with {
            $0.trustRoots = .file(certificate.certificate)
        }
        configuration.proxies = WebProxies(environment: ["ALL_PROXY": "http://me:pw@127.0.0.1:\(tunnel.port)"]
        )
        let inbox = Inbox()
        let connection = try await inbox.connect(
            to: server.port, scheme: isSecure ? "wss" : "ws", host: "venue.test",
            configuration: configuration)
        connection.resume()
        #expect(await inbox.messages.next() == "through")
        let head = try #require(tunnel.log.all.first)
        #expect(head.hasPrefix("CONNECT venue.test:\(server.port) HTTP/1.1\r\n"))
        #expect(head.contains("Proxy-Authorization: Basic bWU6cHc=\r\n"))
        connection.close()
    }

    @Test("that refuse, or are not there, are what is wrong")
    func refused() async throws {
        let tunnel = try await TunnelServer.start(status: "407 Proxy Authentication Required")
        var configuration = WebSocketConfiguration.test
        for (port, reason) in [(tunnel.port, "it answered with status 407"), (1, "it is not reached")] {
            configuration.proxies = WebProxies(environment: ["ALL_PROXY": "127.0.0.1:\(port)"])
            await #expect(throws: WebError.proxyFailed(proxy: "127.0.0.1:\(port)", reason: reason)) {
                try await Inbox().connect(to: 9, host: "venue.test", configuration: configuration)
            }
        }
    }

    @Test("lead requests to their server as well")
    func requests() async throws {
        let certificate = try TestCertificate(names: "DNS:venue.test")
        defer { certificate.remove() }
        let server = try await HTTPTestServer.start(tls: certificate.serverContext()) { _ in .init(body: [1])
        }
        let tunnel = try await TunnelServer.start()
        let client = HTTPClient(
            configuration: HTTPClientConfiguration(
                trustRoots: .file(certificate.certificate),
                proxies: WebProxies(environment: ["https_proxy": "me:pw@127.0.0.1:\(tunnel.port)"])))
        #expect(try await client.get("https://venue.test:\(server.port)/").body == [1])
        let head = try #require(tunnel.log.all.first)
        #expect(head.contains("Proxy-Authorization: Basic bWU6cHc="))
    }
}
