import NIOSSL
import Synchronization

/// Who may sign a server's certificate, with the TLS set-up that follows from it.
///
/// The set-up is made once, at the first connection, and kept: reading the system's roots takes milliseconds.
package final class TrustRoots: Sendable {
    /// The roots of the operating system.
    package static let system = TrustRoots(file: nil)

    /// A PEM file with the only certificates trusted, or `nil` for the system's.
    package let file: String?
    private let context = Mutex<NIOSSLContext?>(nil)

    /// Trusts the certificates in a PEM file and nothing else.
    package static func file(_ path: String) -> TrustRoots { TrustRoots(file: path) }

    private init(file: String?) {
        self.file = file
    }

    /// The client side of TLS: TLS 1.2 or later, full verification, HTTP/1.1.
    ///
    /// - Throws: ``WebError/tlsUnusable(reason:)`` when the file cannot be read.
    func clientContext() throws(WebError) -> NIOSSLContext {
        let made: Result<NIOSSLContext, WebError> = context.withLock { kept in
            if let kept { return .success(kept) }
            do {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                configuration.certificateVerification = .fullVerification
                configuration.applicationProtocols = ["http/1.1"]
                if let file {
                    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
                }
                let context = try NIOSSLContext(configuration: configuration)
                kept = context
                return .success(context)
            } catch {
                return .failure(.tlsUnusable(reason: "\(file ?? "system roots"): \(error)"))
            }
        }
        return try made.get()
    }
}
