import NIOCore
import NIOPosix
import Synchronization

/// A proxy on loopback: answers CONNECT with a status, and carries what follows to the port that was asked
/// for, whatever the name beside it.
final class TunnelServer: Sendable {
    /// The heads of what it was asked, in order.
    final class Log: Sendable {
        private let heads = Mutex<[String]>([])

        var all: [String] { heads.withLock { $0 } }

        fileprivate func add(_ head: String) { heads.withLock { $0.append(head) } }
    }

    let log: Log
    let port: Int
    private let listener: any Channel

    private init(_ listener: any Channel, _ log: Log) {
        self.listener = listener
        self.log = log
        port = listener.localAddress?.port ?? 0
    }

    deinit { listener.close(promise: nil) }

    static func start(status: String = "200 Connection established") async throws -> TunnelServer {
        let log = Log()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TunnelMouth(status: status, log: log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TunnelServer(listener, log)
    }
}

/// The client's end: reads a head, connects, and hands on what comes after it.
private final class TunnelMouth: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let status: String
    private let log: TunnelServer.Log
    private var head = ""
    private var waiting: [ByteBuffer] = []
    private var server: (any Channel)?
    private var isOpen = false

    init(status: String, log: TunnelServer.Log) {
        self.status = status
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isOpen else {
            guard let server else { return waiting.append(bytes) }
            return server.writeAndFlush(bytes, promise: nil)
        }
        head += String(buffer: bytes)
        guard head.hasSuffix("\r\n\r\n") else { return }
        isOpen = true
        log.add(head)
        let target = head.split(separator: " ")[1]
        guard status.hasPrefix("200"), let port = target.split(separator: ":").last.flatMap({ Int($0) })
        else { return answer(context) }
        connect(to: port, context)
    }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext) {
        let text = "HTTP/1.1 \(status)\r\n\r\n"
        context.writeAndFlush(
            wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
    }

    private func connect(to port: Int, _ context: ChannelHandlerContext) {
        let client = context.channel
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TunnelEnd(client))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .whenSuccess { server in
                let (mouth, context) = bound.value
                mouth.server = server
                mouth.answer(context)
                for bytes in mouth.waiting { server.writeAndFlush(bytes, promise: nil) }
                mouth.waiting = []
            }
    }
}

/// The server's end.
private final class TunnelEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}
