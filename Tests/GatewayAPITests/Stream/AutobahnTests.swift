import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import Support
import Testing
import Web

@testable import GatewayFrame
@testable import GatewayStream

@Suite("Autobahn's test suite for WebSocket servers", .timeLimit(.minutes(10)))
struct AutobahnTests {
    @Test(
        "fails no case; those of compression, which the stream does not offer, are not for it",
        .enabled(if: Autobahn.isReady, "needs python3-venv, and packages from PyPI"))
    func suite() async throws {
        try await EchoServer.run { port in
            let output = Pipe()
            let process = try Autobahn.start("ws://127.0.0.1:\(port)\(StreamHandshake.path)", output: output)
            let handle = output.fileHandleForReading
            let reading = Task.detached { String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) }
            let python = process.processIdentifier
            let said = await withTaskCancellationHandler {
                await reading.value
            } onCancel: {
                kill(python, SIGKILL)
            }
            process.waitUntilExit()
            print(said)
            #expect(process.terminationStatus == 0, "\(said)")
        }
    }
}

/// A server with the gateway's connections and handshake, whose WebSockets send back every message.
private enum EchoServer {
    static func run(_ body: (Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let upgrade = StreamUpgrade(handshake: StreamHandshake(origins: [])) { _, _ in
            EchoConnection()
        } admit: { _, _ in
            StreamCaller()
        }
        let configuration = ServerConfiguration()
        let places = ConnectionLimit(configuration)
        let application = Application(
            router: Router(),
            server: HTTPServerBuilder { responder in
                GatewayChannel(
                    responder: responder, upgrade: upgrade.connectionUpgrade,
                    idleTimeout: configuration.idleTimeout, places: places)
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
            logger: TestDatabase.logger)
        try await serving([application]) {
            for await port in ports { return try await body(port) }
        }
    }
}

/// Sends back what it hears over the socket of the stream's connections.
///
/// The stream itself takes messages of text of at most 16 KiB; the suite's limits are wider.
private final class EchoConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let socket = ServerSocket(SocketFrames(limit: 16 << 20, takesBinary: true))

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        socket.append(&bytes)
        while let message = socket.next(context) {
            socket.send(context) {
                $0.writeSocketFrame(message.isBinary ? .binary : .text, count: message.bytes.count) {
                    $0.writeBytes(message.bytes)
                }
            }
        }
    }
}
