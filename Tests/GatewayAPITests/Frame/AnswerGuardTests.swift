import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import GatewayFrame

/// The guard behind the decoder of a connection, without a network.
@Suite("The guard of a connection")
struct AnswerGuardTests {
    private static let plain = "GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Counts what is read from the network.
    private final class Network: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var reads = 0

        func read(context: ChannelHandlerContext) { reads += 1 }
    }

    private static func run(_ body: (EmbeddedChannel, Network) throws -> Void) throws {
        let (channel, network) = (EmbeddedChannel(), Network())
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        try channel.pipeline.syncOperations.addHandlers([
            network, HTTPResponseEncoder(), decoder, AnswerGuard(),
        ])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        try body(channel, network)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    private static func answer(_ channel: EmbeddedChannel) throws -> String {
        let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["content-length": "0"])
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        var said = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) { said += String(buffer: part) }
        return said
    }

    @Test(
        "reads nothing behind a request for another protocol, and its answer is the last",
        arguments: [
            "GET /v1/stream HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nupgrade: h2c\r\nconnection: HTTP2-Settings, uPGRADE\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\nContent-Length: 1\r\n\r\nx",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        ], [0, 1])
    func leaving(_ request: String, after earlier: Int) throws {
        try Self.run { channel, network in
            for _ in 0..<earlier {
                try channel.writeInbound(ByteBuffer(string: Self.plain))
                #expect(try !Self.answer(channel).contains("close"))
            }
            channel.read()
            #expect(network.reads == 1)
            try channel.writeInbound(ByteBuffer(string: request + "and more"))
            channel.read()
            #expect(network.reads == 1)
            #expect(try Self.answer(channel).lowercased().contains("connection: close\r\n"))
        }
    }

    @Test("answers what was asked before a request for another protocol, then that, then closes")
    func behind() throws {
        try Self.run { channel, _ in
            let leaving = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
            try channel.writeInbound(ByteBuffer(string: Self.plain + leaving))
            #expect(try !Self.answer(channel).contains("close"))
            #expect(try Self.answer(channel).lowercased().contains("connection: close\r\n"))
        }
    }

    @Test("reads on behind a request that only names an upgrade")
    func staying() throws {
        try Self.run { channel, network in
            try channel.writeInbound(
                ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\n\r\n" + Self.plain))
            channel.read()
            #expect(network.reads == 1)
            #expect(try !Self.answer(channel).contains("close"))
        }
    }
}
