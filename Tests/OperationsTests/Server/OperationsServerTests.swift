import Metrics
import NIOCore
import NIOPosix
import Testing

@testable import Operations

@Suite("Operations server", .timeLimit(.minutes(10)))
struct OperationsServerTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    private func server(
        port: Int = 0, host: String = "127.0.0.1", to clients: OperationsClients = .everybody
    ) async throws(ConfigurationError) -> OperationsServer {
        let metrics = MetricsRegistry()
        metrics.makeCounter(label: "things_total", dimensions: []).increment(by: 3)
        let responder = OperationsResponder(
            service: "s", instance: "i", health: HealthRegistry(), metrics: metrics,
            process: ProcessMetrics(startTime: 0))
        return try await OperationsServer.bind(
            NetworkAddress(host: host, port: port), setting: "BITPAL_S_OPERATIONS_ADDRESS", to: clients,
            responder: responder, group: group)
    }

    /// Sends bytes and collects all that comes until the server hangs up.
    private func exchange(
        _ request: String, host: String = "127.0.0.1", port: Int
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: group)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var answer = ""
            do {
                try await outbound.write(ByteBuffer(string: request))
                for try await buffer in inbound { answer += String(buffer: buffer) }
            } catch is IOError {
                // A server that refuses the rest of a request resets the connection; what it said came
                // before.
            } catch ChannelError.ioOnClosedChannel {
                // A server that answers nobody may hang up before the request is written.
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

    /// An address by which this machine reaches itself, and which is not loopback.
    private static let own = (try? System.enumerateDevices())?.lazy
        .compactMap { $0.address?.ipAddress }.first { $0.contains(".") && !$0.hasPrefix("127.") }

    @Test("answers whom it may answer, and hangs up on everybody else", .enabled(if: own != nil))
    func clients() async throws {
        let own = try #require(Self.own)
        let request = "GET /health/live HTTP/1.0\r\n\r\n"
        for (named, answers) in [("192.0.2.1", false), (own, true), ("", true)] {
            let settings = try Settings.load(
                service: "gateway", environment: ["BITPAL_OPERATIONS_CLIENTS": named])
            let server = try await server(host: "0.0.0.0", to: try OperationsClients(settings: settings))
            let port = server.address.port
            let answer = try await exchange(request, host: own, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 200") == answers, "\(named)")
            #expect(answers || answer.isEmpty)
            #expect(try await exchange(request, port: port).hasPrefix("HTTP/1.1 200"), "\(named)")
            server.close()
        }
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
