import CZeroMQ
import Glibc

/// A ZeroMQ socket, owned by one thread: it cannot be copied, and it is a local variable of that thread's
/// function.
package struct BusSocket: ~Copyable {
    /// What the socket does; with it come the options that every such socket of ours has.
    package enum Kind: Sendable {
        case publisher, subscriber, brokerInput, brokerOutput, stateServer, stateClient
        /// Answers ZeroMQ whether a key may come in, and hears what becomes of a connection.
        case authenticator, monitor
    }

    /// What came of an attempt to receive.
    package enum ReceiveResult: Sendable {
        case received, nothingWaiting, failed(code: Int32)
    }

    /// What came of an attempt to send.
    package enum SendResult: Hashable, Sendable {
        case sent
        /// The peer takes no more now.
        case full
        /// There is no such peer any more.
        case unreachable
        case failed(code: Int32)
    }

    // SAFETY: made in init, closed once in deinit. The structure is neither copyable nor Sendable, so the
    // thread that made it is the only one to use it.
    let raw: UnsafeMutableRawPointer
    /// Held so that the context outlives its sockets.
    private let context: BusContext

    /// A socket with our options, not connected yet.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` or ``BusError/contextEnded``.
    package init(_ kind: Kind, context: BusContext) throws(BusError) {
        self.context = context
        raw = try context.makeSocket(type: kind.type)
        for (option, value) in Self.commonOptions + kind.options { set(option, value) }
        var limit = Int64(Self.maximumMessageBytes)
        zmq_setsockopt(raw, ZMQ_MAXMSGSIZE, &limit, MemoryLayout<Int64>.size)
        if let keys = context.keys, kind.isClient { show(keys) }
    }

    deinit { zmq_close(raw) }

    /// Larger messages are refused, by us before sending and by ZeroMQ on receipt.
    package static let maximumMessageBytes = 4 << 20
    /// What an envelope may have, so that an answer of the state socket can carry it beside its topic.
    package static let maximumEnvelopeBytes = maximumMessageBytes - 1_024

    /// No ZMTP heartbeats: with a finite high-water mark libzmq 4.3.4 aborts the process (issue 4830 of
    /// libzmq).
    ///
    /// TCP keepalive finds a vanished host within about eleven seconds instead.
    private static let commonOptions: [(Int32, Int32)] = [
        (ZMQ_TCP_KEEPALIVE, 1), (ZMQ_TCP_KEEPALIVE_IDLE, 5), (ZMQ_TCP_KEEPALIVE_INTVL, 2),
        (ZMQ_TCP_KEEPALIVE_CNT, 3),
        (ZMQ_HANDSHAKE_IVL, 5_000), (ZMQ_RECONNECT_IVL, 100), (ZMQ_RECONNECT_IVL_MAX, 5_000), (ZMQ_LINGER, 0),
    ]

    /// Messages that may wait per peer before sending drops or pushes back; 0 means no limit.
    package func setSendHighWaterMark(_ messages: Int) { set(ZMQ_SNDHWM, Int32(clamping: messages)) }

    /// Messages that may wait per peer before receiving pushes back; 0 means no limit.
    package func setReceiveHighWaterMark(_ messages: Int) { set(ZMQ_RCVHWM, Int32(clamping: messages)) }

    /// Listens at an address.
    ///
    /// - Throws: ``BusError/addressInUse(_:)`` or ``BusError/addressInvalid(_:reason:)``.
    package func bind(_ address: String) throws(BusError) {
        if zmq_bind(raw, address) == 0 { return }
        let code = zmq_errno()
        throw code == EADDRINUSE
            ? .addressInUse(address) : .addressInvalid(address, reason: Self.reason(code))
    }

    /// Connects to an address, now or whenever somebody listens there.
    ///
    /// - Throws: ``BusError/addressInvalid(_:reason:)``.
    package func connect(_ address: String) throws(BusError) {
        if zmq_connect(raw, address) != 0 {
            throw .addressInvalid(address, reason: Self.reason(zmq_errno()))
        }
    }

    /// The address that the last bind really got: with a port number where `*` was asked for.
    package var lastEndpoint: String {
        var buffer = [UInt8](repeating: 0, count: 512)
        var count = buffer.count
        guard zmq_getsockopt(raw, ZMQ_LAST_ENDPOINT, &buffer, &count) == 0 else { return "" }
        return String(decoding: buffer.prefix(max(0, count - 1)), as: UTF8.self)
    }

    /// Adds a prefix to what a subscriber receives.
    package func subscribe(_ prefix: String) { setPrefix(ZMQ_SUBSCRIBE, prefix) }

    /// Removes a prefix once added.
    package func unsubscribe(_ prefix: String) { setPrefix(ZMQ_UNSUBSCRIBE, prefix) }

    /// Takes the next frame if one is waiting; never waits.
    package func receive(into frame: borrowing BusFrame) -> ReceiveResult {
        while zmq_msg_recv(frame.raw, raw, ZMQ_DONTWAIT) < 0 {
            let code = zmq_errno()
            if code == EAGAIN { return .nothingWaiting }
            if code != EINTR { return .failed(code: code) }
        }
        return .received
    }

    /// Takes and forgets what is left of the message whose last received frame is this one.
    package func discardRest(using frame: borrowing BusFrame) {
        while frame.hasMore {
            guard case .received = receive(into: frame) else { return }
        }
    }

    /// Sends a frame if it can be taken at once; never waits.
    ///
    /// A frame that was sent is empty afterwards.
    package func send(_ frame: borrowing BusFrame, more: Bool = false) -> SendResult {
        let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
        while zmq_msg_send(frame.raw, raw, flags) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return .full
            case EHOSTUNREACH: return .unreachable
            case let code: return .failed(code: code)
            }
        }
        return .sent
    }

    func set(_ option: Int32, _ value: Int32) {
        var value = value
        let code = zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size)
        precondition(code == 0, "this ZeroMQ does not know option \(option) with the value \(value)")
    }

    private func setPrefix(_ option: Int32, _ prefix: String) {
        var prefix = prefix
        prefix.withUTF8 { bytes in _ = zmq_setsockopt(raw, option, bytes.baseAddress, bytes.count) }
    }

    private static func reason(_ code: Int32) -> String {
        guard let text = zmq_strerror(code) else { return "error \(code)" }
        return String(cString: text).lowercased()
    }
}

