import Metrics
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// One WebSocket connection to a server, from its opening to its end.
///
/// Everything happens on one event loop. Messages are handed to a synchronous closure there, a whole burst at
/// a time, so that an actor whose executor is that loop processes them without a hop. There is no
/// reconnecting in it: a connection ends once, ``closed()`` says how, and the owner decides with a
/// ``Backoff``.
///
/// What is bounded: frames, messages and waiting sends by the configuration; received bytes by one read burst
/// and one message. While paused nothing is read, so TCP makes the server wait.
package final class WebSocketConnection: Sendable {
    private let channel: any Channel
    private let status: WebSocketStatus
    private let ending: EventLoopFuture<WebSocketClosure>
    /// Bytes.
    private let outboundLimit: Int

    private init(
        channel: any Channel, status: WebSocketStatus, ending: EventLoopFuture<WebSocketClosure>,
        outboundLimit: Int
    ) {
        self.channel = channel
        self.status = status
        self.ending = ending
        self.outboundLimit = outboundLimit
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Opens a connection; it is paused until ``resume()``, so that subscriptions can be sent first.
    ///
    /// The name is resolved anew each time. Frames that come together with the answer to the upgrade are
    /// kept.
    ///
    /// - Parameters:
    ///   - text: `ws://` or `wss://`, host, optional port, path and query.
    ///   - eventLoop: Where the connection lives and `receive` is called.
    ///   - configuration: Limits, headers, trust and the rule for silence.
    ///   - receive: Called with each burst; must not block.
    /// - Returns: The connection, upgraded; it is closed when nobody holds it any more.
    /// - Throws: A ``WebError`` for every way in which opening can fail; cancelling the task ends it with
    ///   ``WebError/cancelled``.
    package static func connect(
        to text: String, on eventLoop: any EventLoop, configuration: WebSocketConfiguration = .init(),
        receive: @escaping @Sendable (WebSocketBatch) -> WebSocketDemand
    ) async throws(WebError) -> WebSocketConnection {
        let address = try WebSocketAddress(parsing: text)
        let tls = address.isSecure ? try configuration.trustRoots.clientContext() : nil
        let proxy = try configuration.proxies.proxy(to: address.host, isSecure: address.isSecure)
        let attempt = WebSocketAttempt(
            address: address, proxy: proxy, tls: tls, configuration: configuration, eventLoop: eventLoop,
            receive: receive)
        let outcome = await withTaskCancellationHandler {
            attempt.start()
            return await attempt.opened()
        } onCancel: {
            attempt.cancel()
        }
        Counter(label: "websocket_connects_total", dimensions: [("outcome", outcome.label)]).increment()
        return WebSocketConnection(
            channel: try outcome.get(), status: attempt.status, ending: attempt.closed.futureResult,
            outboundLimit: configuration.maximumOutboundBytes)
    }

    /// Sends a text message; safe from any thread.
    @discardableResult
    package func send(text: String) -> WebSocketSendOutcome { send(.text, Array(text.utf8)) }

    /// Sends a binary message; safe from any thread.
    @discardableResult
    package func send(binary bytes: [UInt8]) -> WebSocketSendOutcome { send(.binary, bytes) }

    /// Sends a ping frame; safe from any thread.
    ///
    /// The answer shows only in ``lastReceivedNanoseconds``.
    ///
    /// - Precondition: `payload` has at most 125 bytes.
    @discardableResult
    package func ping(_ payload: [UInt8] = []) -> WebSocketSendOutcome {
        precondition(payload.count <= 125, "a ping carries at most 125 bytes")
        return send(.ping, payload)
    }

    /// Begins or goes on reading; safe from any thread.
    ///
    /// Needed once after ``connect(to:on:configuration:receive:)`` and after every ``WebSocketDemand/pause``.
    package func resume() { command(.resume) }

    /// Begins the close handshake; nothing is delivered any more.
    ///
    /// Safe from any thread, and more than once. The connection has ended when the server answered, at the
    /// latest after `closeDeadline`.
    ///
    /// - Parameters:
    ///   - code: 1000 or 3000...4999.
    ///   - reason: At most 123 bytes of UTF-8; the rest is cut.
    /// - Precondition: `code` may be sent (RFC 6455, section 7.4).
    package func close(code: UInt16 = 1000, reason: String = "") {
        precondition(CloseStatus.maySend(code), "close code \(code) may not be sent")
        command(.close(code: code, reason: reason))
    }

    /// Waits for the end of the connection.
    ///
    /// Cancelling the task closes the connection with 1000 first. Any number of tasks may wait; each gets the
    /// same answer.
    package func closed() async -> WebSocketClosure {
        await withTaskCancellationHandler {
            (try? await ending.get()) ?? .failed(.cancelled)
        } onCancel: {
            close()
        }
    }

    /// Whether the connection is open: upgraded, and neither side has begun to close it.
    package var isOpen: Bool { status.isOpen.load(ordering: .acquiring) }

    /// When bytes last came, nanoseconds of `NIODeadline`'s clock; 0 before the first.
    package var lastReceivedNanoseconds: Int64 { status.lastReceived.load(ordering: .relaxed) }

    /// For how long nothing has come, answers to ping frames included; since the machine started, before the
    /// first bytes.
    package var silence: Duration {
        .nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds) &- lastReceivedNanoseconds)
    }

    /// What the connection has done so far.
    package var counters: WebSocketCounters { status.counters }

    private func send(_ opcode: FrameOpcode, _ payload: [UInt8]) -> WebSocketSendOutcome {
        guard isOpen else { return .closed }
        let frame = FrameWriter.frame(opcode, payload, allocator: channel.allocator)
        let count = frame.readableBytes
        guard status.reserve(count, limit: outboundLimit) else { return .full }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [status] _ in status.release(count) }
        channel.writeAndFlush(frame, promise: written)
        return .accepted
    }

    private func command(_ command: WebSocketCommand) {
        channel.triggerUserOutboundEvent(command, promise: nil)
    }
}

extension Result where Success == any Channel, Failure == WebError {
    fileprivate var label: String {
        switch self {
        case .success: "opened"
        case .failure(let error): "\(error.label)"
        }
    }
}
