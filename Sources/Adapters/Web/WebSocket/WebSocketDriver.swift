import NIOCore
import Synchronization

/// What ``WebSocketConnection`` asks of its driver, sent down the channel's pipeline.
enum WebSocketCommand: Sendable {
    case resume
    case close(code: UInt16, reason: String)
}

/// Carries one upgraded connection on its event loop: frames, pings, close, silence.
///
/// What a frame means is decided by ``FrameReader``, ``CloseStatus`` and ``IdleWatch``, which know no
/// channel; this type moves their bytes and keeps their order.
final class WebSocketDriver: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase { case open, closing, ended }

    /// What the server did to end the connection.
    private enum Ending {
        case closed(payload: [UInt8])
        case broken(FrameFault)
    }

    /// Answers to pings that may wait; a flood of pings must not fill the outbound buffer.
    private static let pongsKept = 64

    private let host: String
    private let configuration: WebSocketConfiguration
    private let status: WebSocketStatus
    private let receive: (WebSocketBatch) -> WebSocketDemand
    private let closed: EventLoopPromise<WebSocketClosure>

    private var phase = Phase.open
    private var reader: FrameReader
    private var transform: WebSocketMessageTransform?
    /// When the oldest message that was not handed over came.
    private var burstTime: Int64?
    private var isPaused = true
    private var owedPongs: [[UInt8]] = []
    private var silence: SilenceTimer?
    /// Waits until the messages before it were handed over.
    private var ending: Ending?
    private var closeLimit: Scheduled<Void>?
    /// What a close handshake agreed on, told when the connection has ended.
    private var agreement: WebSocketClosure?

    /// Prepares the driver of a connection whose upgrade was accepted.
    ///
    /// - Parameters:
    ///   - host: The server's name, for errors.
    ///   - configuration: Limits and rules.
    ///   - leftover: Bytes of frames that came together with the answer to the upgrade.
    ///   - status: Where counts are shown to other threads.
    ///   - closed: Completed once, when the connection has ended.
    ///   - receive: The consumer.
    init(
        host: String, configuration: WebSocketConfiguration, leftover: ArraySlice<UInt8>,
        status: WebSocketStatus, closed: EventLoopPromise<WebSocketClosure>,
        receive: @escaping (WebSocketBatch) -> WebSocketDemand
    ) {
        self.host = host
        self.configuration = configuration
        self.status = status
        self.closed = closed
        self.receive = receive
        reader = FrameReader(
            frameLimit: configuration.maximumFrameBytes, messageLimit: configuration.maximumMessageBytes)
        transform = configuration.makeTransform?()
        guard !leftover.isEmpty else { return }
        burstTime = configuration.wallClock()
        leftover.withUnsafeBytes { reader.append($0) }
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        status.isOpen.store(true, ordering: .releasing)
        setReading(false, context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .ended else { return }
        if burstTime == nil { burstTime = configuration.wallClock() }
        unwrapInboundIn(data).withUnsafeReadableBytes { reader.append($0) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if phase != .ended { takeBurst(context: context) }
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerPings(context: context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(agreement ?? .failed(.connectionLost(reason: "the server hung up")), context: context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(agreement ?? .failed(WebError(channelError: error, host: host)), context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(agreement ?? .failed(.cancelled), context: context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase == .open else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let command = event as? WebSocketCommand else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        switch command {
        case .resume: resume(context: context)
        case .close(let code, let reason): beginClose(code: code, reason: reason, context: context)
        }
        promise?.succeed()
    }

    // MARK: Receiving

    private func takeBurst(context: ChannelHandlerContext) {
        do { try reader.parse() } catch { ending = .broken(error) }
        noteLife(context: context)
        answerControls(context: context)
        deliver(context: context)
        settle(context: context)
    }

    /// Keeps the close frame of a burst and answers its pings.
    private func answerControls(context: ChannelHandlerContext) {
        for control in reader.takeControls() {
            switch control.opcode {
            case .close: ending = .closed(payload: control.payload)
            case .ping: owedPongs.append(control.payload)
            default: break
            }
        }
        answerPings(context: context)
    }

    /// Answers the latest pings once they can be sent; older ones need no answer (RFC 6455, section 5.5.3).
    private func answerPings(context: ChannelHandlerContext) {
        if owedPongs.count > Self.pongsKept {
            status.pongsDropped.add(owedPongs.count - Self.pongsKept, ordering: .relaxed)
            owedPongs.removeFirst(owedPongs.count - Self.pongsKept)
        }
        guard phase == .open, context.channel.isWritable, !owedPongs.isEmpty else { return }
        for payload in owedPongs { write(.pong, payload, context: context) }
        status.pongs.add(owedPongs.count, ordering: .relaxed)
        owedPongs.removeAll()
        context.flush()
    }

    /// Hands over what is complete, unless the consumer has paused; after our own close it is dropped.
    private func deliver(context: ChannelHandlerContext) {
        guard phase == .open else {
            reader.drain()
            return
        }
        guard !isPaused else { return }
        let count = reader.messages.count
        guard count > 0 else {
            reader.drain()
            if reader.isEmpty { burstTime = nil }
            return
        }
        do {
            let demand = receive(try nextBatch())
            reader.drain()
            burstTime = nil
            status.messages.add(count, ordering: .relaxed)
            if demand == .pause { pause(context: context) }
        } catch {
            abort(error, code: 1007, context: context)
        }
    }

    private func nextBatch() throws(WebError) -> WebSocketBatch {
        let time = burstTime ?? configuration.wallClock()
        let plain = WebSocketBatch(
            bytes: reader.bytes, messages: reader.messages, receivedNanoseconds: time)
        guard let transform else { return plain }
        return try plain.transformed(by: transform, limit: configuration.maximumMessageBytes)
    }

    /// Acts on the server's end of the connection, once what came before it was handed over.
    private func settle(context: ChannelHandlerContext) {
        guard let ending, !isPaused || reader.messages.isEmpty else { return }
        self.ending = nil
        switch ending {
        case .closed(let payload): peerClosed(payload: payload, context: context)
        case .broken(let fault): abort(.protocolViolation(fault), code: fault.closeCode, context: context)
        }
    }

    private func pause(context: ChannelHandlerContext) {
        guard phase == .open else { return }
        isPaused = true
        silence?.stop()
        setReading(false, context: context)
    }

    private func resume(context: ChannelHandlerContext) {
        guard phase == .open, isPaused else { return }
        isPaused = false
        startSilenceTimer(context: context)
        deliver(context: context)
        settle(context: context)
        if phase == .open, !isPaused { setReading(true, context: context) }
    }

    // MARK: Silence

    private func startSilenceTimer(context: ChannelHandlerContext) {
        guard let rule = configuration.idle else { return }
        if silence == nil {
            silence = SilenceTimer(rule: rule, eventLoop: context.eventLoop) { [unowned self] in
                sendPing(rule.ping, context: context)
            } giveUp: { [unowned self] time in
                finish(.failed(.silent(time)), context: context)
            }
        }
        silence?.start()
    }

    private func noteLife(context: ChannelHandlerContext) {
        let now = context.eventLoop.monotonicNanoseconds
        silence?.received(frames: reader.frameCount, bytes: reader.byteCount, at: now)
        status.lastReceived.store(now, ordering: .relaxed)
        status.frames.store(reader.frameCount, ordering: .relaxed)
        status.bytes.store(reader.byteCount, ordering: .relaxed)
    }

    private func sendPing(_ ping: IdleRule.Ping, context: ChannelHandlerContext) {
        switch ping {
        case .text(let text): write(.text, Array(text.utf8), context: context)
        case .frame: write(.ping, [], context: context)
        }
        context.flush()
    }

    // MARK: Closing

    private func beginClose(code: UInt16, reason: String, context: ChannelHandlerContext) {
        guard phase == .open else { return }
        enterClosing(.closed(code: code, reason: reason, byPeer: false), context: context)
        write(.close, CloseStatus(code: code, reason: reason).payload, context: context)
        context.flush()
        reader.drain()
        setReading(true, context: context)
    }

    /// Answers the server's close frame with its own number; the server then ends the connection.
    private func peerClosed(payload: [UInt8], context: ChannelHandlerContext) {
        guard phase == .open else {
            // The answer to our own close: both sides have said it.
            if let agreement { finish(agreement, context: context) }
            return
        }
        do {
            let status = try CloseStatus(payload: payload)
            enterClosing(
                .closed(code: status.code ?? 1005, reason: status.reason, byPeer: true), context: context)
            write(.close, CloseStatus(code: status.code, reason: "").payload, context: context)
            context.flush()
            setReading(true, context: context)
        } catch {
            abort(.protocolViolation(error), code: error.closeCode, context: context)
        }
    }

    private func enterClosing(_ closure: WebSocketClosure, context: ChannelHandlerContext) {
        phase = .closing
        agreement = closure
        isPaused = false
        status.isOpen.store(false, ordering: .releasing)
        status.messagesDropped.add(reader.messages.count, ordering: .relaxed)
        silence?.stop()
        closeLimit = context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(configuration.closeDeadline.wholeNanoseconds)
        ) { self.finish(closure, context: context) }
    }

    /// Tells the server why and hangs up.
    private func abort(_ error: WebError, code: UInt16, context: ChannelHandlerContext) {
        guard phase == .open else {
            finish(agreement ?? .failed(error), context: context)
            return
        }
        write(.close, CloseStatus(code: code, reason: "").payload, context: context)
        context.flush()
        finish(.failed(error), context: context)
    }

    /// The one place where a connection ends; later calls change nothing.
    private func finish(_ closure: WebSocketClosure, context: ChannelHandlerContext) {
        guard phase != .ended else { return }
        if phase == .open {
            status.messagesDropped.add(reader.messages.count, ordering: .relaxed)
        }
        phase = .ended
        status.isOpen.store(false, ordering: .releasing)
        silence?.stop()
        // It holds this driver's context, which holds this driver.
        silence = nil
        closeLimit?.cancel()
        reader.drain()
        closed.succeed(closure)
        context.close(promise: nil)
    }

    // MARK: Writing

    private func write(_ opcode: FrameOpcode, _ payload: [UInt8], context: ChannelHandlerContext) {
        let frame = FrameWriter.frame(opcode, payload, allocator: context.channel.allocator)
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    private func setReading(_ isReading: Bool, context: ChannelHandlerContext) {
        // Every channel of a socket has this option; a closed one refuses it, and is told of as closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
