import NIOCore
import NIOPosix
import NIOSSL

/// One try to open a connection, under one deadline for name, TCP, TLS and upgrade.
final class WebSocketAttempt: Sendable {
    let status = WebSocketStatus()
    let closed: EventLoopPromise<WebSocketClosure>
    private let address: WebSocketAddress
    private let proxy: WebProxy?
    private let tls: NIOSSLContext?
    private let configuration: WebSocketConfiguration
    private let eventLoop: any EventLoop
    private let receive: @Sendable (WebSocketBatch) -> WebSocketDemand
    private let opening: EventLoopPromise<any Channel>

    init(
        address: WebSocketAddress, proxy: WebProxy?, tls: NIOSSLContext?,
        configuration: WebSocketConfiguration,
        eventLoop: any EventLoop, receive: @escaping @Sendable (WebSocketBatch) -> WebSocketDemand
    ) {
        self.address = address
        self.proxy = proxy
        self.tls = tls
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.receive = receive
        opening = eventLoop.makePromise()
        closed = eventLoop.makePromise()
    }

    /// Begins; ``opened()`` tells the end of it.
    func start() {
        let limit = TimeAmount.nanoseconds(configuration.openDeadline.wholeNanoseconds)
        let deadline = eventLoop.scheduleTask(in: limit) { [opening, configuration] in
            opening.fail(WebError.timedOut(.opening, after: configuration.openDeadline))
        }
        opening.futureResult.whenComplete { _ in deadline.cancel() }
        let (host, port) = proxy.map { ($0.host, $0.port) } ?? (address.host, address.port)
        bootstrap(connectTimeout: limit).connect(host: host, port: port).whenComplete { result in
            switch result {
            case .success(let channel): self.connected(channel)
            case .failure(let error):
                self.opening.fail(self.failure(error))
                self.closed.succeed(.failed(.cancelled))
            }
        }
    }

    /// Why nobody was reached.
    private func failure(_ error: any Error) -> WebError {
        let plain = WebError(connectError: error, address: address)
        guard let proxy else { return plain }
        return .proxyFailed(proxy: "\(proxy.host):\(proxy.port)", reason: "it is not reached")
    }

    /// Ends the attempt with ``WebError/cancelled``, unless it is over.
    func cancel() { opening.fail(WebError.cancelled) }

    /// Waits until the server has accepted the upgrade.
    func opened() async -> Result<any Channel, WebError> {
        do {
            return .success(try await opening.futureResult.get())
        } catch let error as WebError {
            return .failure(error)
        } catch {
            return .failure(.connectionLost(reason: "\(error)"))
        }
    }

    /// On the event loop; nothing was read yet, because reading begins here.
    private func connected(_ channel: any Channel) {
        // Whoever fails the opening (deadline, cancellation, refusal) closes the socket by it.
        opening.futureResult.whenFailure { _ in channel.close(promise: nil) }
        do {
            if let proxy {
                let stage = ProxyStage(proxy, to: address.authority, opening: opening, closed: closed) {
                    try self.secure(channel)
                }
                try channel.pipeline.syncOperations.addHandler(stage)
            } else {
                try secure(channel)
            }
            try channel.syncOptions?.setOption(.autoRead, value: true)
        } catch {
            opening.fail(WebError(channelError: error, host: address.host))
            closed.succeed(.failed(.cancelled))
        }
    }

    /// TLS, where the address asks for it, and then the upgrade; behind what is in the pipeline.
    private func secure(_ channel: any Channel) throws {
        guard let tls else { return try upgrade(channel) }
        // SNI carries a name; an address in it is refused by servers and by NIOSSL.
        let name = (try? SocketAddress(ipAddress: address.host, port: address.port)) == nil
        let handler = try NIOSSLClientHandler(context: tls, serverHostname: name ? address.host : nil)
        try channel.pipeline.syncOperations.addHandler(handler)
        guard !configuration.pins.isEmpty else { return try upgrade(channel) }
        let stage = PinStage(configuration.pins, host: address.host, opening: opening, closed: closed) {
            try self.upgrade(channel)
        }
        try channel.pipeline.syncOperations.addHandler(stage)
    }

    private func upgrade(_ channel: any Channel) throws {
        let stage = UpgradeStage(
            upgrade: Upgrade(address: address, headers: configuration.headers), opening: opening,
            closed: closed
        ) { [address, configuration, status, closed, receive] leftover in
            WebSocketDriver(
                host: address.host, configuration: configuration, leftover: leftover, status: status,
                closed: closed, receive: receive)
        }
        try channel.pipeline.syncOperations.addHandler(stage)
    }

    private func bootstrap(connectTimeout: TimeAmount) -> ClientBootstrap {
        // Between the connection and our handlers lies a turn of the loop: what came in it would be lost.
        // A dead path is noticed within 15 s even when we only listen (keepalive) or only send (user
        // timeout).
        ClientBootstrap(group: eventLoop)
            .connectTimeout(connectTimeout)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.keepIdle), value: 5)
            .channelOption(.tcpOption(.keepInterval), value: 2)
            .channelOption(.tcpOption(.keepCount), value: 3)
            .channelOption(.tcpOption(.userTimeout), value: 15_000)
            .channelOption(.maxMessagesPerRead, value: 8)
    }
}

extension NIOBSDSocket.Option {
    // Numbers of Linux's <netinet/tcp.h>; NIO names only some of them.
    fileprivate static let keepIdle = NIOBSDSocket.Option(rawValue: 4)
    fileprivate static let keepInterval = NIOBSDSocket.Option(rawValue: 5)
    fileprivate static let keepCount = NIOBSDSocket.Option(rawValue: 6)
    /// Milliseconds.
    fileprivate static let userTimeout = NIOBSDSocket.Option(rawValue: 18)
}
