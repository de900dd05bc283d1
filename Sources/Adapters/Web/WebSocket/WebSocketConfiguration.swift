/// Whether a message came as text or as binary.
package enum WebSocketMessageKind: Sendable, Hashable {
    /// UTF-8, checked before any transform; what a transform gives back is its own.
    case text
    case binary
}

/// What a consumer wants after a batch.
package enum WebSocketDemand: Sendable, Hashable {
    /// Go on.
    case more
    /// Read nothing until ``WebSocketConnection/resume()``.
    case pause
}

/// Turns the bytes of one message into what the consumer sees: the seam for venues that compress.
///
/// It appends the result to `output`, at most `limit` bytes, and throws when it cannot. It is called on the
/// event loop, once a message, in order, so it may keep state (a dictionary that lives as long as the
/// connection).
package typealias WebSocketMessageTransform = (
    _ kind: WebSocketMessageKind, _ message: UnsafeRawBufferPointer, _ limit: Int, _ output: inout [UInt8]
) throws -> Void

/// The limits and rules of one ``WebSocketConnection``.
package struct WebSocketConfiguration: Sendable {
    /// Further headers of the upgrade request.
    package var headers: [(name: String, value: String)]
    /// Who may sign the server's certificate.
    package var trustRoots: TrustRoots
    /// The keys that the server may have.
    package var pins = KeyPins.any
    /// Which servers are reached by way of a proxy.
    package var proxies = WebProxies()
    /// Limit for name, TCP, TLS and upgrade together.
    package var openDeadline: Duration
    /// How long the peer may take to answer a close frame and to end the connection.
    package var closeDeadline: Duration
    /// The longest frame accepted, bytes.
    package var maximumFrameBytes: Int
    /// The longest message accepted, in all its fragments and after the transform, bytes.
    package var maximumMessageBytes: Int
    /// Bytes that may wait to be sent before ``WebSocketConnection/send(text:)`` answers `.full`.
    package var maximumOutboundBytes: Int
    /// When to ping and to give up; `nil` when the consumer does both.
    package var idle: IdleRule?
    /// Nanoseconds since 1970-01-01 UTC; read once a burst.
    package var wallClock: @Sendable () -> Int64
    /// Makes the transform of a new connection; `nil` delivers messages as they came.
    package var makeTransform: (@Sendable () -> WebSocketMessageTransform)?

    /// Creates a configuration; every default suits a public market-data feed.
    package init(
        headers: [(name: String, value: String)] = [], trustRoots: TrustRoots = .system,
        openDeadline: Duration = .seconds(10), closeDeadline: Duration = .seconds(2),
        maximumFrameBytes: Int = 16 << 20, maximumMessageBytes: Int = 16 << 20,
        maximumOutboundBytes: Int = 1 << 20, idle: IdleRule? = IdleRule(),
        wallClock: @escaping @Sendable () -> Int64 = WallClock.nanoseconds,
        makeTransform: (@Sendable () -> WebSocketMessageTransform)? = nil
    ) {
        self.headers = headers
        self.trustRoots = trustRoots
        self.openDeadline = openDeadline
        self.closeDeadline = closeDeadline
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumMessageBytes = maximumMessageBytes
        self.maximumOutboundBytes = maximumOutboundBytes
        self.idle = idle
        self.wallClock = wallClock
        self.makeTransform = makeTransform
    }
}
