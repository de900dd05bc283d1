/// Why nothing was answered.
package enum SendFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is none that this can send to.
    case malformed(String)
    /// Where it leads is not allowed; nothing was connected to.
    case forbidden(String)
    /// The name has no address now.
    case unresolved(host: String)
    /// The connection, TLS or the exchange broke.
    case failed(String)
    /// No whole answer came in time.
    case timedOut(Duration)
    /// The operator has set up nothing that could send it.
    case unsupported(String)
    /// The sender was closed, or the waiting task cancelled.
    case cancelled

    /// One line, without secrets.
    package var description: String {
        switch self {
        case .malformed(let reason): "the address cannot be used: \(reason)"
        case .forbidden(let reason): "not sent: \(reason)"
        case .unresolved(let host): "\(host) has no address"
        case .failed(let reason): reason
        case .timedOut(let limit): "no answer within \(limit)"
        case .unsupported(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
