import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Operations

/// Listens, and makes the pipelines of a simulator's connections.
enum SimulatorListener {
    /// A client's message may have so many bytes.
    static let messageLimit = 1 << 20

    /// Begins to listen; all connections live on the one loop.
    static func bind(
        _ address: NetworkAddress, simulator: VenueSimulator, on loop: any EventLoop
    ) async throws(ConfigurationError) -> any Channel {
        // At recorded speeds the high mark is the limit of what may wait; at maximum speed playing stops
        // there.
        let marks =
            await simulator.isPacedByReaders
            ? ChannelOptions.Types.WriteBufferWaterMark(low: 256 << 10, high: 1 << 20)
            : ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 20, high: 16 << 20)
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.writeBufferWaterMark, value: marks)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initialize(channel, simulator) }
            }
        do {
            return try await bootstrap.bind(host: address.host, port: address.port).get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw .portInUse("\(address)", setting: "BITPAL_VENUE_SIMULATOR_ADDRESS")
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw .unavailable(
                "cannot listen on \(address): \(reason)", advice: "set BITPAL_VENUE_SIMULATOR_ADDRESS")
        }
    }

    private static func initialize(_ channel: any Channel, _ simulator: VenueSimulator) throws {
        guard simulator.assumeIsolated({ $0.admit(channel) }) else { throw ChannelError.ioOnClosedChannel }
        let exchange = SimulatorRESTConnection(simulator)
        let boundExchange = NIOLoopBound(exchange, eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: messageLimit,
            shouldUpgrade: { channel, head in
                let isTaken = simulator.assumeIsolated { $0.opens(head.uri) }
                return channel.eventLoop.makeSucceededFuture(isTaken ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    guard let venue = simulator.assumeIsolated({ $0.venue(ofSocket: head.uri) }) else {
                        throw ChannelError.ioOnClosedChannel
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                            maxAccumulatedFrameSize: messageLimit))
                    try pipeline.addHandler(SimulatorWebSocket(simulator, venue: venue, uri: head.uri))
                }
            })
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(boundExchange.value, promise: nil)
                }
            ),
            withErrorHandling: true)
        try channel.pipeline.syncOperations.addHandler(exchange)
    }

    /// A message as a frame: text, or binary where the venue has a form of its own.
    static func frame(_ text: [UInt8], _ transform: (@Sendable ([UInt8]) -> [UInt8])?) -> WebSocketFrame {
        guard let transform else {
            return WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text))
        }
        return WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: transform(text)))
    }

    /// Says goodbye and closes.
    static func close(_ channel: any Channel, _ code: WebSocketErrorCode) {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        channel.writeAndFlush(frame).whenComplete { _ in channel.close(promise: nil) }
    }
}
