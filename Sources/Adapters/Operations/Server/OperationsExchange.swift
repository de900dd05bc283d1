import NIOCore
import NIOHTTP1

/// One connection of the operations server: a request at a time, small ones only.
final class OperationsExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Nobody who asks for metrics sends a body; a little one is read and ignored.
    private static let bodyLimit = 16 * 1024

    private let responder: OperationsResponder
    private var request: HTTPRequestHead?
    private var bodyBytes = 0

    init(responder: OperationsResponder) {
        self.responder = responder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
            bodyBytes = 0
        case .body(let buffer):
            bodyBytes += buffer.readableBytes
            guard bodyBytes > Self.bodyLimit, let request else { return }
            self.request = nil
            let answer = OperationsResponder.Answer(
                status: 413, contentType: "text/plain", body: "the body is too long\n")
            send(answer, to: request, keepsOpen: false, context: context)
        case .end:
            guard let request else { return }
            self.request = nil
            let answer = responder.answer(method: request.method.rawValue, path: request.uri)
            send(answer, to: request, keepsOpen: request.isKeepAlive && !request.leavesHTTP, context: context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The HTTP handlers have answered 400 where they could; a reset needs no answer.
        context.close(promise: nil)
    }

    private func send(
        _ answer: OperationsResponder.Answer, to request: HTTPRequestHead, keepsOpen: Bool,
        context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders([
            ("Content-Type", answer.contentType), ("Content-Length", "\(answer.body.utf8.count)"),
            ("Cache-Control", "no-store"),
        ])
        if !keepsOpen { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD {
            let body = context.channel.allocator.buffer(string: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !keepsOpen { sent.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }
}
