import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("The commands of channels and deliveries", .serialized, .timeLimit(.minutes(10)))
struct ChannelCommandTests {
    /// Runs `bitpal` to its end.
    private static func bitpal(
        _ server: CommandServer, _ arguments: String...
    ) async throws -> (status: Int32, output: String, errors: String) {
        let process = try ChildProcess(
            "bitpal", arguments: arguments, environment: server.environment,
            folder: try TestDatabase.temporaryDirectory())
        let status = await process.exitStatus()
        return (status, process.output, process.errors)
    }

    /// An outbox, and a gateway that commands ask about it.
    private static func start() async throws -> (outbox: Outbox, server: CommandServer) {
        let outbox = try await Outbox.make()
        return (outbox, try await CommandServer.start(database: outbox.configuration))
    }

    /// A notifier that opens what the gateway sealed.
    private static func notifier(_ outbox: Outbox, _ server: CommandServer) throws -> ChildProcess {
        try outbox.notifier(["BITPAL_KEY_FILE": server.folder + "/accounts.key"])
    }

    private static func stop(_ outbox: Outbox, _ server: CommandServer) async {
        #expect(await server.stop() == 0)
        await outbox.database.close()
    }

    private static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("refuse what cannot be told, naming the field, the value and what is accepted, and store nothing")
    func refused() async throws {
        let (outbox, server) = try await Self.start()
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
                "bitpal", arguments: ["channel", "add"] + arguments, environment: server.environment,
                folder: try TestDatabase.temporaryDirectory())
            #expect(await process.exitStatus() == 1, "\(arguments)")
            #expect(process.errors.split(separator: "\n").count == 1, "\(process.errors)")
            for word in words { #expect(process.errors.contains(word), "\(process.errors)") }
            #expect(!process.errors.contains("c2hvcnQ"))
        }
        #expect(try await outbox.channels().isEmpty)
        await Self.stop(outbox, server)
    }

    @Test("add, show, test, disable and remove a webhook, and never show its key again")
    func webhook() async throws {
        let (outbox, server) = try await Self.start()
        let receiver = try HookReceiver()
        // An hour of quiet, hours away from now.
        let hour = (Int(Date().timeIntervalSince1970) / 3_600 + 12) % 24
        let quiet = String(format: "%02d:00-%02d:59", hour, hour)
        let added = try await Self.bitpal(
            server, "channel", "add", "webhook", "desk", "--set", "url=\(receiver.url("/a"))",
            "--allow-private", "--locale", "de", "--quiet", quiet)
        #expect(added.status == 0, "\(added.errors)")
        let key = try #require(
            added.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("whsec_") })
        #expect(Data(base64Encoded: String(key.dropFirst(6)))?.count == 32)
        for command in [["list"], ["list", "--json"], ["show", "desk"], ["show", "desk", "--json"]] {
            let process = try ChildProcess(
                "bitpal", arguments: ["channel"] + command, environment: server.environment,
                folder: try TestDatabase.temporaryDirectory())
            #expect(await process.exitStatus() == 0)
            #expect(process.output.contains("desk") && !process.output.contains("whsec_"))
        }
        let twice = try await Self.bitpal(
            server, "channel", "add", "webhook", "desk", "--set", "url=https://example.org/")
        #expect(twice.status == 1 && twice.errors.contains("a channel \"desk\" already"), "\(twice.errors)")
        let notifier = try Self.notifier(outbox, server)
        let tested = try await Self.bitpal(server, "channel", "test", "desk")
        #expect(tested.status == 0, "\(tested.errors)")
        #expect(receiver.received.count == 1)
        let list = try Self.objects(try await Self.bitpal(server, "deliveries", "list", "--json").output)
        #expect(list.map { $0["state"] as? String } == ["delivered"])
        #expect(list.first?["id"] as? String == receiver.received.first?.id)
        #expect(try await Self.bitpal(server, "channel", "disable", "desk").status == 0)
        let refused = try await Self.bitpal(server, "channel", "test", "desk")
        #expect(refused.status == 1 && refused.errors.contains("is disabled: enable it"), "\(refused.errors)")
        #expect(try await Self.bitpal(server, "channel", "remove", "desk").status == 0)
        #expect(try await Self.bitpal(server, "channel", "show", "desk").status == 3)
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await Self.stop(outbox, server)
    }

    @Test("add a program of this machine, and switch it off and on")
    func program() async throws {
        let (outbox, server) = try await Self.start()
        let added = try await Self.bitpal(
            server, "channel", "add", "command", "run", "--set", "arguments=/bin/true", "--set",
            "arguments=now")
        #expect(added.status == 0 && added.output == "\"run\" is added\n", "\(added.errors)")
        for (action, state) in [("disable", "disabled"), ("enable", "usable")] {
            let done = try await Self.bitpal(server, "channel", action, "run")
            #expect(done.status == 0 && done.output == "\"run\" is \(action)d\n", "\(done.errors)")
            let list = try Self.objects(try await Self.bitpal(server, "channel", "list", "--json").output)
            #expect(list.map { $0["state"] as? String } == [state])
            #expect(list.first?["settings"] as? [String: [String]] == ["arguments": ["/bin/true", "now"]])
        }
        let page = try await Self.bitpal(server, "channel", "show", "run").output
        #expect(page.contains("(not shown)") && page.contains("as the account"), "\(page)")
        await Self.stop(outbox, server)
    }

    @Test("use a mailbox only after its owner has said the code that was sent there")
    func email() async throws {
        let (outbox, server) = try await Self.start()
        let added = try await Self.bitpal(
            server, "channel", "add", "email", "box", "--set", "to=ada@example.org")
        #expect(added.status == 0 && added.output.contains("bitpal channel verify box CODE"))
        let refused = try await Self.bitpal(server, "channel", "test", "box")
        #expect(
            refused.status == 1 && refused.errors.contains("is unverified: verify it"), "\(refused.errors)")
        try await outbox.fire(1...1)
        let code = try #require(try await outbox.database.first(SentCode()))
        let wrong = try await Self.bitpal(server, "channel", "verify", "box", "00000000x")
        #expect(wrong.status == 1 && wrong.errors.contains("00000000x"), "\(wrong.errors)")
        // A wrong code took the right one away.
        #expect(try await Self.bitpal(server, "channel", "verify", "box", code).status == 1)
        let again = try await Self.bitpal(server, "channel", "verify", "box")
        #expect(again.status == 0 && again.output.contains("a code is on its way"), "\(again.output)")
        let next = try #require(try await outbox.database.first(SentCode()))
        for arguments in [[next], []] {
            let verified = try ChildProcess(
                "bitpal", arguments: ["channel", "verify", "box"] + arguments,
                environment: server.environment, folder: try TestDatabase.temporaryDirectory())
            #expect(await verified.exitStatus() == 0, "\(verified.errors)")
            #expect(verified.output == "\"box\" is verified\n")
        }
        let channel = try #require(try await outbox.channels().first { $0.name == "box" })
        #expect(channel.isUsable)
        await Self.stop(outbox, server)
    }

    @Test("show dead letters and try them again under the same ids")
    func retry() async throws {
        let (outbox, server) = try await Self.start()
        let receiver = try HookReceiver()
        try await outbox.webhook(1, receiver.url("/status/410"))
        try await outbox.fire(1...1)
        let notifier = try Self.notifier(outbox, server)
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "dead" } }
        let list = try Self.objects(
            try await Self.bitpal(server, "deliveries", "list", "--state", "dead", "--json").output)
        let id = try #require(list.first?["id"] as? String)
        #expect(list.count == 1 && (list[0]["last_error"] as? String)?.contains("410") == true)
        #expect(try await Self.bitpal(server, "deliveries", "show", id).output.contains("410"))
        #expect(try await Self.bitpal(server, "deliveries", "retry", Outbox.id(7).description).status == 3)
        #expect(try await Self.bitpal(server, "deliveries", "retry", id).status == 0)
        try await outbox.webhook(1, receiver.url("/works"))
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        #expect(Set(receiver.received.map(\.id)) == [id] && receiver.received.count == 2)
        let living = try await Self.bitpal(server, "deliveries", "retry", id)
        #expect(living.status == 1 && living.errors.contains("is delivered"), "\(living.errors)")
        try await outbox.database.withSession { session in
            try session.script("UPDATE alerts.outbox SET state = 'dead'")
        }
        let others = try await Self.bitpal(server, "deliveries", "retry", "--channel", "hook 2")
        #expect(others.output == "0 to be tried again\n", "\(others.errors)")
        let all = try await Self.bitpal(server, "deliveries", "retry", "--all")
        #expect(all.output == "1 to be tried again\n", "\(all.errors)")
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await Self.stop(outbox, server)
    }
}

/// The code that a channel was sent last.
private struct SentCode: Statement {
    static let sql = "SELECT code FROM alerts.channel WHERE code IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
