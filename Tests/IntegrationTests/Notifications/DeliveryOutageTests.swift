import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("A notifier in need", .serialized, .timeLimit(.minutes(10)))
struct DeliveryOutageTests {
    @Test("goes on when PostgreSQL was killed or stopped at once: nothing is lost, an id stays the same")
    func database() async throws {
        let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 100 : 20
        let seed: UInt64 = 20_261_122
        var generator = SeededGenerator(seed: seed)
        // One that keeps what it confirmed, also when it is killed.
        let cluster = PrivateCluster(directory: try TestDatabase.temporaryDirectory())
        let outbox = try await Outbox.make(in: try await cluster.start())
        let receiver = try HookReceiver()
        try await outbox.webhook(1, receiver.url("/a"))
        try await outbox.webhook(2, receiver.url("/b"))
        let notifier = try outbox.notifier(diesAtWork: true)
        var fired = 0
        for round in 0..<rounds {
            let more = Int.random(in: 20...60, using: &generator)
            let epochs = (fired + 1)...(fired + more)
            try await insist(while: { $0 is StoreError }) { try await outbox.fire(epochs) }
            let target = fired * 2 + Int.random(in: 0...(more * 2), using: &generator)
            fired += more
            await receiver.wait { Set($0.map(\.id)).count >= target }
            try await cluster.crash(by: round % 2 == 0 ? SIGQUIT : SIGKILL)
            try #require(notifier.isRunning, "\(notifier.errors)")
        }
        try await insist(while: { $0 is StoreError }) {
            try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        let (rows, received) = (try await outbox.rows(), receiver.received)
        #expect(rows.count == fired * 2, "seed \(seed)")
        #expect(Set(received.map(\.id)) == Set(rows.map(\.id)), "seed \(seed)")
        let bodies = Dictionary(grouping: received, by: \.id).mapValues { Set($0.map(\.body)).count }
        #expect(bodies.values.allSatisfy { $0 == 1 }, "seed \(seed): one id, one message")
        print("PostgreSQL: killed \(rounds) times, \(rows.count) deliveries, \(received.count) requests")
        receiver.close()
        await outbox.database.close()
        try await cluster.stop()
    }

    @Test("holds in quiet hours what fires, and tells it together when they are over")
    func quiet() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        let minute = Int(Date().timeIntervalSince1970) / 60 % 1_440
        let channel = try await outbox.webhook(1, receiver.url("/a")) { channel in
            channel.preferences.quiet = ChannelPreferences.Quiet(
                from: (minute + 1_380) % 1_440, to: (minute + 60) % 1_440)
        }
        try await outbox.fire(1...7)
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { $0.allSatisfy(\.isHeld) }
        #expect(receiver.connections == 0)
        var awake = channel
        awake.preferences.quiet = nil
        try await outbox.put(awake)
        try await outbox.database.withSession { session in
            try session.script("UPDATE alerts.outbox SET next_attempt = now()")
        }
        try await outbox.wait(for: notifier) { rows in
            rows.count { $0.state == "gathered" } == 7 && rows.count { $0.state == "delivered" } == 1
        }
        #expect(receiver.received.count == 1)
        let text = String(decoding: receiver.received.first?.body ?? [], as: UTF8.self)
        #expect(text.contains(#""type":"alert.digest""#) && text.contains(#""count":7"#), "\(text)")
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }

    @Test("ends a channel after ten failures and says so by another, once; not if others of it arrived")
    func givenUp() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/told"))
        let dead = try await outbox.webhook(2, receiver.url("/status/500"))
        let choosy = try await outbox.webhook(3, receiver.url("/status/500"))
        try await outbox.fire(1...2)
        // Nine attempts are over, and of the third channel one delivery has just arrived.
        try await outbox.database.withSession { session in
            try session.script(
                """
                UPDATE alerts.outbox SET failures = 9 WHERE channel_id <> '\(Outbox.id(101))';
                UPDATE alerts.outbox SET state = 'delivered', ended_at = clock_timestamp()
                WHERE channel_id = '\(choosy.id)' AND epoch = 2
                """)
        }
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { rows in
            rows.contains { $0.isNotice && $0.state == "delivered" }
                && rows.contains { $0.channel == choosy.id && $0.state == "dead" }
                && rows.allSatisfy { $0.state != "waiting" || $0.channel == dead.id }
        }
        let channels = try await outbox.channels()
        #expect(channels.filter { $0.disabled != nil }.map(\.id) == [dead.id])
        let notices = receiver.received.filter {
            String(decoding: $0.body, as: UTF8.self).contains(#""type":"alert.channel_ended""#)
        }
        #expect(notices.count == 1 && notices.first?.path == "/told")
        let text = String(decoding: notices.first?.body ?? [], as: UTF8.self)
        #expect(text.contains(#""note":"hook 2""#), "\(text)")
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }
}
