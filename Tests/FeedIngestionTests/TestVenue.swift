import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Support
import Synchronization

/// A venue's server that says and answers what the test wants, on a free port of loopback.
final class TestVenue: Sendable {
    /// Connections in the order in which they were opened.
    let lines: AsyncStream<VenueLine>
    private let line: AsyncStream<VenueLine>.Continuation
    private let state = Mutex(State())
    private let channel = Mutex<(any Channel)?>(nil)

    private struct State {
        var answers: [String: (status: Int, body: String)] = [:]
        var asked: [String] = []
    }

    private init() { (lines, line) = AsyncStream.makeStream() }

    /// Serves while `body` runs.
    static func run(_ body: (TestVenue) async throws -> Void) async throws {
        let venue = TestVenue()
        let channel = try await venue.bind()
        venue.channel.withLock { $0 = channel }
        do {
            try await body(venue)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }

    /// What the route is answered with from here on; status 404 before.
    func answer(_ path: String, _ body: String, status: Int = 200) {
        state.withLock { $0.answers[path] = (status, body) }
    }

    /// The requests so far, with their queries.
    var asked: [String] { state.withLock { $0.asked } }

    fileprivate func answer(to uri: String) -> (status: Int, body: String) {
        state.withLock { state in
            state.asked.append(uri)
            return state.answers[String(uri.prefix { $0 != "?" })] ?? (404, "not found")
        }
    }

    fileprivate func opened(_ new: VenueLine) { line.yield(new) }

    private func bind() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.configure(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func configure(_ channel: any Channel) throws {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineHandler(self))
                }
            })
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(name: "routes").whenComplete { _ in }
                }
            ))
        try channel.pipeline.syncOperations.addHandler(RouteHandler(self), name: "routes")
    }
}

/// One WebSocket connection of a client.
final class VenueLine: Sendable {
    /// What the client sends.
    let texts: AsyncStream<String>
    private let text: AsyncStream<String>.Continuation
    private let channel: any Channel

    fileprivate init(_ channel: any Channel) {
        self.channel = channel
        (texts, text) = AsyncStream.makeStream()
    }

    func send(_ text: String) {
        channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), promise: nil)
    }

    func send(binary bytes: [UInt8]) {
        channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Ends the connection without a word.
    func cut() { channel.close(promise: nil) }

    /// Waits until the client sends something that contains `part`.
    func wait(for part: String) async throws {
        for await text in texts where text.contains(part) { return }
        throw PropertyFailure("the connection ended before \(part) was sent")
    }

    /// Waits until the client has gone.
    func ended() async {
        for await _ in texts {}
    }

    fileprivate func received(_ new: String) { text.yield(new) }
    fileprivate func finish() { text.finish() }
}

extension TestVenue {
    /// The next connection.
    func connection() async throws -> VenueLine {
        for await line in lines { return line }
        throw PropertyFailure("nobody connects any more")
    }
}

private final class RouteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private let venue: TestVenue
    private var uri = ""

    init(_ venue: TestVenue) { self.venue = venue }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): uri = head.uri
        case .body: break
        case .end:
            let answer = venue.answer(to: uri)
            let body = ByteBuffer(string: answer.body)
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
                headers: ["content-length": "\(body.readableBytes)"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let venue: TestVenue
    private var line: VenueLine?

    init(_ venue: TestVenue) { self.venue = venue }

    func handlerAdded(context: ChannelHandlerContext) {
        let line = VenueLine(context.channel)
        self.line = line
        venue.opened(line)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: line?.received(String(buffer: frame.unmaskedData))
        case .ping:
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)),
                promise: nil)
        case .connectionClose:
            context.writeAndFlush(
                wrapOutboundOut(
                    WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)),
                promise: nil)
            context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) { line?.finish() }
}
