import Foundation
import NIOSSL

/// A certificate for localhost that signs itself, made by openssl in a folder of its own.
struct TestCertificate {
    let folder: String
    var certificate: String { folder + "/cert.pem" }
    var key: String { folder + "/key.pem" }

    struct OpenSSLFailed: Error { let status: Int32 }

    init(names: String = "DNS:localhost,IP:127.0.0.1") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "bitpal-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-keyout", self.folder + "/key.pem", "-out", self.folder + "/cert.pem", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=\(names)",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw OpenSSLFailed(status: openssl.terminationStatus) }
    }

    func serverContext() throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let key = try NIOSSLPrivateKey(file: key, format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
