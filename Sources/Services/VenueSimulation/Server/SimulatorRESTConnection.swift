import NIOCore
import NIOHTTP1
import NIOWebSocket
import Operations

/// One client's REST connection: a request at a time, answered when the simulator has the answer.
final class SimulatorRESTConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let simulator: VenueSimulator
    /// What a client may post, in bytes; questions are short.
    private static let bodyLimit = 1 << 16

    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var question: Int?

    init(_ simulator: VenueSimulator) { self.simulator = simulator }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        // What is beyond the limit is read past: no venue has a question of that length.
        case .body(let part):
            if body.count + part.readableBytes <= Self.bodyLimit {
                body.append(contentsOf: part.readableBytesView)
            }
        case .end:
            guard let head else { return }
            self.head = nil
            handle(head, context)
        }
    }

    private func handle(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard [.GET, .HEAD, .POST].contains(head.method) else {
            return send(RESTAnswer(status: 405, #"{"error":"only GET and POST"}"#), to: head, context)
        }
        let posted = head.method == .POST ? body : nil
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        question = simulator.assumeIsolated { simulator in
            simulator.ask(head.uri, posted: posted) { answer in
                let (exchange, context) = bound.value
                exchange.question = nil
                exchange.send(answer, to: head, context)
            }
        }
    }

    private func send(_ answer: RESTAnswer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let keepsOpen = request.isKeepAlive && !request.leavesHTTP
        var headers = HTTPHeaders([
            ("Content-Type", "application/json"), ("Content-Length", "\(answer.body.count)"),
        ])
        if let seconds = answer.retryAfter { headers.add(name: "Retry-After", value: "\(seconds)") }
        if !keepsOpen { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil)
        if request.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !keepsOpen { sent.whenComplete { _ in bound.value.close(promise: nil) } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let question { simulator.assumeIsolated { $0.withdraw(question) } }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A refused upgrade is answered as the plain request that it then is.
        guard !(error is NIOWebSocketUpgradeError) else { return }
        context.close(promise: nil)
    }
}
