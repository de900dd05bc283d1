/// What a caller of ``WebSocketConnection`` or ``HTTPClient`` can do about a ``WebError``.
package enum WebDisposition: Sendable, Hashable {
    /// Try again, not before `after` when the other side named a time, else by the caller's own ``Backoff``.
    case retry(after: Duration?)
    /// Trying the same again cannot succeed: configuration or the venue's address must change.
    case fatal
}

/// Why a connection or a request failed.
///
/// Every case says in ``disposition`` whether to try again. Texts in it come from libraries or from a peer's
/// status line; payloads never do.
package enum WebError: Error, Sendable, Hashable {
    /// The text is not an address that this client can open.
    case invalidAddress(String, reason: String)
    /// The name has no address, or the resolver did not answer.
    case nameUnresolved(host: String, reason: String)
    /// Nobody accepted the TCP connection.
    case connectFailed(host: String, port: Int, reason: String)
    /// The peer's certificate was refused, or the TLS handshake failed.
    case tlsFailed(host: String, reason: String)
    /// The server's certificate has none of the pinned keys.
    case pinMismatch(host: String)
    /// The proxy that the environment names cannot be used, or does not lead to the server.
    case proxyFailed(proxy: String, reason: String)
    /// The trust roots or the TLS set-up on our side could not be used.
    case tlsUnusable(reason: String)
    /// Name, TCP, TLS and upgrade together, or the whole request, took longer than allowed.
    case timedOut(WebPhase, after: Duration)
    /// The server answered the upgrade with something else than `101`.
    case upgradeRefused(status: Int, retryAfter: Duration?)
    /// The server's `101` breaks RFC 6455, or no HTTP came at all.
    case upgradeMalformed(reason: String)
    /// The peer broke the WebSocket protocol; the connection was closed with `fault.closeCode`.
    case protocolViolation(FrameFault)
    /// The configured transform refused a message (of so many bytes).
    case transformFailed(bytes: Int, reason: String)
    /// The connection ended without a close handshake.
    case connectionLost(reason: String)
    /// Nothing came for so long, not even an answer to the ping.
    case silent(Duration)
    /// The response's body or header is longer than allowed.
    case responseTooLarge(limit: Int)
    /// The request was not started: so many are waiting already.
    case queueFull(waiting: Int)
    /// libcurl could not finish the transfer; `code` is its `CURLcode`.
    case transferFailed(code: Int, reason: String)
    /// The caller's task was cancelled, or the client was closed.
    case cancelled

    /// Whether trying again can help.
    package var disposition: WebDisposition {
        switch self {
        case .invalidAddress, .tlsUnusable, .responseTooLarge, .cancelled: .fatal
        case .upgradeRefused(_, let retryAfter): .retry(after: retryAfter)
        // A certificate is repaired on the other side, so a refused one is retried with the others.
        case .nameUnresolved, .connectFailed, .tlsFailed, .pinMismatch, .proxyFailed, .timedOut,
            .upgradeMalformed, .protocolViolation, .transformFailed, .connectionLost, .silent, .queueFull,
            .transferFailed:
            .retry(after: nil)
        }
    }

    /// A metric label, one word per case.
    package var label: StaticString {
        switch self {
        case .invalidAddress: "invalid_address"
        case .nameUnresolved: "name_unresolved"
        case .connectFailed: "connect_failed"
        case .tlsFailed: "tls_failed"
        case .pinMismatch: "pin_mismatch"
        case .proxyFailed: "proxy_failed"
        case .tlsUnusable: "tls_unusable"
        case .timedOut: "timed_out"
        case .upgradeRefused: "upgrade_refused"
        case .upgradeMalformed: "upgrade_malformed"
        case .protocolViolation: "protocol_violation"
        case .transformFailed: "transform_failed"
        case .connectionLost: "connection_lost"
        case .silent: "silent"
        case .responseTooLarge: "response_too_large"
        case .queueFull: "queue_full"
        case .transferFailed: "transfer_failed"
        case .cancelled: "cancelled"
        }
    }
}

/// The part of a connection or request that a deadline covers.
package enum WebPhase: String, Sendable, Hashable {
    /// Name, TCP, TLS and upgrade.
    case opening
    /// A whole request, from the name to the last byte.
    case request
}

extension WebError: CustomStringConvertible {
    /// One line that is safe to show.
    package var description: String {
        switch self {
        case .invalidAddress(let text, let reason):
            "\(Self.origin(of: text)) is not an address to connect to: \(reason)"
        case .nameUnresolved(let host, let reason): "no address for \(host): \(reason)"
        case .connectFailed(let host, let port, let reason): "cannot connect to \(host):\(port): \(reason)"
        case .tlsFailed(let host, let reason): "TLS with \(host) failed: \(reason)"
        case .pinMismatch(let host):
            "the certificate of \(host) has none of the pinned keys: it has a new one, or is not \(host)'s"
        case .proxyFailed(let proxy, let reason): "the proxy \(proxy) cannot be used: \(reason)"
        case .tlsUnusable(let reason): "TLS cannot be set up here: \(reason)"
        case .timedOut(let phase, let limit): "\(phase.rawValue) took longer than \(limit)"
        case .upgradeRefused(let status, let retryAfter):
            "the server answered the WebSocket upgrade with status \(status)"
                + (retryAfter.map { " and asks to wait \($0)" } ?? "")
        case .upgradeMalformed(let reason): "the WebSocket upgrade failed: \(reason)"
        case .protocolViolation(let fault): "the server broke the WebSocket protocol: \(fault)"
        case .transformFailed(let bytes, let reason):
            "a message of \(bytes) bytes could not be read: \(reason)"
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .silent(let time): "nothing was received for \(Self.about(time))"
        case .responseTooLarge(let limit): "the response is longer than \(limit) bytes"
        case .queueFull(let waiting): "\(waiting) requests are waiting already"
        case .transferFailed(let code, let reason): "the request failed (\(code)): \(reason)"
        case .cancelled: "cancelled"
        }
    }

    /// Scheme and host: the rest may name a secret, such as the token of a connection.
    private static func origin(of address: String) -> Substring {
        let scheme = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let end = address[scheme...].firstIndex { "/?#".contains($0) } ?? address.endIndex
        let host = address[scheme..<end].lastIndex(of: "@").map { address.index(after: $0) } ?? scheme
        return address[..<scheme] + address[host..<end]
    }

    /// A measured time, without the digits that tell nobody anything.
    private static func about(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\((milliseconds + 500) / 1_000) s"
    }
}
