import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("Sealed secrets of channels", .serialized, .timeLimit(.minutes(10)))
struct SecretsTests {
    private static func bitpal(
        _ outbox: Outbox, key: String?, _ arguments: String...
    ) async throws -> (status: Int32, output: String, errors: String) {
        var environment = ["BITPAL_DATABASE_URL": outbox.configuration.description]
        environment["BITPAL_KEY_FILE"] = key
        let folder = try TestDatabase.temporaryDirectory()
        environment["XDG_DATA_HOME"] = folder
        let process = try ChildProcess(
            "bitpal", arguments: arguments, environment: environment, folder: folder)
        let status = await process.exitStatus()
        return (status, process.output, process.errors)
    }

    /// Adds webhooks by a gateway that seals with this key file, and stops it; without a file it has none.
    private static func add(
        _ outbox: Outbox, key: String?, _ channels: [[String]]
    ) async throws -> (status: Int32, errors: String) {
        let server = try await CommandServer.start(
            database: outbox.configuration, more: ["BITPAL_KEY_FILE": key ?? ""])
        var (status, errors): (Int32, String) = (0, "")
        for arguments in channels where status == 0 {
            let process = try ChildProcess(
                "bitpal", arguments: ["channel", "add", "webhook"] + arguments,
                environment: server.environment, folder: server.folder)
            status = await process.exitStatus()
            errors = process.errors
        }
        #expect(await server.stop() == 0)
        return (status, errors)
    }

    private static func stop(_ notifier: ChildProcess) async {
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
    }

