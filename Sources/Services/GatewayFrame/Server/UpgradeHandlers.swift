import NIOCore
import NIOHTTP1

/// Remembers the head of a connection's first request if it asks for an upgrade, then goes away.
final class UpgradeRecorder: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let asked: NIOLoopBoundBox<HTTPRequestHead?>

    init(_ asked: NIOLoopBoundBox<HTTPRequestHead?>) { self.asked = asked }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.headers.contains(name: "upgrade") {
            asked.value = head
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

/// Tells the routes of a request whose upgrade was refused.
///
/// NIO's upgrade handler swallows its head, and its end when the decision came later; without this the client
/// waits for ever, also who only offers `Upgrade: h2c`. The decoder has stopped reading the connection, so it
/// closes after the answer.
final class RefusedUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var head: HTTPRequestHead?

    init(_ head: HTTPRequestHead) {
        var head = head
        head.headers.replaceOrAdd(name: "connection", value: "close")
        self.head = head
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((context: context, handler: self), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (context, handler) = (bound.value.context, bound.value.handler)
            guard let head = handler.head else { return }
            handler.head = nil
            context.fireChannelRead(handler.wrapInboundOut(.head(head)))
            context.fireChannelRead(handler.wrapInboundOut(.end(nil)))
            context.fireChannelReadComplete()
            context.pipeline.syncOperations.removeHandler(handler, promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let head {
            self.head = nil
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        context.fireChannelRead(data)
    }
}
