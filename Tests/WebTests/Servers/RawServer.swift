import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A TCP (or TLS) server whose every byte a test decides; knows no WebSocket.
final class RawServer: Sendable {
    /// What a script is told, on the connection's event loop.
    enum Event: Sendable {
        /// The whole head of the upgrade request.
        case request(String)
        /// A frame of the client.
        case frame(ClientFrame)
        /// The client has gone.
        case gone
    }

    /// The server's end of one connection.
    struct Peer: Sendable {
        let channel: any Channel

        func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
        func hangUp() { channel.close(promise: nil) }
        func stopReading() { channel.setOption(.autoRead, value: false).whenComplete { _ in } }
    }

    private let listener: any Channel
    let port: Int

    private init(listener: any Channel, port: Int) {
        self.listener = listener
        self.port = port
    }

    deinit { listener.close(promise: nil) }

    /// Stops listening, and returns when nobody can connect any more.
    func stop() async throws { try await listener.close() }

    static func start(
        tls: NIOSSLContext? = nil, _ script: @escaping @Sendable (Peer, Event) -> Void,
        greeting: @escaping @Sendable () -> [UInt8] = { [] }
    ) async throws -> RawServer {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(Conversation(script: script, greeting: greeting()))
                }
            }
        let listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        return RawServer(listener: listener, port: listener.localAddress?.port ?? 0)
    }

    /// A server that accepts every upgrade, sends `greeting` in the same write, and then follows `script`.
    static func accepting(
        tls: NIOSSLContext? = nil, greeting: [UInt8] = [],
        _ script: @escaping @Sendable (Peer, ClientFrame) -> Void = { _, _ in }
    ) async throws -> RawServer {
        try await start(tls: tls) { peer, event in
            switch event {
            case .request(let head): peer.send(acceptance(of: head) + greeting)
            case .frame(let frame): script(peer, frame)
            case .gone: break
            }
        }
    }

    /// A server that speaks first, without being asked.
    static func greeting(_ text: String) async throws -> RawServer {
        try await start { _, _ in
        } greeting: {
            Array(text.utf8)
        }
    }

    /// The `101` for a request.
    static func acceptance(of head: String, extra: String = "") -> [UInt8] {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
        let key = line?.split(separator: " ").last.map(String.init) ?? ""
        let accept = base64(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
        return Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\(extra)\r\n").utf8)
    }

    private final class Conversation: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let script: @Sendable (Peer, Event) -> Void
        private var received: [UInt8] = []
        private var isUpgraded = false

        private let greeting: [UInt8]

        init(script: @escaping @Sendable (Peer, Event) -> Void, greeting: [UInt8]) {
            self.script = script
            self.greeting = greeting
        }

        func channelActive(context: ChannelHandlerContext) {
            if !greeting.isEmpty { Peer(channel: context.channel).send(greeting) }
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += unwrapInboundIn(data).readableBytesView
            let peer = Peer(channel: context.channel)
            if !isUpgraded, let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                isUpgraded = true
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeFirst(end.upperBound)
                script(peer, .request(head))
            }
            if isUpgraded { for frame in RawFrame.take(from: &received) { script(peer, .frame(frame)) } }
        }

        func channelInactive(context: ChannelHandlerContext) { script(Peer(channel: context.channel), .gone) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

/// Values that one side of a test makes and the other waits for.
struct Mailbox<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func put(_ value: Value) { continuation.yield(value) }
    func end() { continuation.finish() }

    /// The next value; the suite's time limit bounds the wait.
    func next() async -> Value? { await stream.first { _ in true } }

    func next(_ count: Int) async -> [Value] {
        var values: [Value] = []
        for await value in stream {
            values.append(value)
            if values.count == count { break }
        }
        return values
    }
}
