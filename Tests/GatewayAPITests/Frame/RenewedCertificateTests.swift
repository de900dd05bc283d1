import Bus
import Foundation
import Glibc
import Instruments
import Support
import Synchronization
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// What new and old connections are shown when the files of the certificate change.
@Suite("A certificate that is renewed", .timeLimit(.minutes(10)))
struct RenewedCertificateTests {
    private static let day: Int64 = 86_400_000_000_000

    /// Certificate and key as they lie, and where they are made.
    private struct Files {
        let certificate: String
        let key: String
        private let folder: String

        init() throws {
            folder = try TestDatabase.temporaryDirectory()
            (certificate, key) = (folder + "/cert.pem", folder + "/key.pem")
        }

        /// A certificate for localhost of this number that signs itself, good for two days; not yet in place.
        func make(_ number: Int) async throws -> (certificate: String, key: String) {
            let made = (certificate: "\(folder)/cert\(number)", key: "\(folder)/key\(number)")
            let openssl = try ChildProcess(
                "/usr/bin/openssl",
                arguments: [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-set_serial", "\(number)", "-subj", "/CN=localhost", "-keyout", made.key,
                    "-out", made.certificate,
                ], folder: folder)
            guard await openssl.exitStatus() == 0 else { throw PropertyFailure(openssl.errors) }
            return made
        }

        /// Puts a file in another's place at once.
        func rename(_ made: String, to path: String) throws {
            guard Glibc.rename(made, path) == 0 else { throw PropertyFailure("\(made) stays") }
        }

        /// Writes bytes over a file, which stays the same.
        func overwrite(_ path: String, with bytes: Data) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        }
    }

    @Test("is shown to who connects then; who is connected lives on, and a bad one is as none")
    func renewal() async throws {
        let files = try Files()
        let first = try await files.make(1)
        try files.rename(first.key, to: files.key)
        try files.rename(first.certificate, to: files.certificate)
        let clock = Mutex(BusClock.wall())
        try await GatewayFixture.run(
            { $0.server.tls = .init(certificate: files.certificate, key: files.key) },
            clock: { clock.withLock { $0 } }
        ) { fixture async throws in
            let port = fixture.client.port
            try await TLSClient.run(port: port) { old async throws in
                #expect(try await old.serial() == [1])
                #expect(try await old.ask("/health/live").hasPrefix("HTTP/1.1 200"))

                let second = try await files.make(2)
                try files.rename(second.key, to: files.key)
                // The key alone is of no certificate.
                #expect(try await TLSClient.serial(port) == [1])
                try files.rename(second.certificate, to: files.certificate)
                #expect(try await TLSClient.serial(port) == [2])

                let third = try await files.make(3)
                let chain = try Data(contentsOf: URL(filePath: third.certificate))
                try files.overwrite(files.key, with: try Data(contentsOf: URL(filePath: third.key)))
                try files.overwrite(files.certificate, with: chain.prefix(chain.count / 2))
                #expect(try await TLSClient.serial(port) == [2])
                try files.overwrite(files.certificate, with: chain)
                #expect(try await TLSClient.serial(port) == [3])

                clock.withLock { $0 = $0.adding(nanoseconds: 3 * Self.day) }
                let fourth = try await files.make(4)
                try files.rename(fourth.key, to: files.key)
                try files.rename(fourth.certificate, to: files.certificate)
                #expect(try await TLSClient.serial(port) == [3])
                let last = try await old.ask("/health/live")
                #expect(last.hasPrefix("HTTP/1.1 200"), "\(last)")
                // Limits of requests go by the same clock here: nothing is asked for any more.
                clock.withLock { $0 = $0.adding(nanoseconds: -3 * Self.day) }
                #expect(try await TLSClient.serial(port) == [4])
            }
        }
    }
}
