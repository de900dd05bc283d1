import Hummingbird
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// What attackers and broken clients send: a clear refusal each, and the server lives.
@Suite("Gateway corpus", .timeLimit(.minutes(10)))
struct CorpusTests {
    private static let note = Operation("note", .service, "Says what it was told.")

    /// A gateway with a route that takes a body.
    private static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (GatewayFixture) async throws -> Void
    ) async throws {
        try await GatewayFixture.run(
            configure,
            prepare: { gateway in
                gateway.addFurtherRoutes = { routes in
                    routes.post("/v1/notes", .open, Self.note) { (note: Note, _) in OK(note.said) }
                    routes.get("/v1/broken", .open, Self.note) { _ -> NoContent in throw Broken() }
                }
            }
        ) { fixture in
            try await body(fixture)
            #expect(try await fixture.client.get("/health/live").status == 200)
        }
    }

    private struct Broken: Error, CustomStringConvertible { var description: String { "secret text" } }

    @Test("answers health, names the request, and says what is not there")
    func health() async throws {
        try await Self.run { fixture async throws in
            let live = try await fixture.client.get("/health/live")
            #expect(live.text == #"{"status":"live"}"#)
            #expect(live.header("x-request-id")?.hasPrefix("test0000-") == true)
            #expect(live.header("x-content-type-options") == "nosniff")
            #expect(live.header("content-security-policy")?.contains("frame-ancestors 'none'") == true)
            #expect(live.header("strict-transport-security") == nil)
            let missing = try await fixture.client.get("/v1/nothing")
            #expect(missing.status == 404 && missing.problem == "not-found")
            let method = try await fixture.client.ask("DELETE", "/health/live")
            #expect(method.status == 405 && method.problem == "method-not-allowed")
            #expect(method.header("allow") == "GET")
            let head = try await fixture.client.ask("HEAD", "/health/live")
            #expect(head.status == 200 && head.body.isEmpty && head.header("content-length") == "17")
        }
    }

    @Test("tells nobody why it failed, but by which request")
    func failure() async throws {
        try await Self.run { fixture async throws in
            let answer = try await fixture.client.get("/v1/broken")
            #expect(answer.status == 500 && answer.problem == "internal")
            #expect(!answer.text.contains("secret"))
            #expect(answer.text.contains(answer.header("x-request-id") ?? "?"))
        }
    }

    @Test("refuses paths")
    func paths() async throws {
        try await Self.run { fixture async throws in
            for path in [
                "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/v1/tickers/%00", "/%c0%ae%c0%ae/",
                "/v1/tickers/%ff", "/v1/tickers/a%0d%0aSet-Cookie:x", "/v1/tickers/%", "/..\\..\\x",
                "/v1/instruments?q=%00", "/v1/instruments?q=%ff", "/v1/instruments?limit=%",
            ] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 400 && answer.problem == "bad-request", "\(path)")
            }
        }
    }

    private static let long = String(repeating: "a", count: 17_000)

    private static func head(_ fields: String) -> String {
        "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n"
    }

    @Test(
        "refuses heads",
        arguments: [
            (Self.head("X: \(Self.long)"), 431),
            ("GET /\(Self.long) HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
            (Self.head(String(repeating: "A: b\r\n", count: 200) + "B: c"), 431),
            ("GET /health/live HTTP/9.9\r\nHost: localhost\r\n\r\n", 400), ("GARBAGE\r\n\r\n", 400),
            (Self.head("Bad Name: b"), 400), (Self.head("Content-Length: x"), 400),
            (Self.head("Content-Length: 1\r\nContent-Length: 2"), 400),
            (Self.head("Content-Length: 3\r\nTransfer-Encoding: chunked") + "0\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", 400),
            ("GET /health/live HTTP/1.1\r\n\r\n", 400), (Self.head("Host: b"), 400),
            (Self.head("Transfer-Encoding: gzip, chunked") + "0\r\n\r\n", 400),
            (Self.head("Transfer-Encoding: xchunked") + "0\r\n\r\n", 400),
        ])
    func heads(text: String, status: Int) async throws {
        try await Self.run { fixture async throws in
            let answer = try await fixture.client.raw(Array(text.utf8))
            #expect(answer.status == status)
            #expect(answer.problem != nil)
        }
    }

    @Test("takes a head of 16 kB, names and values together, and refuses one of a byte more")
    func longestHead() async throws {
        try await Self.run { fixture async throws in
            let parts = ["/health/live", "Host", "localhost", "Connection", "close", "X"]
            let rest = 16_384 - parts.map(\.utf8.count).reduce(0, +)
            for (more, status) in [(0, 200), (1, 431)] {
                let long = String(repeating: "a", count: rest + more)
                let answer = try await fixture.client.raw(
                    Array(Self.head("Connection: close\r\nX: \(long)").utf8))
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.problem == (more == 0 ? nil : "header-too-large"))
            }
        }
    }

    @Test("refuses bodies by size, type and content")
    func bodies() async throws {
        try await Self.run { fixture async throws in
            let fits = #"{"text":"\#(String(repeating: "a", count: (1 << 20) - 11))"}"#
            #expect(fits.utf8.count == 1 << 20)
            #expect(try await fixture.client.ask("POST", "/v1/notes", json: fits).status == 200)
            for (json, status, code) in [
                (fits + " ", 413, "payload-too-large"), (#"{"text":1}"#, 422, "invalid-field"),
                (#"{"text":"\ud800"}"#, 400, "malformed-json"), ("", 400, "malformed-json"),
                (String(repeating: "[", count: 33), 400, "too-deep"),
                (#"{"text":"a","more":1}"#, 422, "invalid-field"),
            ] {
                let answer = try await fixture.client.ask("POST", "/v1/notes", json: json)
                #expect(answer.status == status && answer.problem == code, "\(json.prefix(40))")
            }
            let form = try await fixture.client.ask(
                "POST", "/v1/notes", headers: [("Content-Type", "text/plain")], json: #"{"text":"a"}"#)
            #expect(form.status == 415 && form.problem == "unsupported-media-type")
            let foreign = try await fixture.client.ask(
                "POST", "/v1/notes", headers: [("Sec-Fetch-Site", "cross-site")], json: #"{"text":"a"}"#)
            #expect(foreign.status == 403 && foreign.problem == "cross-site")
        }
    }

    @Test("refuses a body without end that says no length")
    func chunks() async throws {
        try await Self.run { fixture async throws in
            var text = "POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            text += "Transfer-Encoding: chunked\r\n\r\n"
            let chunk = "10000\r\n\(String(repeating: "a", count: 65_536))\r\n"
            let answer = try await fixture.client.raw(
                Array((text + String(repeating: chunk, count: 17)).utf8))
            #expect(answer.status == 413 && answer.problem == "payload-too-large")
        }
    }

    @Test(
        "refuses a body whose chunks are none",
        arguments: ["zz\r\n{}\r\n", "ffffffffffffffff1\r\n", "2\n{}\n0\n\n"])
    func brokenChunks(_ chunk: String) async throws {
        try await Self.run { fixture async throws in
            let text = """
                POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\n\(chunk)
                """
            let answer = try await fixture.client.raw(Array(text.utf8))
            #expect(answer.status == 400 && answer.problem == "bad-request")
        }
    }

    @Test("cuts a body that does not come")
    func slowBody() async throws {
        try await Self.run {
            $0.server.bodyTimeout = .milliseconds(100)
        } _: { fixture in
            let type = "Content-Type: application/json"
            let text = "POST /v1/notes HTTP/1.1\r\nHost: localhost\r\n\(type)\r\nContent-Length: 9\r\n\r\n{"
            let answer = try await fixture.client.raw(Array(text.utf8))
            #expect(answer.status == 408 && answer.problem == "too-slow")
        }
    }

    @Test("hangs up on a head that does not come")
    func slowHead() async throws {
        try await Self.run {
            $0.server.idleTimeout = .seconds(1)
        } _: { fixture in
            await #expect(throws: (any Error).self) {
                try await fixture.client.raw(Array("GET /health/live HT".utf8))
            }
        }
    }

    @Test("refuses who asks too often, by the address that a trusted proxy tells")
    func rates() async throws {
        try await Self.run {
            $0.server.requestsPerMinute = 1
            $0.server.proxies = ["127.0.0.1"]
        } _: { fixture in
            func ask(_ forwarded: String) async throws -> TestAnswer {
                try await fixture.client.get("/health/live", headers: [("X-Forwarded-For", forwarded)])
            }
            let first = try await ask("1.1.1.1")
            let limit = try #require(first.header("ratelimit-limit").flatMap { Int($0) })
            #expect(first.header("ratelimit-remaining") == "\(limit - 1)")
            for _ in 1..<limit { _ = try await ask("6.6.6.6, 1.1.1.1") }
            let refused = try await ask("7.7.7.7, 1.1.1.1")
            #expect(refused.status == 429 && refused.problem == "rate-limited")
            #expect(refused.header("retry-after").flatMap { Int($0) } ?? 0 > 0)
            #expect(try await ask("2.2.2.2").status == 200)
        }
    }
}
