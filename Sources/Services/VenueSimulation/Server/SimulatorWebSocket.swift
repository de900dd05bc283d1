import NIOCore
import NIOWebSocket

/// One client's WebSocket: hands its messages to the simulator and answers what the protocol asks for.
final class SimulatorWebSocket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let simulator: VenueSimulator
    private let venue: Int
    private let uri: String
    private var client: Int?

    init(_ simulator: VenueSimulator, venue: Int, uri: String) {
        self.simulator = simulator
        self.venue = venue
        self.uri = uri
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (channel, venue, uri) = (context.channel, venue, uri)
        client = simulator.assumeIsolated { $0.join(channel, venue: venue, uri: uri) }
        if client == nil { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            guard let client else { return }
            let venue = venue
            let text = Array(frame.unmaskedData.readableBytesView)
            simulator.assumeIsolated { $0.receive(text, from: client, venue: venue) }
        case .ping:
            guard let client else { return }
            let venue = venue
            guard simulator.assumeIsolated({ $0.hears(client, venue: venue) }) else { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in bound.value.close(promise: nil)
            }
        default: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let venue = venue
        if context.channel.isWritable { simulator.assumeIsolated { $0.resume(venue) } }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        let venue = venue
        if let client { simulator.assumeIsolated { $0.leave(client, venue: venue) } }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The protocol handlers have closed with a code where they could.
        context.close(promise: nil)
    }
}
