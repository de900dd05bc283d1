import NIOCore

/// Asks a proxy for the way to a server, before anything is said to that.
///
/// Source: RFC 9110, 9.3.6, "CONNECT", read 2026-11.
final class ProxyStage: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: WebProxy
    private let target: String
    private let opening: EventLoopPromise<any Channel>
    private let closed: EventLoopPromise<WebSocketClosure>
    private let goOn: () throws -> Void
    private var head: [UInt8] = []
    private var isOver = false

    /// Prepares a stage.
    ///
    /// - Parameters:
    ///   - proxy: Who is asked.
    ///   - target: Host and port of the server.
    ///   - opening: Fails with the reason.
    ///   - closed: Completed when the opening fails here.
    ///   - goOn: Puts what follows behind this stage.
    init(
        _ proxy: WebProxy, to target: String, opening: EventLoopPromise<any Channel>,
        closed: EventLoopPromise<WebSocketClosure>, goOn: @escaping () throws -> Void
    ) {
        self.proxy = proxy
        self.target = target
        self.opening = opening
        self.closed = closed
        self.goOn = goOn
    }

    func handlerAdded(context: ChannelHandlerContext) {
        var text = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
        if let authorization = proxy.authorization { text += "Proxy-Authorization: \(authorization)\r\n" }
        let request = context.channel.allocator.buffer(string: text + "\r\n")
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        head.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        guard let end = Upgrade.headEnd(head) else {
            if head.count >= Upgrade.longestHead { fail("no end of its answer", context) }
            return
        }
        guard let answer = ResponseHead(head[..<end]) else { return fail("its answer is not HTTP", context) }
        guard (200...299).contains(answer.status) else {
            return fail("it answered with status \(answer.status)", context)
        }
        accept(leftover: head[end...], context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return context.fireErrorCaught(error) }
        fail("\(WebError(channelError: error, host: proxy.host))", context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("it hung up", context)
        context.fireChannelInactive()
    }

    private func accept(leftover: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        do {
            try goOn()
            isOver = true
            if !leftover.isEmpty {
                context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: leftover)))
            }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        } catch {
            fail("\(WebError(channelError: error, host: proxy.host))", context)
        }
    }

    private func fail(_ reason: String, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        let error = WebError.proxyFailed(proxy: "\(proxy.host):\(proxy.port)", reason: reason)
        opening.fail(error)
        closed.succeed(.failed(error))
        context.close(promise: nil)
    }
}