extension BusSocket.Kind {
    fileprivate var type: Int32 {
        switch self {
        case .publisher, .brokerOutput: ZMQ_XPUB
        case .subscriber: ZMQ_SUB
        case .brokerInput: ZMQ_XSUB
        case .stateServer: ZMQ_ROUTER
        case .stateClient: ZMQ_DEALER
        case .authenticator: ZMQ_REP
        case .monitor: ZMQ_PAIR
        }
    }

    fileprivate var isClient: Bool {
        switch self {
        case .publisher, .subscriber, .stateClient: true
        case .brokerInput, .brokerOutput, .stateServer, .authenticator, .monitor: false
        }
    }

    fileprivate var options: [(Int32, Int32)] {
        switch self {
        // Immediate: only a broker that is really there gets messages, so that losing it shows at once; what
        // is sent at the end still leaves within a second.
        // A host that vanished acknowledges no heartbeat: keepalive says nothing while something waits for
        // that, and the kernel alone would try on for a quarter of an hour.
        case .publisher: [(ZMQ_IMMEDIATE, 1), (ZMQ_LINGER, 1_000), (ZMQ_TCP_MAXRT, 15_000)]
        // Subscriptions are messages: past a finite mark libzmq loses them silently at a reconnect.
        case .subscriber, .brokerInput: [(ZMQ_SNDHWM, 0)]
        case .brokerOutput: [(ZMQ_LINGER, 1_000), (ZMQ_RCVHWM, 0)]
        // An answer's frames are up to a megabyte each, so few of them wait.
        case .stateServer:
            [(ZMQ_ROUTER_MANDATORY, 1), (ZMQ_SNDHWM, 16), (ZMQ_RCVHWM, 64), (ZMQ_LINGER, 1_000)]
        case .stateClient: [(ZMQ_IMMEDIATE, 1), (ZMQ_SNDHWM, 16), (ZMQ_RCVHWM, 16)]
        case .authenticator, .monitor: []
        }
    }
}
