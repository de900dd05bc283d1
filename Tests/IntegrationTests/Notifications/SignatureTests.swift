import Foundation
import Store
import Support
import Testing

/// What `scripts/install-dependencies.sh test` made.
enum PythonEnvironment {
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }()

    static let python = root.appendingPathComponent(".build/python/bin/python").path
    static let isThere = FileManager.default.fileExists(
        atPath: root.appendingPathComponent(".build/python/ready").path)

    static func tool(_ name: String) -> String { root.appendingPathComponent("Tests/Tools/\(name)").path }
}

@Suite("The signature of a webhook", .serialized, .timeLimit(.minutes(10)))
struct SignatureTests {
    @Test(
        "is what the reference implementation accepts, and it accepts nothing else",
        .enabled(
            if: PythonEnvironment.isThere,
            "SKIPPED: no standardwebhooks package; scripts/install-dependencies.sh test gets it from PyPI"))
    func verified() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a"))
        try await outbox.fire(1...5)
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        let folder = try TestDatabase.temporaryDirectory()
        var lines = Data()
        func append(_ message: HookReceiver.Received, body: String) throws {
            let object: [String: Any] = ["headers": message.headers, "body": body]
            lines += try JSONSerialization.data(withJSONObject: object) + Data("\n".utf8)
        }
        for message in receiver.received {
            let body = String(decoding: message.body, as: UTF8.self)
            try append(message, body: body)
            try append(message, body: body + " ")
        }
        let input = folder + "/messages"
        try lines.write(to: URL(fileURLWithPath: input))
        let check = try ChildProcess(
            "/bin/sh",
            arguments: [
                "-c", "exec \"$0\" \"$1\" \"$2\" <\"$3\"", PythonEnvironment.python,
                PythonEnvironment.tool("verify_webhook.py"), Outbox.key, input,
            ], folder: folder)
        #expect(await check.exitStatus() == 0, "\(check.errors)")
        let verdicts = check.output.split(separator: "\n").map(String.init)
        #expect(verdicts.count == 10)
        for (index, verdict) in verdicts.enumerated() {
            #expect(index % 2 == 0 ? verdict == "ok" : verdict.contains("VerificationError"), "\(verdict)")
        }
        receiver.close()
        await outbox.database.close()
    }
}
