import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An HTTP server whose answers a test decides by path.
final class HTTPTestServer: Sendable {
    struct Answer: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body: [UInt8] = []
    }

    private let listener: any Channel
    let port: Int

    private init(listener: any Channel) {
        self.listener = listener
        port = listener.localAddress?.port ?? 0
    }

    deinit { listener.close(promise: nil) }

    func stop() async throws { try await listener.close() }

    /// Starts a server; where `answer` returns `nil` it never answers.
    static func start(
        tls: NIOSSLContext? = nil, answer: @escaping @Sendable (HTTPRequestHead) -> Answer?
    ) async throws -> HTTPTestServer {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Exchange(answer: answer))
                }
            }
        return HTTPTestServer(listener: try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
    }

    private final class Exchange: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (HTTPRequestHead) -> Answer?

        init(answer: @escaping @Sendable (HTTPRequestHead) -> Answer?) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data), let answer = answer(request) else {
                return
            }
            var headers = HTTPHeaders(answer.headers)
            headers.add(name: "Content-Length", value: "\(answer.body.count)")
            let status = HTTPResponseStatus(statusCode: answer.status)
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
