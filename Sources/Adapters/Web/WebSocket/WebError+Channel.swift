import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension WebError {
    /// Reads what NIO says about a connection that exists.
    init(channelError error: any Error, host: String) {
        switch error {
        case let error as WebError: self = error
        case let error as IOError: self = .connectionLost(reason: Self.text(of: error))
        case NIOSSLError.uncleanShutdown:
            self = .connectionLost(reason: "the server hung up without TLS's goodbye")
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self = .tlsFailed(host: host, reason: Self.tlsReason("\(error)"))
        default: self = .connectionLost(reason: "\(error)")
        }
    }

    /// Reads what NIO says about a connection that did not come about.
    init(connectError error: any Error, address: WebSocketAddress) {
        guard let error = error as? NIOConnectionError else {
            if error is SocketAddressError {
                self = .nameUnresolved(host: address.host, reason: "\(error)")
            } else {
                self = .connectFailed(host: address.host, port: address.port, reason: Self.text(of: error))
            }
            return
        }
        guard let last = error.connectionErrors.last else {
            let cause: any Error = error.dnsAError ?? error.dnsAAAAError ?? error
            self = .nameUnresolved(host: address.host, reason: "\(cause)")
            return
        }
        self = .connectFailed(host: address.host, port: address.port, reason: Self.text(of: last.error))
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout(let limit): "no answer within \(limit.nanoseconds / 1_000_000) ms"
        default: "\(error)"
        }
    }

    /// The word that BoringSSL uses, such as `CERTIFICATE_VERIFY_FAILED`, out of its long line.
    private static func tlsReason(_ text: String) -> String {
        guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return text }
        return String(text[mark.upperBound...].prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
    }
}
