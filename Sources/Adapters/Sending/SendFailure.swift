/// Why nothing was answered.
package enum SendFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is none that this can send to.
    case malformed(String)
    /// Where it leads is not allowed; nothing was connected to.
    ///
    /// The detail is the operator's to read: of whose network an address is, is nobody else's business.
    case forbidden(String, detail: String? = nil)
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

    /// One line for who wanted it sent, without secrets and without addresses that a name has.
    package var description: String {
        switch self {
        case .malformed(let reason): "the address cannot be used: \(reason)"
        case .forbidden(let reason, _): "not sent: \(reason)"
        case .unresolved(let host): "\(host) has no address"
        case .failed(let reason): reason
        case .timedOut(let limit): "no answer within \(limit)"
        case .unsupported(let reason): reason
        case .cancelled: "cancelled"
        }
    }

    /// More for the operator's log; `nil` where there is no more.
    package var detail: String? {
        if case .forbidden(_, let detail) = self { detail } else { nil }
    }
}
