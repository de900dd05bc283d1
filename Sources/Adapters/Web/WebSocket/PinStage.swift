import NIOCore
import NIOSSL
import NIOTLS

/// Looks at the server's key when TLS is up, before anything is said.
final class PinStage: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let pins: KeyPins
    private let host: String
    private let opening: EventLoopPromise<any Channel>
    private let closed: EventLoopPromise<WebSocketClosure>
    private let goOn: () throws -> Void
    private var isOver = false

    /// Prepares a stage.
    ///
    /// - Parameters:
    ///   - pins: The keys that are accepted.
    ///   - host: For what is told of a failure.
    ///   - opening: Fails with the reason.
    ///   - closed: Completed when the opening fails here.
    ///   - goOn: Puts what follows behind this stage.
    init(
        _ pins: KeyPins, host: String, opening: EventLoopPromise<any Channel>,
        closed: EventLoopPromise<WebSocketClosure>, goOn: @escaping () throws -> Void
    ) {
        self.pins = pins
        self.host = host
        self.opening = opening
        self.closed = closed
        self.goOn = goOn
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, !isOver { look(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return context.fireErrorCaught(error) }
        fail(WebError(channelError: error, host: host), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectionLost(reason: "the server hung up before TLS was up"), context)
        context.fireChannelInactive()
    }

    private func look(_ context: ChannelHandlerContext) {
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        guard pins.accept(certificate) else { return fail(.pinMismatch(host: host), context) }
        do {
            try goOn()
            isOver = true
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            fail(WebError(channelError: error, host: host), context)
        }
    }

    private func fail(_ error: WebError, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        opening.fail(error)
        closed.succeed(.failed(error))
        context.close(promise: nil)
    }
}
