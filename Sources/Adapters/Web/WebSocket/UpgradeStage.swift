import NIOCore

/// The beginning of a connection: sends the upgrade, and puts a driver in its own place when it is accepted.
final class UpgradeStage: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let upgrade: Upgrade
    private let opening: EventLoopPromise<any Channel>
    private let closed: EventLoopPromise<WebSocketClosure>
    private let makeDriver: (_ leftover: ArraySlice<UInt8>) -> WebSocketDriver
    private var head: [UInt8] = []
    private var isOver = false

    /// Prepares a stage.
    ///
    /// - Parameters:
    ///   - upgrade: The handshake.
    ///   - opening: Succeeds with the channel, or fails with the reason.
    ///   - closed: Completed here when the opening fails, else by the driver.
    ///   - makeDriver: Makes the driver, with the bytes of frames that came together with the answer.
    init(
        upgrade: Upgrade, opening: EventLoopPromise<any Channel>, closed: EventLoopPromise<WebSocketClosure>,
        makeDriver: @escaping (_ leftover: ArraySlice<UInt8>) -> WebSocketDriver
    ) {
        self.upgrade = upgrade
        self.opening = opening
        self.closed = closed
        self.makeDriver = makeDriver
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else {
            fail(.connectionLost(reason: "the server hung up at once"), context: context)
            return
        }
        let request = context.channel.allocator.buffer(bytes: upgrade.request)
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        head.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        switch upgrade.answer(to: head) {
        case .incomplete: break
        case .refused(let error): fail(error, context: context)
        case .accepted(let framesStart): accept(framesStart: framesStart, context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectionLost(reason: "the server hung up before it answered"), context: context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(WebError(channelError: error, host: upgrade.address.host), context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { fail(.cancelled, context: context) }

    private func accept(framesStart: Int, context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            // Frames that came in one segment with the 101 are the first messages, not rubbish.
            try pipeline.addHandler(makeDriver(head[framesStart...]), position: .after(self))
        } catch {
            fail(WebError(channelError: error, host: upgrade.address.host), context: context)
            return
        }
        isOver = true
        opening.succeed(context.channel)
        pipeline.removeHandler(self, promise: nil)
    }

    private func fail(_ error: WebError, context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        opening.fail(error)
        closed.succeed(.failed(error))
        context.close(promise: nil)
    }
}
