import Foundation
import Support
import Testing

@Suite("What a gateway does not start with", .serialized, .timeLimit(.minutes(10)))
struct GatewayRefusalTests {
    /// What is set, and what the one line names: the setting, its value, what is accepted.
    private static let cases: [([String: String], [String])] = [
        (
            ["ADDRESS": "0.0.0.0:8080"],
            ["BITPAL_GATEWAY_ADDRESS", "0.0.0.0:8080", "loopback", "tls.certificate", "BEHIND_PROXY=true"]
        ),
        (["NO_SUCH_KEY": "1"], ["BITPAL_GATEWAY_NO_SUCH_KEY"]),
        (["ADRESS": "127.0.0.1:1"], ["BITPAL_GATEWAY_ADRESS", "did you mean BITPAL_GATEWAY_ADDRESS?"]),
        (
            ["TLS_CERTIFICATE": "/nowhere/cert.pem", "TLS_KEY": "/nowhere/key.pem"],
            ["tls.certificate", "/nowhere/cert.pem", "/nowhere/key.pem", "a PEM file"]
        ),
        (["TLS_CERTIFICATE": "cert.pem"], ["BITPAL_GATEWAY_TLS_CERTIFICATE", "cert.pem", "tls.key"]),
        (["REQUESTS_PER_MINUTE": "0"], ["BITPAL_GATEWAY_REQUESTS_PER_MINUTE", "0", "1...1000000"]),
        (
            ["ADDRESS": "0.0.0.0:8080", "BEHIND_PROXY": "true"],
            ["BITPAL_GATEWAY_BEHIND_PROXY", "BITPAL_GATEWAY_PROXIES", "172.16.0.0/12", "share one rate"]
        ),
        (["PROXIES": "0.0.0.0/0"], ["BITPAL_GATEWAY_PROXIES", "0.0.0.0/0", "IP addresses"]),
        (["PROXIES": "proxy.example"], ["BITPAL_GATEWAY_PROXIES", "proxy.example", "IP addresses"]),
        (
            ["ACCOUNTS_SIGN_UP": "maybe"],
            ["BITPAL_GATEWAY_ACCOUNTS_SIGN_UP", "maybe", "open, invitation", "closed"]
        ),
        (["WEB_FOLDER": "/nowhere"], ["/nowhere", "BITPAL_GATEWAY_WEB_FOLDER"]),
    ]

    private static func expectRefusal(_ more: [String: String], _ words: [String]) async throws {
        var environment = try await GatewayProcess.environment(base: try FreePorts.run(of: 6))
        environment.merge(more) { $1 }
        let gateway = try ChildProcess(
            "gateway", environment: environment, folder: try TestDatabase.temporaryDirectory())
        #expect(await gateway.exitStatus() == 78)
        // What was logged before, such as migrations, is no reason.
        let lines = gateway.errors.split(separator: "\n").filter { line in
            !line.contains(" level=info ") && !line.contains(" level=notice ")
        }
        #expect(lines.count == 1 && lines.first?.hasPrefix("gateway: ") == true, "\(gateway.errors)")
        for word in words { #expect(lines.last?.contains(word) == true, "\(word): \(gateway.errors)") }
    }

    @Test(
        "is told in one line with the setting, its value and what is accepted, and with 78",
        arguments: cases)
    func setting(variables: [String: String], words: [String]) async throws {
        let pairs = variables.map { ("BITPAL_GATEWAY_\($0.key)", $0.value) }
        try await Self.expectRefusal(Dictionary(pairs) { first, _ in first }, words)
    }

    @Test("without a database, or with one that refuses, says so")
    func database() async throws {
        try await Self.expectRefusal(["BITPAL_DATABASE_URL": ""], ["BITPAL_DATABASE_URL"])
        try await Self.expectRefusal(
            ["BITPAL_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"],
            ["PostgreSQL", "BITPAL_DATABASE_URL"])
    }

    @Test("an unknown key of its file is named with the file")
    func file() async throws {
        let path = try TestDatabase.temporaryDirectory() + "/config.json"
        try #"{"adress":"127.0.0.1:8080"}"#.write(toFile: path, atomically: true, encoding: .utf8)
        try await Self.expectRefusal(["BITPAL_GATEWAY_CONFIG": path], [path, "adress", "address"])
    }

    @Test("a port that is taken is named with the setting that leads elsewhere")
    func port() async throws {
        let running = try await GatewayProcess.start()
        try await Self.expectRefusal(
            ["BITPAL_GATEWAY_ADDRESS": "127.0.0.1:\(running.port)"],
            ["127.0.0.1:\(running.port) is in use", "BITPAL_GATEWAY_ADDRESS"])
        #expect(await running.stop() == 0)
    }
}
