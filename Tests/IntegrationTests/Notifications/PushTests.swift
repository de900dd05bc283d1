import AlertStore
import Channels
import Foundation
import Instruments
import Store
import Support
import Testing

/// The server that `push_receiver.py` is, and what it read.
private struct PushReceiver {
    static let (team, key, topic) = ("TEAM123456", "KEY1234567", "app.bitpal.ios")

    struct Start: Decodable {
        var port: Int
        var p256dh: String
        var auth: String
    }

    let process: ChildProcess
    let folder: String
    let start: Start

    init() throws {
        folder = try TestDatabase.temporaryDirectory()
        process = try ChildProcess(
            PythonEnvironment.python,
            arguments: [PythonEnvironment.tool("push_receiver.py"), folder, Self.team, Self.key, Self.topic],
            folder: folder)
        start = try JSONDecoder().decode(Start.self, from: Data(try process.firstLine().utf8))
    }

    var url: String { "https://localhost:\(start.port)" }

    /// What a notifier has to be told so that it speaks to this server.
    var settings: [String: String] {
        [
            "BITPAL_NOTIFIER_APNS_TEAM_ID": Self.team, "BITPAL_NOTIFIER_APNS_KEY_ID": Self.key,
            "BITPAL_NOTIFIER_APNS_KEY_FILE": folder + "/apns.p8", "BITPAL_NOTIFIER_APNS_TOPIC": Self.topic,
            "BITPAL_NOTIFIER_APNS_ENVIRONMENT": "sandbox", "BITPAL_NOTIFIER_APNS_SERVER": url,
            "BITPAL_NOTIFIER_VAPID_SUBJECT": "mailto:ops@example.org",
            "BITPAL_NOTIFIER_TLS_ROOTS": folder + "/authority.pem",
            "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": "60s", "BITPAL_NOTIFIER_CLAIM_LEASE": "120s",
        ]
    }

    /// The requests so far, as it printed them.
    var requests: [[String: Any]] {
        process.output.split(separator: "\n").dropFirst().compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    func request(_ key: String, _ value: String) throws -> [String: Any] {
        try #require(requests.last { $0[key] as? String == value }, "\(process.output)\(process.errors)")
    }
}

@Suite("A push", .serialized, .timeLimit(.minutes(10)))
struct PushTests {
    private static let device = String(repeating: "ab", count: 32)
    private static let activity = String(repeating: "ac", count: 32)
    private static let starter = String(repeating: "ad", count: 32)
    private static let gone = "dead" + String(repeating: "00", count: 30)

    private static func channel(
        _ number: UInt64, _ kind: ChannelKind, _ settings: String, _ secrets: String
    ) -> Channel {
        Channel(
            id: Outbox.id(100 + number), user: Outbox.user, name: "push \(number)", kind: kind,
            settings: settings, secrets: ChannelSecrets(json: secrets), created: .zero, verified: .zero)
    }

