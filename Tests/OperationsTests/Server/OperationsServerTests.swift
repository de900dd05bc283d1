import Metrics
import NIOCore
import NIOPosix
import Testing

@testable import Operations

@Suite("Operations server", .timeLimit(.minutes(10)))
struct OperationsServerTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    private func server(port: Int = 0) async throws(ConfigurationError) -> OperationsServer {
        let metrics = MetricsRegistry()
        metrics.makeCounter(label: "things_total", dimensions: []).increment(by: 3)
        let responder = OperationsResponder(
            service: "s", instance: "i", health: HealthRegistry(), metrics: metrics,
            process: ProcessMetrics(startTime: 0))
        return try await OperationsServer.bind(
            NetworkAddress(host: "127.0.0.1", port: port), setting: "BITPAL_S_OPERATIONS_ADDRESS",
            responder: responder, group: group)
    }

    /// Sends bytes and collects all that comes until the server hangs up.
    private func exchange(_ request: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: group)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var answer = ""
            do {
                for try await buffer in inbound { answer += String(buffer: buffer) }
            } catch is IOError {
                // A server that refuses the rest of a request resets the connection; what it said came
                // before.
            }
            return answer
        }
    }

    @Test("serves metrics and health, several requests on a connection")
    func serves() async throws {
        let server = try await server()
        let answer = try await exchange(
            "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\nHEAD /metrics HTTP/1.1\r\nHost: h\r\n\r\n"
                + "GET /health/live HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            port: server.address.port)
        #expect(answer.count(of: "HTTP/1.1 200 OK\r\n") == 3)
        #expect(answer.count(of: "things_total 3\n") == 1)
        #expect(answer.contains("process_resident_memory_bytes "))
        #expect(answer.hasSuffix("\"instance\":\"i\"}\n"))
        server.close()
    }

    @Test(
        "answers what is not there, not allowed, too long and not HTTP",
        arguments: [
            ("GET /x HTTP/1.0\r\n\r\n", "404 Not Found"),
            ("POST /metrics HTTP/1.0\r\n\r\n", "405 Method Not Allowed"),
            (
                "GET /metrics HTTP/1.1\r\nContent-Length: 20000\r\n\r\n"
                    + String(repeating: "x", count: 20_000), "413 "
            ),
            ("rubbish\r\n\r\n", "400 Bad Request"),
            (
                "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n",
                "400 Bad Request"
            ),
        ])
    func refuses(request: String, status: String) async throws {
        let server = try await server()
        #expect(try await exchange(request, port: server.address.port).hasPrefix("HTTP/1.1 \(status)"))
        server.close()
    }

    @Test(
        "hangs up behind a request to speak another protocol",
        arguments: [
            "GET /metrics HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n",
        ])
    func leaves(request: String) async throws {
        let server = try await server()
        #expect(try await exchange(request, port: server.address.port).contains("\r\nConnection: close\r\n"))
        server.close()
    }

    @Test("a port in use is a configuration error that names it")
    func portInUse() async throws {
        let first = try await server()
        let port = first.address.port
        await #expect(
            throws: ConfigurationError.portInUse("127.0.0.1:\(port)", setting: "BITPAL_S_OPERATIONS_ADDRESS")
        ) { try await server(port: port) }
        first.close()
    }

    @Test("stops when cancelled, and frees the port")
    func stops() async throws {
        let first = try await server()
        let port = first.address.port
        let running = Task { try await first.run() }
        running.cancel()
        try await running.value
        let second = try await server(port: port)
        #expect(second.address.port == port)
        second.close()
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
