import Foundation
import Support
import Testing
import Web

/// A certificate that signs itself, for `localhost`.
private struct Certificate {
    let file: String
    let key: String

    init() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        (file, key) = (folder + "/cert.pem", folder + "/key.pem")
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-keyout", key, "-out", file,
            ], folder: folder)
        guard await openssl.exitStatus() == 0 else { throw PropertyFailure(openssl.errors) }
    }

    /// Sends a request over TLS, with the certificate checked by another implementation; the whole answer.
    func ask(_ port: UInt16, _ request: String) async throws -> String {
        let folder = try TestDatabase.temporaryDirectory()
        try request.write(toFile: folder + "/request", atomically: true, encoding: .utf8)
        let client = try ChildProcess(
            "/bin/sh",
            arguments: [
                "-c",
                """
                exec openssl s_client -quiet -connect "127.0.0.1:$1" -servername localhost -CAfile "$2" \
                    -verify_return_error -verify_hostname localhost <"$3"
                """,
                "sh", "\(port)", file, folder + "/request",
            ], folder: folder)
        guard await client.exitStatus() == 0 else { throw PropertyFailure(client.errors) }
        return client.output
    }
}

@Suite("A gateway with a certificate", .serialized, .timeLimit(.minutes(10)))
struct GatewayTLSTests {
    @Test("may listen beyond loopback, answers over HTTPS, and its cookies are the page's alone")
    func cookies() async throws {
        let certificate = try await Certificate()
        let port = try FreePorts.run(of: 1)
        let running = try await GatewayProcess.start([
            "BITPAL_GATEWAY_ADDRESS": "0.0.0.0:\(port)", "BITPAL_GATEWAY_TLS_CERTIFICATE": certificate.file,
            "BITPAL_GATEWAY_TLS_KEY": certificate.key, "BITPAL_GATEWAY_ACCOUNTS_SIGN_UP": "open",
        ])
        let head = "Host: localhost:\(port)\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\n"
        let body = #"{"email":"ann@example.org","password":"vacuum trombone quilt"}"#
        let signedUp = try await certificate.ask(
            port,
            "POST /v1/auth/sign-up HTTP/1.1\r\n\(head)Content-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(signedUp.hasPrefix("HTTP/1.1 201"), "\(signedUp)")
        #expect(signedUp.lowercased().contains("strict-transport-security: max-age="))
        let lines = signedUp.split(whereSeparator: \.isNewline)
        let cookie = try #require(lines.first { $0.lowercased().hasPrefix("set-cookie: ") }).dropFirst(12)
        #expect(cookie.hasPrefix("__Host-bitpal="))
        for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
            #expect(cookie.contains("; \(attribute)"), "\(cookie)")
        }
        #expect(!cookie.contains("Domain"))
        let question = "GET /v1/account HTTP/1.1\r\n\(head)"
        let name = cookie.prefix { $0 != ";" }
        let known = try await certificate.ask(port, "\(question)Cookie: \(name)\r\n\r\n")
        #expect(known.hasPrefix("HTTP/1.1 200") && known.contains("ann@example.org"), "\(known)")
        // Beyond loopback not even the market is for everybody.
        #expect(try await certificate.ask(port, question + "\r\n").hasPrefix("HTTP/1.1 401"))
        let market = try await certificate.ask(port, "GET /v1/instruments HTTP/1.1\r\n\(head)\r\n")
        #expect(market.hasPrefix("HTTP/1.1 401"))
        #expect(await running.stop() == 0, "\(running.gateway.errors)")
    }

    @Test("is believed by who trusts the certificate, by nobody else, and says nothing without TLS")
    func trust() async throws {
        let certificate = try await Certificate()
        let running = try await GatewayProcess.start([
            "BITPAL_GATEWAY_TLS_CERTIFICATE": certificate.file, "BITPAL_GATEWAY_TLS_KEY": certificate.key,
        ])
        let trusting = HTTPClient(
            configuration: HTTPClientConfiguration(trustRoots: .file(certificate.file)))
        let page = try await trusting.get("https://localhost:\(running.port)/")
        #expect(page.status == 200 && page.header("content-type")?.hasPrefix("text/html") == true)
        await #expect(throws: WebError.self) {
            try await HTTPClient().get("https://localhost:\(running.port)/")
        }
        await #expect(throws: WebError.self) {
            try await HTTPClient().get("http://localhost:\(running.port)/")
        }
        #expect(await running.stop() == 0, "\(running.gateway.errors)")
    }
}
