import Foundation
import Support
import Testing

/// The nginx of Debian, as the page about proxies sets it up.
private struct Proxy {
    static let program = "/usr/sbin/nginx"

    let port: UInt16
    private let process: ChildProcess

    /// Starts it in front of a gateway; without TLS, which is nginx's own affair.
    init(to gateway: UInt16) async throws {
        port = try FreePorts.run(of: 1)
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "services/gateway/PROXY.md"), encoding: .utf8)
        guard let start = page.range(of: "```nginx\n"),
            let end = page.range(of: "```", range: start.upperBound..<page.endIndex)
        else { throw PropertyFailure("the page has no block of nginx") }
        let block = page[start.upperBound..<end.lowerBound].split(separator: "\n")
            .filter { !$0.contains("ssl_certificate") }.joined(separator: "\n")
            .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
            .replacing("127.0.0.1:8080", with: "127.0.0.1:\(gateway)")
        let folder = try TestDatabase.temporaryDirectory()
        try """
        daemon off; pid \(folder)/pid; error_log stderr; events {}
        http {
            access_log off; client_body_temp_path \(folder)/b; proxy_temp_path \(folder)/p;
            fastcgi_temp_path \(folder)/f; uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
            \(block)
        }

        """.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        process = try ChildProcess(
            Self.program, arguments: ["-p", folder, "-e", "stderr", "-c", folder + "/nginx.conf"],
            folder: folder)
        while (try? RawSocket(port: port)) == nil {
            guard process.isRunning else { throw PropertyFailure(process.errors) }
            try ChildProcess.turn()
        }
    }

    /// The first line of an answer to somebody at an address of loopback who claims to be somebody else.
    func ask(_ path: String, from address: String, headers: [String], until part: String) throws -> String {
        let socket = try RawSocket(port: port, from: address)
        try socket.ask(path, headers: ["X-Forwarded-For: 203.0.113.9"] + headers)
        try socket.read(until: part)
        return String(socket.text.prefix { $0 != "\r\n" })
    }

    func stop() async {
        process.signal(SIGTERM)
        _ = await process.exitStatus()
    }
}

@Suite("A gateway behind nginx", .serialized, .timeLimit(.minutes(10)))
struct ProxyTests {
    @Test(
        "counts each client for itself, whatever it says that it is, and upgrades to the stream",
        .enabled(if: FileManager.default.isExecutableFile(atPath: Proxy.program), "needs nginx"))
    func clients() async throws {
        // Thirty at once, and one more each minute.
        let running = try await GatewayProcess.start([
            "BITPAL_GATEWAY_BEHIND_PROXY": "true", "BITPAL_GATEWAY_PROXIES": "127.0.0.1/32",
            "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1",
        ])
        let proxy = try await Proxy(to: running.port)
        func status(from address: String) throws -> String {
            try proxy.ask(
                "/health/live", from: address, headers: ["Connection: close"], until: "\r\n\r\n")
        }
        for _ in 0..<30 { #expect(try status(from: "127.0.0.2").hasPrefix("HTTP/1.1 200")) }
        #expect(try status(from: "127.0.0.2").hasPrefix("HTTP/1.1 429"))
        #expect(try status(from: "127.0.0.3").hasPrefix("HTTP/1.1 200"))
        let upgraded = try proxy.ask(
            "/v1/stream", from: "127.0.0.4",
            headers: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ], until: "\r\n\r\n")
        #expect(upgraded.hasPrefix("HTTP/1.1 101"))
        await proxy.stop()
        #expect(await running.stop() == 0)
    }
}
