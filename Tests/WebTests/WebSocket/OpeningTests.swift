import NIOCore
import NIOPosix
import Testing

@testable import Web

@Suite("WebSocket opening", .timeLimit(.minutes(10)))
struct OpeningTests {
    private func failure(
        to port: Int, scheme: String = "ws", host: String = "127.0.0.1",
        configuration: WebSocketConfiguration = .test
    ) async -> WebError? {
        do {
            _ = try await Inbox().connect(to: port, scheme: scheme, host: host, configuration: configuration)
            return nil
        } catch {
            return error as? WebError
        }
    }

    private func answering(_ text: String) async throws -> RawServer {
        try await RawServer.start { peer, event in
            if case .request = event { peer.send(Array(text.utf8)) }
        }
    }

    @Test("tells a refusal with status and Retry-After")
    func refused() async throws {
        let server = try await answering("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\n\r\n")
        let error = await failure(to: server.port)
        #expect(error == .upgradeRefused(status: 429, retryAfter: .seconds(30)))
        #expect(error?.disposition == .retry(after: .seconds(30)))
    }

    @Test("tells an answer that is no HTTP, and one with a wrong key")
    func malformed() async throws {
        let other = try await answering("220 smtp.example.com ESMTP\r\n")
        #expect(await failure(to: other.port) == .upgradeMalformed(reason: "the answer is not HTTP"))
        let wrong = try await RawServer.start { peer, event in
            if case .request = event { peer.send(RawServer.acceptance(of: "Sec-WebSocket-Key: AAAA")) }
        }
        #expect(
            await failure(to: wrong.port)
                == .upgradeMalformed(reason: "Sec-WebSocket-Accept does not answer our key"))
    }

    @Test("tells a server that hangs up without an answer")
    func hungUp() async throws {
        let server = try await RawServer.start { peer, event in
            if case .request = event { peer.hangUp() }
        }
        #expect(
            await failure(to: server.port) == .connectionLost(reason: "the server hung up before it answered")
        )
    }

    @Test("tells a port where nobody listens")
    func nobody() async throws {
        let server = try await RawServer.start { _, _ in }
        let port = server.port
        try await server.stop()
        #expect(
            await failure(to: port)
                == .connectFailed(host: "127.0.0.1", port: port, reason: "Connection refused"))
    }

    @Test("tells a name without an address")
    func unresolved() async throws {
        guard case .nameUnresolved(let host, _) = await failure(to: 80, host: "no-such-host.invalid") else {
            Issue.record("resolved")
            return
        }
        #expect(host == "no-such-host.invalid")
    }

    @Test(
        "one deadline covers a server that never answers, in the clear and in TLS", arguments: ["ws", "wss"])
    func neverAnswers(scheme: String) async throws {
        let server = try await RawServer.start { _, _ in }
        let error = await failure(
            to: server.port, scheme: scheme,
            configuration: .test.with { $0.openDeadline = .milliseconds(100) })
        #expect(error == .timedOut(.opening, after: .milliseconds(100)))
    }

    @Test("ends when its task is cancelled")
    func cancelled() async throws {
        let asked = Mailbox<Bool>()
        let server = try await RawServer.start { _, event in
            if case .request = event { asked.put(true) }
        }
        let port = server.port
        let opening = Task { await failure(to: port) }
        _ = await asked.next()
        opening.cancel()
        #expect(await opening.value == .cancelled)
    }

    @Test("sends the headers asked for, and Host with the port")
    func headers() async throws {
        let heads = Mailbox<String>()
        let server = try await RawServer.start { peer, event in
            guard case .request(let head) = event else { return }
            heads.put(head)
            peer.send(RawServer.acceptance(of: head))
        }
        let configuration = WebSocketConfiguration.test.with { $0.headers = [("User-Agent", "bitpal")] }
        let connection = try await Inbox().connect(to: server.port, configuration: configuration)
        let lines = try #require(await heads.next()).split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /realtime HTTP/1.1")
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(lines.contains("User-Agent: bitpal"))
        connection.close()
    }
}

@Suite("WebSocket over TLS", .timeLimit(.minutes(10)))
struct TLSTests {
    @Test("refuses a certificate that nobody trusted signed, accepts it with its own root, checks the name")
    func trust() async throws {
        let certificate = try TestCertificate(names: "DNS:localhost")
        defer { certificate.remove() }
        let server = try await RawServer.accepting(
            tls: certificate.serverContext(), greeting: RawFrame.text("secret"))
        let trusting = WebSocketConfiguration.test.with { $0.trustRoots = .file(certificate.certificate) }

        await #expect(throws: WebError.tlsFailed(host: "localhost", reason: "CERTIFICATE_VERIFY_FAILED")) {
            try await Inbox().connect(to: server.port, scheme: "wss", host: "localhost")
        }
        let inbox = Inbox()
        let connection = try await inbox.connect(
            to: server.port, scheme: "wss", host: "localhost", configuration: trusting)
        connection.resume()
        #expect(await inbox.messages.next() == "secret")
        // The certificate names localhost only.
        do {
            _ = try await Inbox().connect(to: server.port, scheme: "wss", configuration: trusting)
            Issue.record("a certificate of another name was accepted")
        } catch let error as WebError {
            guard case .tlsFailed(host: "127.0.0.1", _) = error else {
                Issue.record("refused with \(error)")
                return
            }
        }
    }

    @Test("tells a server that does not speak TLS, and roots that cannot be read")
    func unusable() async throws {
        let plain = try await RawServer.greeting("HTTP/1.1 400 Bad Request\r\n\r\n")
        do {
            _ = try await Inbox().connect(to: plain.port, scheme: "wss")
        } catch let error as WebError {
            #expect(error == .tlsFailed(host: "127.0.0.1", reason: "WRONG_VERSION_NUMBER"))
        }
        let missing = WebSocketConfiguration.test.with { $0.trustRoots = .file("/nonexistent/roots.pem") }
        do {
            _ = try await Inbox().connect(to: plain.port, scheme: "wss", configuration: missing)
            Issue.record("connected without roots")
        } catch let error as WebError {
            #expect(error.disposition == .fatal)
        }
    }
}
