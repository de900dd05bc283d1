import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("A receiver's certificate", .serialized, .timeLimit(.minutes(10)))
struct CertificateTests {
    @Test(
        "is checked: one that signs itself, of another host or of the past is told nothing",
        .enabled(
            if: PythonEnvironment.isThere, "SKIPPED: scripts/install-dependencies.sh test gets the packages"))
    func checked() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let server = try ChildProcess(
            PythonEnvironment.python, arguments: [PythonEnvironment.tool("tls_receiver.py"), folder],
            folder: folder)
        let ports = try JSONDecoder().decode(
            [String: Int].self, from: Data(try server.firstLine().utf8))
        let outbox = try await Outbox.make()
        var kinds: [UniqueID: String] = [:]
        for (number, (kind, port)) in ports.sorted(by: { $0.key < $1.key }).enumerated() {
            let channel = try await outbox.webhook(UInt64(number), "https://localhost:\(port)/")
            kinds[channel.id] = kind
        }
        try await outbox.fire(1...3)
        let notifier = try outbox.notifier([
            "BITPAL_NOTIFIER_TLS_ROOTS": folder + "/authority.pem",
            "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": "60s", "BITPAL_NOTIFIER_CLAIM_LEASE": "120s",
        ])
        try await outbox.wait(for: notifier) { rows in
            rows.allSatisfy { kinds[$0.channel] == "good" ? $0.state == "delivered" : $0.failures > 0 }
        }
        for row in try await outbox.rows() where kinds[row.channel] != "good" {
            #expect(row.state == "waiting" && row.error.lowercased().contains("certificate"), "\(row)")
        }
        #expect(server.output.split(separator: "\n").dropFirst() == ["good", "good", "good"])
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        await server.crash()
        await outbox.database.close()
    }
}
