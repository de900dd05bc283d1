import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Operations

/// Answers what the parser refuses with a problem, and closes after each answer that says so.
///
/// It closes in two steps: first our side, so that the answer arrives; the rest of what the client still
/// sends is read and forgotten for at most two seconds, where anything is read at all.
///
/// Behind a request for another protocol nothing is read: the decoder has stopped there and would keep all
/// that comes. Who upgrades the connection takes the guard away and reads on; any other answer is the last.
final class AnswerGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let linger = TimeAmount.seconds(2)

    /// Requests whose answer is not yet written.
    private var open = 0
    private var closes = false
    /// Whether what still comes is read and forgotten.
    private var isDeaf = false
    /// Whether a request asked for another protocol.
    private var isLeavingHTTP = false
    /// Whether that request has ended, so that nothing more is read.
    private var isHeld = false
    /// Why the connection is refused, until it can be said.
    private var refusal: Problem?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDeaf else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let problem = Self.refusal(of: head) {
                isDeaf = true
                // Behind an answer that is still to come there is no place for another.
                return open == 0 ? refuse(problem, context) : context.close(promise: nil)
            }
            open += 1
            isLeavingHTTP = head.leavesHTTP
        case .end: isHeld = isLeavingHTTP
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if !isHeld { context.read() }
    }

    /// What the parser lets pass, and two readers might understand in two ways.
    ///
    /// Source: RFC 9112, sections 3.2 and 6.1.
    private static func refusal(of head: HTTPRequestHead) -> Problem? {
        let hosts = head.headers["host"].count
        guard hosts == 1 || hosts == 0 && head.version == .http1_0 else {
            return Problem(.badRequest, "a request has one Host, this one has \(hosts)")
        }
        let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            return Problem(.badRequest, "the Transfer-Encoding is not chunked alone")
        }
        return nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if isLeavingHTTP, open == 1 { head.headers.replaceOrAdd(name: "connection", value: "close") }
            closes = head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            open = max(open - 1, 0)
            context.write(data, promise: promise)
            if closes { hangUp(context) }
        default: context.write(data, promise: promise)
        }
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let refused = event as? GatewayChannel.Refused else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        isDeaf = true
        promise?.succeed(())
        // A request that is here already is heard by nobody either: this is its answer.
        guard !closes else { return }
        // It may be accepted so far, and not yet connected to its loop.
        guard context.channel.isActive else { return refusal = refused.problem }
        refuse(refused.problem, context)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let refusal { refuse(refusal, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, open == 0, !closes else {
            return context.fireErrorCaught(error)
        }
        let problem =
            error == .headerOverflow
            ? Problem(.headerTooLarge, "the head is larger than \(GatewayChannel.headLimit) bytes")
            : Problem(.badRequest, "this is not HTTP/1.1: \(error)")
        refuse(problem, context)
    }

    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        let bytes = problem.buffer
        var head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.code.status.code),
            headers: [
                "content-type": "application/problem+json", "cache-control": "no-store",
                "x-content-type-options": "nosniff", "connection": "close",
                "content-length": "\(bytes.readableBytes)",
            ])
        if let seconds = problem.retryAfter { head.headers.add(name: "retry-after", value: "\(seconds)") }
        closes = true
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        hangUp(context)
    }

    private func hangUp(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.flush()
        context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
        context.eventLoop.scheduleTask(in: Self.linger) { bound.value.close(promise: nil) }
    }
}

/// Answers a head that is HTTP/1.1 but no request that can be meant, such as one without a host.
final class ConversionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTP1TypeConversionError else { return context.fireErrorCaught(error) }
        let problem = Problem(.badRequest, "the head makes no sense: \(error)")
        let bytes = problem.buffer
        let head = HTTPResponse(
            status: problem.code.status,
            headerFields: [
                .contentType: "application/problem+json", .cacheControl: "no-store", .connection: "close",
                .contentLength: "\(bytes.readableBytes)",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(bytes)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
