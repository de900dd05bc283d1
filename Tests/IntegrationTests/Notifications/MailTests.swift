import AlertStore
import Channels
import Foundation
import Instruments
import Store
import Support
import Testing

@Suite("A letter", .serialized, .timeLimit(.minutes(10)))
struct MailTests {
    private struct Letter: Decodable {
        var from: String
        var to: [String]
        var data: String
        var tls: Bool
    }

    /// A certificate for localhost that signs itself; the folder with `cert.pem` and `key.pem`.
    private static func certificate() async throws -> String {
        let folder = try TestDatabase.temporaryDirectory()
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "2", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ], folder: folder)
        try #require(await openssl.exitStatus() == 0, "\(openssl.errors)")
        return folder
    }

    private static func channel(_ number: UInt64, _ address: String) -> Channel {
        Channel(
            id: Outbox.id(200 + number), user: Outbox.user, name: "mail \(number)", kind: .email,
            settings: #"{"to":"\#(address)","name":"Ada"}"#, created: .zero, verified: .zero)
    }

    /// Follows the link of a letter, and one that somebody has changed.
    private func unsubscribes(_ outbox: Outbox, _ channel: Channel, _ letter: String) async throws {
        let start = "List-Unsubscribe: <https://bitpal.example/unsubscribe?token="
        let token = try #require(letter.components(separatedBy: start).last?.prefix { $0 != ">" })
        let server = try await CommandServer.start(database: outbox.configuration)
        for (text, status) in [("x\(token)", Int32(1)), (String(token), 0)] {
            let tool = try ChildProcess(
                "bitpal", arguments: ["channel", "unsubscribe", text], environment: server.environment,
                folder: server.folder)
            #expect(await tool.exitStatus() == status, "\(tool.errors)")
            let after = try await outbox.channels().first { $0.id == channel.id }
            #expect((after?.disabled != nil) == (status == 0))
        }
        #expect(await server.stop() == 0)
    }

    @Test("is handed in under TLS with the name and password, and a real server has it as it was written")
    func letters() async throws {
        let folder = try await Self.certificate()
        let server = try ChildProcess(
            "/usr/bin/python3",
            arguments: [
                PythonEnvironment.tool("smtp_receiver.py"), folder + "/cert.pem", folder + "/key.pem",
                "bitpal",
                "sesame",
            ], folder: folder)
        while !server.output.contains("\n") {
            try #require(server.errors.isEmpty, "\(server.errors)")
            try ChildProcess.turn()
        }
        let port = try #require(server.output.split(separator: "\n").first.map(String.init))
        let outbox = try await Outbox.make()
        var german = Self.channel(1, "ada@example.org")
        german.preferences.locale = "de"
        german.preferences.timeZone = "Europe/Berlin"
        let (nobody, later) = (Self.channel(2, "nobody@example.org"), Self.channel(3, "later@example.org"))
        for channel in [german, nobody, later] { try await outbox.put(channel) }
        try await outbox.fire(1...1)
        let settings = [
            "BITPAL_NOTIFIER_MAIL_HOST": "localhost", "BITPAL_NOTIFIER_MAIL_PORT": port,
            "BITPAL_NOTIFIER_MAIL_USER": "bitpal", "BITPAL_NOTIFIER_MAIL_PASSWORD": "sesame",
            "BITPAL_NOTIFIER_MAIL_FROM": "alerts@example.org",
            "BITPAL_NOTIFIER_MAIL_UNSUBSCRIBE_PAGE": "https://bitpal.example/unsubscribe",
            "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": "60s", "BITPAL_NOTIFIER_CLAIM_LEASE": "120s",
        ]
        // Nobody knows who signed this certificate: nothing is handed in, and nothing is lost.
        let stranger = try outbox.notifier(settings)
        try await outbox.wait(for: stranger) { $0.contains { $0.failures == 1 } }
        stranger.signal(SIGTERM)
        #expect(await stranger.exitStatus() == 0, "\(stranger.errors)")
        #expect(server.output.split(separator: "\n").count == 1)
        try await outbox.database.withSession { session in
            try session.script("UPDATE alerts.outbox SET next_attempt = now()")
        }
        let notifier = try outbox.notifier(
            settings.merging(["BITPAL_NOTIFIER_TLS_ROOTS": folder + "/cert.pem"]) { $1 })
        try await outbox.wait(for: notifier) { rows in
            rows.contains { $0.channel == german.id && $0.state == "delivered" }
                && rows.contains { $0.channel == nobody.id && $0.state == "dead" }
                && rows.contains { $0.channel == later.id && $0.failures > 0 && $0.error.contains("451") }
        }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        let lines = server.output.split(separator: "\n").dropFirst()
        let letter = try JSONDecoder().decode(Letter.self, from: Data(try #require(lines.first).utf8))
        #expect(lines.count == 1 && letter.tls)
        #expect(letter.from == "alerts@example.org" && letter.to == ["ada@example.org"])
        for part in ["From: ", "To: ", "Subject: ", "multipart/alternative", "text/plain", "text/html"] {
            #expect(letter.data.contains(part), "\(part)\n\(letter.data)")
        }
        #expect(letter.data.contains("alerts@example.org"))
        #expect(letter.data.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"))
        try await unsubscribes(outbox, german, letter.data)
        await server.crash()
        await outbox.database.close()
    }
}
