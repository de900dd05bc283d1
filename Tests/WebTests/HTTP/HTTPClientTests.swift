import NIOHTTP1
import Support
import Testing

@testable import Web

@Suite("HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientTests {
    private let client = HTTPClient()

    private func failure(
        _ url: String, client: HTTPClient? = nil, timeout: Duration = .seconds(30),
        maximumBytes: Int = 1 << 20
    ) async -> WebError? {
        do throws(WebError) {
            _ = try await (client ?? self.client).get(url, timeout: timeout, maximumBytes: maximumBytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("returns status, headers and body, whatever the status", arguments: [200, 404, 418, 500])
    func statuses(status: Int) async throws {
        let server = try await HTTPTestServer.start { _ in
            .init(status: status, headers: [("X-Used-Weight", "12")], body: Array("body of \(status)".utf8))
        }
        let response = try await client.get("http://127.0.0.1:\(server.port)/x")
        #expect(response.status == status)
        #expect(response.header("x-used-weight") == "12")
        #expect(response.header("absent") == nil)
        #expect(String(decoding: response.body, as: UTF8.self) == "body of \(status)")
    }

    @Test("reads how long a 429 asks to wait")
    func tooMany() async throws {
        let server = try await HTTPTestServer.start { _ in
            .init(status: 429, headers: [("Retry-After", "120")])
        }
        let response = try await client.get("http://127.0.0.1:\(server.port)/")
        #expect(response.status == 429)
        #expect(response.retryAfter == .seconds(120))
    }

    @Test("sends path, query, its name and the headers asked for; a line break makes no second header")
    func request() async throws {
        let requests = Mailbox<HTTPRequestHead>()
        let server = try await HTTPTestServer.start { head in
            requests.put(head)
            return .init()
        }
        _ = try await client.get(
            "http://127.0.0.1:\(server.port)/depth?symbol=BTCUSDT&limit=5", headers: [("X-A", "1\r\nEvil: 2")]
        )
        let head = try #require(await requests.next())
        #expect(head.uri == "/depth?symbol=BTCUSDT&limit=5")
        #expect(head.headers["user-agent"] == ["bitpal"])
        #expect(head.headers["x-a"] == ["1Evil: 2"])
        #expect(head.headers["evil"].isEmpty)
    }

    @Test("sends a body with its method, also an empty one", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func body(method: String) async throws {
        let receiver = try HookReceiver()
        let body = Array(#"{"name":"Coins"}"#.utf8)
        for body in [body, [], nil] {
            let answer = try await client.send(
                method, receiver.url("/a"), headers: [("Content-Type", "application/json")], body: body)
            #expect(answer.status == 200)
            let received = try #require(receiver.received.last)
            #expect(received.path == "/a" && received.body == body ?? [])
        }
        receiver.close()
    }

    @Test("sends the method that it is told")
    func method() async throws {
        let requests = Mailbox<HTTPRequestHead>()
        let server = try await HTTPTestServer.start { head in
            requests.put(head)
            return .init()
        }
        for method in ["GET", "PUT", "DELETE"] {
            _ = try await client.send(method, "http://127.0.0.1:\(server.port)/", body: nil)
            #expect(await requests.next()?.method.rawValue == method)
        }
    }

    @Test("does not follow a redirect")
    func redirect() async throws {
        let server = try await HTTPTestServer.start { head in
            head.uri == "/" ? .init(status: 302, headers: [("Location", "/other")]) : .init()
        }
        #expect(try await client.get("http://127.0.0.1:\(server.port)/").status == 302)
    }

    @Test("refuses a body past the limit, not one at the limit")
    func oversized() async throws {
        let server = try await HTTPTestServer.start { _ in .init(body: Array(repeating: 7, count: 100_000)) }
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(await failure(url, maximumBytes: 99_999) == .responseTooLarge(limit: 99_999))
        #expect(await failure(url, maximumBytes: 100_000) == nil)
    }

    @Test("gives up a server that does not answer in time")
    func timeout() async throws {
        let server = try await HTTPTestServer.start { _ in nil }
        let error = await failure("http://127.0.0.1:\(server.port)/", timeout: .milliseconds(100))
        #expect(error == .timedOut(.request, after: .milliseconds(100)))
        #expect(error?.disposition == .retry(after: nil))
    }

    @Test("tells a port where nobody listens, a name without an address, and what is no address")
    func unreachable() async throws {
        let server = try await HTTPTestServer.start { _ in nil }
        let port = server.port
        try await server.stop()
        guard
            case .connectFailed(host: "127.0.0.1", port: port, _) = await failure(
                "http://127.0.0.1:\(port)/?key=1")
        else {
            Issue.record("connected")
            return
        }
        guard
            case .nameUnresolved(host: "no-such-host.invalid", _) = await failure(
                "http://no-such-host.invalid/")
        else {
            Issue.record("resolved")
            return
        }
        for url in ["ftp://127.0.0.1/", "file:///etc/hostname", "http://"] {
            let error = await failure(url)
            #expect(error?.disposition == .fatal, "\(url): \(String(describing: error))")
        }
    }

    @Test("ends at once when its task is cancelled, and is used again")
    func cancelled() async throws {
        let asked = Mailbox<Bool>()
        let server = try await HTTPTestServer.start { head in
            asked.put(true)
            return head.uri == "/hang" ? nil : .init()
        }
        let port = server.port
        let hanging = Task { await failure("http://127.0.0.1:\(port)/hang") }
        _ = await asked.next()
        hanging.cancel()
        #expect(await hanging.value == .cancelled)
        #expect(try await client.get("http://127.0.0.1:\(port)/").status == 200)
        #expect(client.counters == HTTPClientCounters(running: 0, waiting: 0, waitingMaximum: 0, refused: 0))
    }

    @Test("runs so many at once, lets so many wait, and refuses the next")
    func bounded() async throws {
        let asked = Mailbox<Bool>()
        let server = try await HTTPTestServer.start { _ in
            asked.put(true)
            return nil
        }
        let client = HTTPClient(configuration: .init(maximumConcurrent: 1, maximumWaiting: 1))
        let url = "http://127.0.0.1:\(server.port)/"
        let first = Task { await failure(url, client: client) }
        _ = await asked.next()
        let second = Task { await failure(url, client: client) }
        try await eventually { client.counters.waiting > 0 }
        #expect(await failure(url, client: client) == .queueFull(waiting: 1))
        #expect(client.counters == HTTPClientCounters(running: 1, waiting: 1, waitingMaximum: 1, refused: 1))
        second.cancel()
        #expect(await second.value == .cancelled)
        first.cancel()
        #expect(await first.value == .cancelled)
        #expect(client.counters.running == 0)
    }

    @Test(
        "verifies certificates: refused by the system's roots, accepted by the given ones, never for another name"
    )
    func tls() async throws {
        let certificate = try TestCertificate(names: "DNS:localhost")
        defer { certificate.remove() }
        let server = try await HTTPTestServer.start(tls: certificate.serverContext()) { _ in .init(body: [1])
        }
        let trusting = HTTPClient(configuration: .init(trustRoots: .file(certificate.certificate)))
        guard case .tlsFailed(host: "localhost", _) = await failure("https://localhost:\(server.port)/")
        else {
            Issue.record("an unknown certificate was accepted")
            return
        }
        #expect(await failure("https://localhost:\(server.port)/", client: trusting) == nil)
        guard case .tlsFailed = await failure("https://127.0.0.1:\(server.port)/", client: trusting) else {
            Issue.record("a certificate of another name was accepted")
            return
        }
    }

    @Test("says nothing of path and query in its errors")
    func privacy() {
        let request = CurlRequest(
            url: "https://user:pass@example.com:8443/private?signature=abc", headers: [],
            timeout: .seconds(1),
            maximumBytes: 1, configuration: .init())
        #expect(request.shownAddress == "https://example.com:8443")
        #expect(request.host == "example.com")
    }
}
