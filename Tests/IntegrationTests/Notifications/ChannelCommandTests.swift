import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("The commands of channels and deliveries", .serialized, .timeLimit(.minutes(10)))
struct ChannelCommandTests {
    /// What every command here seals with; a notifier that tells has it too.
    private static let key = Result { try makeKeyFile() }

    /// Runs `bitpal` to its end.
    private static func bitpal(
        _ outbox: Outbox, _ arguments: String...
    ) async throws -> (status: Int32, output: String, errors: String) {
        let process = try ChildProcess(
            "bitpal", arguments: arguments,
            environment: [
                "BITPAL_DATABASE_URL": outbox.configuration.description, "BITPAL_KEY_FILE": try key.get(),
            ], folder: try TestDatabase.temporaryDirectory())
        let status = await process.exitStatus()
        return (status, process.output, process.errors)
    }

    private static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("refuse what cannot be told, naming the field, the value and what is accepted, and store nothing")
    func refused() async throws {
        let outbox = try await Outbox.make()
        let cases: [([String], [String])] = [
            (
                ["webhook", "a", "--set", "url=https://127.0.0.1/x"],
                ["settings.url", "127.0.0.1", "https URL"]
            ),
            (["webhook", "a", "--set", "url=http://example.org/"], ["settings.url", "http://example.org/"]),
            (
                ["webhook", "a", "--set", "url=https://example.org/", "--secret", "keys=whsec_c2hvcnQ="],
                ["secrets.keys", "24...64 bytes"]
            ),
            (["email", "a", "--set", "to=nobody"], ["settings.to", "nobody", "an address"]),
            (["fax", "a"], ["kind", "fax", "webhook"]),
            (["command", "a", "--set", "arguments=rm"], ["settings.arguments", "absolute path"]),
            (
                ["webhook", "a", "--set", "url=https://example.org/", "--quiet", "25:00-07:00"],
                ["quiet", "25:00-07:00", "22:00-07:00"]
            ),
            (
                ["webhook", "a", "--set", "url=https://example.org/", "--time-zone", "Mars/Base"],
                ["time-zone", "Mars/Base", "Europe/Berlin"]
            ),
            (
                ["webhook", "a", "--set", "url=https://example.org/", "--per-minute", "0"],
                ["per-minute", "1...1000000"]
            ),
        ]
        for (arguments, words) in cases {
            let process = try ChildProcess(
                "bitpal", arguments: ["channel", "add"] + arguments,
                environment: ["BITPAL_DATABASE_URL": outbox.configuration.description],
                folder: try TestDatabase.temporaryDirectory())
            #expect(await process.exitStatus() == 1, "\(arguments)")
            #expect(process.errors.split(separator: "\n").count == 1, "\(process.errors)")
            for word in words { #expect(process.errors.contains(word), "\(process.errors)") }
            #expect(!process.errors.contains("c2hvcnQ"))
        }
        #expect(try await outbox.channels().isEmpty)
        await outbox.database.close()
    }

    @Test("add, show, test, disable and remove a webhook, and never show its key again")
    func webhook() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        // An hour of quiet, hours away from now.
        let hour = (Int(Date().timeIntervalSince1970) / 3_600 + 12) % 24
        let quiet = String(format: "%02d:00-%02d:59", hour, hour)
        let added = try await Self.bitpal(
            outbox, "channel", "add", "webhook", "desk", "--set", "url=\(receiver.url("/a"))",
            "--allow-private", "--locale", "de", "--quiet", quiet)
        #expect(added.status == 0, "\(added.errors)")
        let key = try #require(
            added.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("whsec_") })
        #expect(Data(base64Encoded: String(key.dropFirst(6)))?.count == 32)
        for command in [["list"], ["list", "--json"], ["show", "desk"], ["show", "desk", "--json"]] {
            let process = try ChildProcess(
                "bitpal", arguments: ["channel"] + command,
                environment: ["BITPAL_DATABASE_URL": outbox.configuration.description],
                folder: try TestDatabase.temporaryDirectory())
            #expect(await process.exitStatus() == 0)
            #expect(process.output.contains("desk") && !process.output.contains("whsec_"))
        }
        let twice = try await Self.bitpal(
            outbox, "channel", "add", "webhook", "desk", "--set", "url=https://example.org/")
        #expect(twice.status == 1 && twice.errors.contains("field \"name\" is \"desk\""), "\(twice.errors)")
        let notifier = try outbox.notifier(["BITPAL_KEY_FILE": try Self.key.get()])
        let tested = try await Self.bitpal(outbox, "channel", "test", "desk")
        #expect(tested.status == 0, "\(tested.errors)")
        #expect(receiver.received.count == 1)
        let list = try Self.objects(try await Self.bitpal(outbox, "deliveries", "list", "--json").output)
        #expect(list.map { $0["state"] as? String } == ["delivered"])
        #expect(list.first?["id"] as? String == receiver.received.first?.id)
        #expect(try await Self.bitpal(outbox, "channel", "disable", "desk").status == 0)
        let refused = try await Self.bitpal(outbox, "channel", "test", "desk")
        #expect(refused.status == 1 && refused.errors.contains("disabled"), "\(refused.errors)")
        #expect(try await Self.bitpal(outbox, "channel", "remove", "desk").status == 0)
        #expect(try await Self.bitpal(outbox, "channel", "show", "desk").status == 3)
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }

    @Test("use a mailbox only after its owner has said the code that was sent there")
    func email() async throws {
        let outbox = try await Outbox.make()
        #expect(
            try await Self.bitpal(outbox, "channel", "add", "email", "box", "--set", "to=ada@example.org")
                .status
                == 0)
        let refused = try await Self.bitpal(outbox, "channel", "test", "box")
        #expect(refused.status == 1 && refused.errors.contains("not verified"), "\(refused.errors)")
        try await outbox.fire(1...1)
        let code = try #require(try await outbox.database.first(SentCode()))
        let wrong = try await Self.bitpal(outbox, "channel", "verify", "box", "00000000x")
        #expect(wrong.status == 1 && wrong.errors.contains("00000000x"), "\(wrong.errors)")
        // A wrong code took the right one away.
        #expect(try await Self.bitpal(outbox, "channel", "verify", "box", code).status == 1)
        #expect(try await Self.bitpal(outbox, "channel", "verify", "box").status == 0)
        let next = try #require(try await outbox.database.first(SentCode()))
        #expect(try await Self.bitpal(outbox, "channel", "verify", "box", next).status == 0)
        let channel = try #require(try await outbox.channels().first { $0.name == "box" })
        #expect(channel.isUsable)
        await outbox.database.close()
    }

    @Test("show dead letters and try them again under the same ids")
    func retry() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/status/410"))
        try await outbox.fire(1...1)
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "dead" } }
        let list = try Self.objects(
            try await Self.bitpal(outbox, "deliveries", "list", "--state", "dead", "--json").output)
        let id = try #require(list.first?["id"] as? String)
        #expect(list.count == 1 && (list[0]["last_error"] as? String)?.contains("410") == true)
        #expect(try await Self.bitpal(outbox, "deliveries", "show", id).output.contains("410"))
        #expect(try await Self.bitpal(outbox, "deliveries", "retry", Outbox.id(7).description).status == 3)
        #expect(try await Self.bitpal(outbox, "deliveries", "retry", id).status == 0)
        try await outbox.webhook(1, receiver.url("/works"))
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        #expect(Set(receiver.received.map(\.id)) == [id] && receiver.received.count == 2)
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }
}

/// The code that a channel was sent last.
private struct SentCode: Statement {
    static let sql = "SELECT code FROM alerts.channel WHERE code IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