    @Test("are read by the notifier, in no table and no log, and stay usable while keys are replaced")
    func rotation() async throws {
        let (outbox, receiver, key) = (try await Outbox.make(), try HookReceiver(), try makeKeyFile())
        let added = try await Self.add(
            outbox, key: key,
            [
                [
                    "desk", "--set", "url=\(receiver.url("/a"))", "--secret", "keys=\(Outbox.key)",
                    "--allow-private", "--per-minute", "1000000",
                ]
            ])
        #expect(added.status == 0, "\(added.errors)")
        // One of before secrets were sealed: it is told as well, and sealed when a notifier starts.
        try await outbox.webhook(1, receiver.url("/b"))
        let notifier = try outbox.notifier(["BITPAL_KEY_FILE": key])
        try await outbox.fire(1...1)
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        let list = try await Self.bitpal(outbox, key: key, "secrets", "list")
        #expect(list.output.contains("channel") && !list.output.contains("not sealed"), "\(list.output)")
        #expect(try await Self.bitpal(outbox, key: key, "secrets", "rotate").status == 0)
        let early = try await Self.bitpal(outbox, key: key, "secrets", "forget")
        #expect(early.status == 1 && early.errors.contains("within the last minute"), "\(early.errors)")
        let past: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -3_600)]
        try FileManager.default.setAttributes(past, ofItemAtPath: key)
        let rotated = try await Self.bitpal(outbox, key: key, "secrets", "forget", "--json")
        #expect(rotated.status == 0, "\(rotated.errors)")
        #expect(rotated.output.contains(#"{"kind":"channel","key":"2","count":2}"#), "\(rotated.output)")
        #expect(!rotated.output.contains(#""key":"1""#) && !rotated.output.contains("null"))
        let lines = try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("2 "))
        // The notifier has run all the time.
        try await outbox.fire(2...2)
        try await outbox.wait(for: notifier) { $0.count == 4 && $0.allSatisfy { $0.state == "delivered" } }
        #expect(receiver.received.count == 4)
        #expect(!notifier.errors.contains("CRITICAL") && !notifier.errors.contains("critical"))
        // What the whole database says, and what was logged.
        let database = try #require(try await outbox.database.first(WholeDatabase()))
        let plain = try #require(Data(base64Encoded: String(Outbox.key.dropFirst(6))))
        let bytes = plain.map { String(format: "%02x", $0) }.joined()
        #expect(database.contains("desk") && database.contains("signing_key"))
        for text in [database, notifier.errors, notifier.output, rotated.output, list.output] {
            for canary in [Outbox.key, String(Outbox.key.dropFirst(6)), bytes] {
                #expect(!text.contains(canary))
            }
        }
        let limits = try String(contentsOfFile: "/proc/\(notifier.identifier)/limits", encoding: .utf8)
        let cores = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(cores.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(cores)")
        await Self.stop(notifier)
        receiver.close()
        await outbox.database.close()
    }

    @Test(
        "stay usable by who has the key file mounted alone, by whomever keys are replaced",
        .enabled(if: MountedFile.isAllowed, "SKIPPED: nobody may mount a file here; it takes root"))
    func mountedFile() async throws {
        let (outbox, receiver, key) = (try await Outbox.make(), try HookReceiver(), try makeKeyFile())
        let mounted = try MountedFile(key)
        let added = try await Self.add(
            outbox, key: key, [["desk", "--set", "url=\(receiver.url("/a"))", "--allow-private"]])
        #expect(added.status == 0, "\(added.errors)")
        let notifier = try outbox.notifier(["BITPAL_KEY_FILE": mounted.path], mounted: mounted)
        func tell(_ epoch: Int) async throws {
            try await outbox.fire(epoch...epoch)
            try await outbox.wait(for: notifier) { rows in
                rows.count == epoch && rows.allSatisfy { $0.state == "delivered" }
            }
        }
        func age() throws {
            let past: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -3_600)]
            try FileManager.default.setAttributes(past, ofItemAtPath: key)
        }
        try await tell(1)
        #expect(try await Self.bitpal(outbox, key: key, "secrets", "rotate").status == 0)
        try age()
        #expect(try await Self.bitpal(outbox, key: key, "secrets", "forget").status == 0)
        // A file in its place would be another one than the notifier's by now.
        #expect(try await Self.bitpal(outbox, key: key, "secrets", "rotate").status == 0)
        try await tell(2)
        try age()
        let within = try mounted.start(
            "bitpal", arguments: ["secrets", "forget"],
            environment: [
                "BITPAL_DATABASE_URL": outbox.configuration.description, "BITPAL_KEY_FILE": mounted.path,
            ], folder: try TestDatabase.temporaryDirectory())
        #expect(await within.exitStatus() == 0, "\(within.errors)")
        let lines = try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("3 "), "\(lines.count) lines")
        try await tell(3)
        #expect(!notifier.errors.contains("does not open"), "\(notifier.errors)")
        await Self.stop(notifier)
        receiver.close()
        await outbox.database.close()
    }

    @Test("that do not open are an alarm; nothing is lost, and it is told once the key is there")
    func missingKey() async throws {
        let (outbox, receiver, key) = (try await Outbox.make(), try HookReceiver(), try makeKeyFile())
        let added = try await Self.add(
            outbox, key: key,
            ["a", "b"].map { [$0, "--set", "url=\(receiver.url("/" + $0))", "--allow-private"] })
        #expect(added.status == 0, "\(added.errors)")
        func script(_ text: String) async throws {
            try await outbox.database.withSession { session in try session.script(text) }
        }
        try await outbox.fire(1...1)
        // Without its file a notifier goes on with what needs no secret, and says so.
        let blind = try outbox.notifier()
        try await outbox.wait(for: blind) { $0.allSatisfy { $0.error.contains("no key file") } }
        #expect(try await outbox.rows().allSatisfy { $0.state == "waiting" && $0.failures == 0 })
        #expect(blind.errors.contains("Secrets are sealed, and there is no key file"), "\(blind.errors)")
        await Self.stop(blind)
        // With another one it does not begin: what it sealed would be lost.
        for other in [try makeKeyFile(), key + ".none"] {
            let stranger = try outbox.notifier(["BITPAL_KEY_FILE": other])
            #expect(await stranger.exitStatus() == 78, "\(stranger.errors)")
            #expect(stranger.errors.contains(other) && stranger.errors.contains("BITPAL_KEY_FILE"))
        }
        // A secret in another's place: the one waits, the other is told.
        try await script(
            """
            UPDATE alerts.channel SET secrets = (SELECT secrets FROM alerts.channel WHERE name = 'a')
            WHERE name = 'b';
            UPDATE alerts.outbox SET next_attempt = now(), last_error = NULL
            """)
        let notifier = try outbox.notifier(["BITPAL_KEY_FILE": key])
        try await outbox.wait(for: notifier) { rows in
            Set(rows.map(\.state)) == ["delivered", "waiting"]
                && rows.contains { $0.error.contains("does not open") }
        }
        #expect(notifier.errors.contains("A sealed secret does not open"), "\(notifier.errors)")
        #expect(receiver.received.count == 1)
        let refused = try await Self.bitpal(outbox, key: key, "secrets", "rotate")
        #expect(refused.status == 1 && refused.errors.contains("1 secrets do not open"), "\(refused.errors)")
        #expect(try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n").count == 1)
        await Self.stop(notifier)
        receiver.close()
        await outbox.database.close()
    }

    @Test("are given only with the keys of the database; whoever has none or others is told what to do")
    func wrongKey() async throws {
        let (outbox, key, other) = (try await Outbox.make(), try makeKeyFile(), try makeKeyFile())
        func add(_ name: String, key: String?) async throws -> (status: Int32, errors: String) {
            try await Self.add(outbox, key: key, [[name, "--set", "url=https://example.org/"]])
        }
        let none = try await add("a", key: nil)
        #expect(none.status == 4 && none.errors.contains("no key file"), "\(none.errors)")
        #expect(try await add("a", key: key).status == 0)
        // A gateway with other keys would seal what the right ones never open: it does not begin.
        for file in [other, key + ".none"] {
            var environment = try await GatewayProcess.environment(base: try FreePorts.run(of: 6))
            environment["BITPAL_DATABASE_URL"] = outbox.configuration.description
            environment["BITPAL_KEY_FILE"] = file
            let gateway = try ChildProcess(
                "gateway", environment: environment, folder: try TestDatabase.temporaryDirectory())
            #expect(await gateway.exitStatus() == 78, "\(gateway.errors)")
            #expect(gateway.errors.contains(file) && gateway.errors.contains("BITPAL_KEY_FILE"))
        }
        let refused = try await Self.bitpal(outbox, key: other, "secrets", "rotate")
        #expect(
            refused.status == 1 && refused.errors.contains("\(other) are not those of this database"),
            "\(refused.errors)")
        #expect(try String(contentsOfFile: other, encoding: .utf8).split(separator: "\n").count == 1)
        #expect(try await outbox.channels().map(\.name) == ["a"])
        for errors in [none.errors, refused.errors] {
            #expect(errors.split(separator: "\n").count == 1, "\(errors)")
        }
        await outbox.database.close()
    }
}

/// All tables of the database as one text; bytes are in Base64.
private struct WholeDatabase: Statement {
    static let sql = "SELECT database_to_xml(true, true, '')::text"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}
