import Glibc
import Instruments
import Logging
import Metrics
import NIOCore
import NIOSSL
import Operations
import Synchronization

/// The certificate that new connections are shown; read again as soon as its files are others.
///
/// Its files are looked at with each new connection, and where nobody connects by ``watch(_:)``. What cannot
/// be used, because it is half written, of another key or expired, is told and counted, and the one of before
/// stays. Connections keep the one that they began with.
final class ServerCertificate: Sendable {
    /// Waits for a time.
    typealias Pause = @Sendable (Duration) async throws -> Void

    /// A file of a moment.
    private struct FileVersion: Hashable {
        var device: UInt
        var file: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, file, size) = (status.st_dev, status.st_ino, status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private struct Loaded {
        var context: NIOSSLContext
        /// In seconds since 1970.
        var expires: Int64
        var serial: String
    }

    private struct State {
        var loaded: Loaded
        var versions: [FileVersion?]
        /// What was found unusable last, so that it is told once.
        var refused: [FileVersion?]?
    }

    /// Between two looks where nobody connects.
    private static let interval = Duration.seconds(10)

    private let files: ServerConfiguration.TLSFiles
    private let state: Mutex<State>
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp
    private let expires = Gauge(label: "gateway_certificate_expires_seconds")
    private let refused = Counter(label: "gateway_certificates_refused_total")

    /// Reads the files.
    ///
    /// - Throws: `ConfigurationError` when they cannot be used at all.
    init(
        _ files: ServerConfiguration.TLSFiles, logger: Logger, clock: @escaping @Sendable () -> Timestamp
    ) throws(ConfigurationError) {
        (self.files, self.logger, self.clock) = (files, logger, clock)
        let versions = Self.versions(files)
        let loaded: Loaded
        do {
            loaded = try Self.load(files)
        } catch {
            throw .unavailable(
                "the certificate \(files.certificate) with the key \(files.key) cannot be used: \(error)",
                advice: "set tls.certificate and tls.key to a PEM file each")
        }
        state = Mutex(State(loaded: loaded, versions: versions))
        expires.record(loaded.expires)
        if loaded.expires <= clock().nanoseconds / 1_000_000_000 {
            logger.error("The certificate is expired", metadata: Self.metadata(files, loaded))
        }
    }

    /// What a new connection is to be given.
    var context: NIOSSLContext {
        state.withLock { state in
            look(&state)
            return state.loaded.context
        }
    }

    /// Looks at the files from time to time, so that an operator hears of them before anybody connects.
    func watch(_ pause: Pause = { try await Task.sleep(for: $0) }) async {
        while (try? await pause(Self.interval)) != nil { _ = context }
    }

    private func look(_ state: inout State) {
        let versions = Self.versions(files)
        guard versions != state.versions else { return }
        do {
            let loaded = try Self.load(files)
            guard loaded.expires > clock().nanoseconds / 1_000_000_000 else { throw Expired() }
            state = State(loaded: loaded, versions: versions)
            expires.record(loaded.expires)
            logger.notice("The certificate is read again", metadata: Self.metadata(files, loaded))
        } catch {
            // Tried with each connection: its writer may not be done.
            guard state.refused != versions else { return }
            state.refused = versions
            refused.increment()
            var metadata = Self.metadata(files, state.loaded)
            metadata["error"] = "\(error)"
            logger.error("The new certificate cannot be used; the one of before stays", metadata: metadata)
        }
    }

    private struct Expired: Error, CustomStringConvertible {
        var description: String { "it is expired" }
    }

    private static func metadata(
        _ files: ServerConfiguration.TLSFiles, _ loaded: Loaded
    ) -> Logger.Metadata {
        let expires = Timestamp(nanoseconds: loaded.expires * 1_000_000_000)
        return [
            "certificate": "\(files.certificate)", "serial": "\(loaded.serial)",
            "expires": "\(expires.iso8601)",
        ]
    }

    private static func versions(_ files: ServerConfiguration.TLSFiles) -> [FileVersion?] {
        [FileVersion(files.certificate), FileVersion(files.key)]
    }

    private static func load(_ files: ServerConfiguration.TLSFiles) throws -> Loaded {
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        guard let own = chain.first else { throw NIOSSLError.failedToLoadCertificate }
        let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        // A client that has nothing to ask does not say goodbye; nobody who stops waits longer for it.
        tls.shutdownTimeout = .seconds(1)
        let serial = own.serialNumber.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return Loaded(
            context: try NIOSSLContext(configuration: tls), expires: Int64(own.notValidAfter),
            serial: serial)
    }
}