    private static func channels(_ server: PushReceiver) -> [Channel] {
        func browser(_ number: UInt64, _ path: String) -> Channel {
            channel(
                number, .webPush,
                #"{"endpoint":"\#(server.url)\#(path)","p256dh":"\#(server.start.p256dh)"}"#,
                #"{"auth":"\#(server.start.auth)"}"#)
        }
        return [
            channel(2, .apns, "{}", #"{"device":"\#(device)"}"#),
            channel(3, .apns, #"{"form":"live_activity"}"#, #"{"device":"\#(activity)"}"#),
            channel(4, .apns, #"{"form":"live_activity_start"}"#, #"{"device":"\#(starter)"}"#),
            channel(5, .apns, "{}", #"{"device":"\#(gone)"}"#), browser(6, "/push/works"),
            browser(7, "/push/dead"),
        ]
    }

    private static func text(_ object: Any?, _ path: String...) -> String {
        let found = path.reduce(object) { ($0 as? [String: Any])?[$1] }
        return found.map { "\($0)" } ?? "nothing"
    }

    @Test(
        "reaches devices and browsers over HTTP/2, signed and encrypted as another implementation wants it",
        .enabled(
            if: PythonEnvironment.isThere, "SKIPPED: scripts/install-dependencies.sh test gets the packages"))
    func pushed() async throws {
        let server = try PushReceiver()
        let (outbox, receiver) = (try await Outbox.make(repetition: #""once""#), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/told"))
        for channel in Self.channels(server) { try await outbox.put(channel) }
        let rule = outbox.rule.id.description
        try await outbox.fire(1...1)
        let key = try makeKeyFile()
        let notifier = try outbox.notifier(server.settings.merging(["BITPAL_KEY_FILE": key]) { $1 })
        try await outbox.wait(for: notifier) { rows in
            rows.count == 9 && rows.allSatisfy { $0.state != "waiting" }
        }
        #expect(!server.requests.contains { $0["kind"] as? String == "refused" }, "\(server.process.output)")

        let alert = try server.request("device", Self.device)["payload"]
        #expect(Self.text(alert, "url") == "bitpal://alert?id=\(rule)&epoch=1")
        #expect(Self.text(alert, "aps", "badge") == "1" && Self.text(alert, "aps", "sound") == "default")
        #expect(Self.text(alert, "aps", "category") == "BITPAL_ALERT")
        #expect(Self.text(alert, "aps", "alert", "title") == "kraken:BTC/USD above $61,000.5")
        let started = try server.request("device", Self.starter)["payload"]
        #expect(Self.text(started, "aps", "event") == "start")
        #expect(Self.text(started, "aps", "attributes", "rule") == rule)
        #expect(Self.text(started, "aps", "attributes-type") == "AlertAttributes")
        let ended = try server.request("device", Self.activity)["payload"]
        #expect(Self.text(ended, "aps", "event") == "end")
        #expect(Self.text(ended, "aps", "content-state", "price") == "61000.5")
        let browser = try server.request("path", "/push/works")
        #expect(Self.text(browser["payload"], "title") == "kraken:BTC/USD above $61,000.5")
        #expect(Self.text(browser, "subject") == "mailto:ops@example.org")

        try await endsOfDead(outbox, receiver)
        try await keeps(server, outbox, notifier, browser, key)
        try await heeds(server, outbox, notifier)
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        await server.process.crash()
        receiver.close()
        await outbox.database.close()
    }

    /// Those that have gone are off, and their owner was told of each by the other channel, once.
    private func endsOfDead(_ outbox: Outbox, _ receiver: HookReceiver) async throws {
        let channels = try await outbox.channels()
        #expect(channels.filter { $0.disabled != nil }.map(\.name).sorted() == ["push 5", "push 7"])
        let bodies = receiver.received.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any]
        }
        let ends = bodies.filter { $0["type"] as? String == "alert.channel_ended" }
        #expect(ends.map { Self.text($0, "data", "note") }.sorted() == ["push 5", "push 7"])
        #expect(bodies.count == 3)
    }

    /// Who wants neither sounds nor numbers has none, and the number of before is taken off the icon.
    private func heeds(_ server: PushReceiver, _ outbox: Outbox, _ notifier: ChildProcess) async throws {
        let user = Outbox.user
        try await outbox.database.transaction { session in
            try session.script(
                """
                INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
                VALUES ('\(user)', 'ann@example.org', 'ann@example.org', 'user', clock_timestamp());
                INSERT INTO accounts.setting
                VALUES ('\(user)', 'de', 'UTC', 'EUR', 'system', true, false, false, NULL, NULL, '{}');
                """)
        }
        try await outbox.fire(3...3)
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state != "waiting" } }
        let device = try server.request("device", Self.device)["payload"]
        #expect(Self.text(device, "aps", "sound") == "nothing" && Self.text(device, "aps", "badge") == "0")
        #expect(Self.text(device, "aps", "alert", "title") != "kraken:BTC/USD above $61,000.5")
        let browser = try server.request("path", "/push/works")["payload"]
        #expect(Self.text(browser, "silent") == "1")
    }

    /// The next push has the same token and key, and counts on; a gateway with the key file says the key.
    private func keeps(
        _ server: PushReceiver, _ outbox: Outbox, _ notifier: ChildProcess, _ browser: [String: Any],
        _ keyFile: String
    ) async throws {
        let token = Self.text(try server.request("device", Self.device), "headers", "authorization")
        try await outbox.fire(2...2)
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state != "waiting" } }
        let next = try server.request("device", Self.device)
        #expect(Self.text(next, "headers", "authorization") == token)
        #expect(Self.text(next["payload"], "aps", "badge") == "2")
        let again = try server.request("path", "/push/works")
        #expect(Self.text(again, "key") == Self.text(browser, "key"))
        let gateway = try await CommandServer.start(
            database: outbox.configuration, more: ["BITPAL_KEY_FILE": keyFile])
        let tool = try ChildProcess(
            "bitpal", arguments: ["channel", "vapid"], environment: gateway.environment,
            folder: server.folder)
        #expect(await tool.exitStatus() == 0, "\(tool.errors)")
        #expect(tool.output == Self.text(browser, "key") + "\n")
        #expect(await gateway.stop() == 0)
    }
}
