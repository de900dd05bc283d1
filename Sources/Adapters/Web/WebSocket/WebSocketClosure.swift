/// How a connection ended.
package enum WebSocketClosure: Sendable, Hashable {
    /// With a close handshake; `code` is 1005 when the close frame carried none.
    case closed(code: UInt16, reason: String, byPeer: Bool)
    /// Without one.
    case failed(WebError)
}

extension WebSocketClosure: CustomStringConvertible {
    /// One line that is safe to show.
    package var description: String {
        switch self {
        case .closed(let code, let reason, let byPeer):
            "closed by \(byPeer ? "the server" : "us") with \(code)" + (reason.isEmpty ? "" : " (\(reason))")
        case .failed(let error): error.description
        }
    }
}

/// What became of something to send.
package enum WebSocketSendOutcome: Sendable, Hashable {
    /// It will be sent in its turn, unless the connection ends first.
    case accepted
    /// Refused and counted: `maximumOutboundBytes` are waiting already.
    case full
    /// Refused: the connection is closing or closed.
    case closed
}

/// What a connection has done so far.
package struct WebSocketCounters: Sendable, Hashable {
    /// Whole frames received, control frames included.
    package var frames: Int
    /// Bytes received after the upgrade.
    package var bytes: Int
    /// Messages handed to the consumer.
    package var messages: Int
    /// Messages that came but were dropped because the connection ended while it was paused.
    package var messagesDropped: Int
    /// Pings answered.
    package var pongs: Int
    /// Pings left unanswered because newer ones came before they could be.
    package var pongsDropped: Int
    /// Sends refused with ``WebSocketSendOutcome/full``.
    package var sendsRefused: Int
    /// Bytes waiting to be sent.
    package var outboundBytes: Int
}
