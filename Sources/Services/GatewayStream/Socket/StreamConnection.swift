import AccountStore
import GatewayFrame
import NIOCore
import Web

/// One client's WebSocket: reads its messages, and writes what it can take.
///
/// What the client does not read is never queued here beyond the channel's own bound: while the channel
/// cannot take more, the client is passed over, and told later what it skipped.
final class StreamConnection: ChannelInboundHandler, StreamListener {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Messages that may wait for the one that is being answered.
    private static let requestLimit = 512
    /// Messages between two signs of life.
    private static let messageLimit = 2_000
    /// Signs of life that may stay unanswered: 45 s.
    private static let silentBeats = 3
    /// Bytes of one write.
    private static let writeSize = 32 << 10

    private let hub: StreamHub
    private let authenticate: @Sendable (String) async throws -> StreamCaller
    private var caller: StreamCaller
    var identity: Identity? { caller.identity }
    var permit: ClientLimit.Permit? { caller.permit }
    private var context: ChannelHandlerContext?
    private var shard: StreamShard?
    private var client: StreamCore.ClientID = 0
    private let socket = ServerSocket()
    private var requests: [StreamRequest] = []
    private var isAnswering = false
    private var unanswered = 0
    private var messages = 0
    private var beats = 0

    /// - Parameters:
    ///   - hub: Whose stream.
    ///   - caller: Who it is by the handshake.
    ///   - authenticate: Whose a token is.
    init(
        _ hub: StreamHub, _ caller: StreamCaller,
        authenticate: @escaping @Sendable (String) async throws -> StreamCaller
    ) {
        self.hub = hub
        self.caller = caller
        self.authenticate = authenticate
    }

    // MARK: - The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let shard = hub.shard(on: context.eventLoop)
        self.shard = shard
        client = shard.open(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unanswered = 0
        socket.append(&bytes)
        // Who leaves meanwhile is not heard further.
        while let context = self.context, let message = socket.next(context) { take(message.bytes) }
        if socket.isClosing { shard?.close(client) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // Who does not read its answers is not asked for more questions.
        context.channel.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
        drain()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { end(code: 1001, reason: "the server stops") }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func leave() {
        shard?.close(client)
        shard = nil
        context = nil
        caller.permit = nil
        requests = []
    }

    // MARK: - What the client says

    private func take(_ message: [UInt8]) {
        messages += 1
        guard messages <= Self.messageLimit, requests.count < Self.requestLimit else {
            return end(code: 1008, reason: "too many messages")
        }
        do throws(StreamRequest.Rejected) {
            requests.append(try StreamRequest(message))
            advance()
        } catch {
            say(StreamEncoder.error(error.problem, id: error.id))
        }
    }

    /// Answers what waits, in order.
    private func advance() {
        while !isAnswering, !socket.isClosing, !requests.isEmpty {
            switch requests.removeFirst() {
            case .ping(let id): say(StreamEncoder.pong(id))
            case .unsubscribe(let id):
                let isKnown = shard?.unsubscribe(client, id) ?? false
                say(
                    isKnown
                        ? StreamEncoder.unsubscribed(id)
                        : StreamEncoder.error(.notFound("subscription \"\(id)\""), id: id))
            case .subscribe(let id, let channel, let key, let place):
                subscribe(id, channel, key, after: place)
            case .authenticate(let token): enter(token)
            }
        }
    }

    private func subscribe(_ id: String, _ channel: StreamChannel, _ key: String, after place: StreamCursor?)
    {
        let (hub, identity) = (hub, identity)
        // Messages wait while one is answered: nobody takes the name meanwhile.
        do throws(Problem) { try shard?.check(client, id) } catch {
            return say(StreamEncoder.error(error, id: id))
        }
        answer { () async throws(Problem) in
            try await StreamAccess.topic(
                channel, key, for: identity, marketIsPublic: hub.marketIsPublic, hub.sources)
        } then: { connection, result in
            do throws(Problem) {
                let topic = try result.get()
                guard let shard = connection.shard else { return }
                try shard.reserve(connection.client, id, topic)
                connection.say(StreamEncoder.subscribed(id, channel, key))
                try shard.subscribe(connection.client, id, to: topic, after: place)
            } catch {
                connection.say(StreamEncoder.error(error, id: id))
            }
        }
    }

    private func enter(_ token: String) {
        guard identity == nil else {
            return say(StreamEncoder.error(Problem(.conflict, "this connection has a user already"), id: nil))
        }
        let authenticate = authenticate
        answer { () async throws(Problem) in
            let caller: StreamCaller
            do {
                caller = try await authenticate(token)
            } catch let problem as Problem {
                throw problem
            } catch {
                throw Problem(.unavailable, "the token cannot be checked now; try again in a moment")
            }
            guard caller.identity != nil else { throw Problem(.unauthenticated, "the token is not valid") }
            return caller
        } then: { connection, result in
            switch result {
            case .success(let caller):
                connection.caller = caller
                connection.say(StreamEncoder.authenticated)
            case .failure(let problem):
                connection.say(StreamEncoder.error(problem, id: nil))
                // Guessing costs a connection each time.
                connection.end(code: 1008, reason: "the token is not accepted")
            }
        }
    }

    /// Asks something that may wait; meanwhile further messages wait too, so that answers keep their order.
    private func answer<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(Problem) -> Value,
        then: @escaping (StreamConnection, Result<Value, Problem>) -> Void
    ) {
        guard let context else { return }
        isAnswering = true
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, then), eventLoop: loop)
        loop.makeFutureWithTask { () async -> Result<Value, Problem> in
            do throws(Problem) { return .success(try await body()) } catch { return .failure(error) }
        }.whenSuccess { result in
            let (connection, then) = bound.value
            connection.isAnswering = false
            guard connection.context != nil, !connection.socket.isClosing else { return }
            then(connection, result)
            connection.advance()
        }
    }

    // MARK: - What the client is told

    func wake() { drain() }

    /// Writes while the channel takes it.
    private func drain() {
        guard let context, let shard, !socket.isClosing else { return }
        while context.channel.isWritable {
            var buffer = context.channel.allocator.buffer(capacity: 1_024)
            while buffer.readableBytes < Self.writeSize, let news = shard.next(client) {
                for piece in news.pieces {
                    StreamEncoder.write(
                        piece, id: news.id, conflation: news.topic.channel.conflation, into: &buffer)
                }
            }
            guard buffer.readableBytes > 0 else { return }
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        }
    }

    private func say(_ text: String) {
        guard let context, !socket.isClosing else { return }
        socket.send(context) { StreamEncoder.write(text, into: &$0) }
    }

    func beat(_ time: String) {
        beats += 1
        messages = 0
        unanswered += 1
        if unanswered > Self.silentBeats { return end(code: 1008, reason: "nothing was heard for 45 s") }
        if beats >= 2, identity == nil, !hub.marketIsPublic {
            return end(code: 1008, reason: "sign in, or send a token")
        }
        guard let context, !socket.isClosing, context.channel.isWritable else { return }
        socket.send(context) {
            $0.writeSocketFrame(.ping, count: 0) { _ in }
            StreamEncoder.write(StreamEncoder.heartbeat(time), into: &$0)
        }
    }

    // MARK: - The end

    func end(code: UInt16, reason: String) {
        guard let context else { return }
        socket.end(code: code, reason: reason, context)
        shard?.close(client)
    }
}
