import NIOSSL
import Testing

@testable import Web

@Suite("Pinned keys", .timeLimit(.minutes(10)))
struct PinTests {
    /// The pin of a certificate's key.
    private func pin(_ certificate: TestCertificate) throws -> String {
        let first = try #require(NIOSSLCertificate.fromPEMFile(certificate.certificate).first)
        return try #require(KeyPins.text(of: first))
    }

    /// Of 32 bytes 7.
    private let other = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="

    @Test("are sums of 32 bytes in base64")
    func form() {
        #expect(KeyPins([other])?.texts == [other] && KeyPins([]) == .any)
        #expect(KeyPins(["secret"]) == nil && KeyPins([other, "AAAA"]) == nil)
    }

    @Test("let a WebSocket speak with one of them, and with nobody else")
    func webSocket() async throws {
        let certificate = try TestCertificate(names: "DNS:localhost")
        defer { certificate.remove() }
        let server = try await RawServer.accepting(
            tls: certificate.serverContext(), greeting: RawFrame.text("secret"))
        var configuration = WebSocketConfiguration.test.with {
            $0.trustRoots = .file(certificate.certificate)
        }
        configuration.pins = try #require(KeyPins([other, pin(certificate)]))
        let inbox = Inbox()
        let connection = try await inbox.connect(
            to: server.port, scheme: "wss", host: "localhost", configuration: configuration)
        connection.resume()
        #expect(await inbox.messages.next() == "secret")
        connection.close()
        configuration.pins = try #require(KeyPins([other]))
        await #expect(throws: WebError.pinMismatch(host: "localhost")) {
            try await Inbox().connect(
                to: server.port, scheme: "wss", host: "localhost", configuration: configuration)
        }
    }

    @Test("let a request be answered by one of them, and by nobody else")
    func requests() async throws {
        let certificate = try TestCertificate(names: "DNS:localhost")
        defer { certificate.remove() }
        let server = try await HTTPTestServer.start(tls: certificate.serverContext()) { _ in .init(body: [1])
        }
        let client = HTTPClient(
            configuration: HTTPClientConfiguration(trustRoots: .file(certificate.certificate)))
        let url = "https://localhost:\(server.port)/"
        let right = try #require(KeyPins([other, pin(certificate)]))
        #expect(try await client.get(url, pins: right).body == [1])
        let wrong = try #require(KeyPins([other]))
        await #expect(throws: WebError.pinMismatch(host: "localhost")) {
            try await HTTPClient(
                configuration: HTTPClientConfiguration(trustRoots: .file(certificate.certificate))
            ).get(url, pins: wrong)
        }
    }
}
