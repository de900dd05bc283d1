import AlertStore
import Foundation
import Store
import Support
import Testing

/// The service as its process, with real sockets and a real database.
@Suite("A notifier", .serialized, .timeLimit(.minutes(10)))
struct NotifierTests {
    @Test("tells each firing once when nothing goes wrong, and ends with 0")
    func tells() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a"))
        try await outbox.fire(1...40)
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        let rows = try await outbox.rows()
        #expect(receiver.received.count == 40)
        #expect(Set(receiver.received.map(\.id)) == Set(rows.map(\.id)))
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(receiver.received[0].body)) as? [String: Any])
        let data = try #require(body["data"] as? [String: Any])
        #expect(body["type"] as? String == "alert.fired")
        #expect(data["price"] as? String == "61000.5" && data["note"] as? String == "Sell half")
        #expect(data["instrument"] as? String == "kraken:BTC/USD")
        receiver.close()
        await outbox.database.close()
    }

    @Test("loses nothing that is committed, wherever it is killed, and tells it under one id")
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 1_000 : 20
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a"))
        try await outbox.webhook(2, receiver.url("/b"))
        var fired = 0
        for _ in 0..<rounds {
            let more = Int.random(in: 1...30, using: &generator)
            try await outbox.fire((fired + 1)...(fired + more))
            fired += more
            // From before its first request until after the last of what it was given.
            let target = receiver.received.count + Int.random(in: 0...(more * 2), using: &generator)
            let notifier = try outbox.notifier(diesAtWork: true)
            if Int.random(in: 0..<4, using: &generator) > 0 { await receiver.wait { $0.count >= target } }
            await notifier.crash()
        }
        let last = try outbox.notifier(diesAtWork: true)
        try await outbox.wait(for: last) { $0.allSatisfy { $0.state == "delivered" } }
        last.signal(SIGTERM)
        #expect(await last.exitStatus() == 0, "\(last.errors)")
        let rows = try await outbox.rows()
        let received = receiver.received
        #expect(rows.count == fired * 2, "seed \(seed)")
        #expect(Set(received.map(\.id)) == Set(rows.map(\.id)), "seed \(seed)")
        let bodies = Dictionary(grouping: received, by: \.id).mapValues { Set($0.map(\.body)).count }
        #expect(bodies.values.allSatisfy { $0 == 1 }, "seed \(seed): one id, one message")
        print("notifier: killed \(rounds) times, \(rows.count) deliveries, \(received.count) requests")
        receiver.close()
        await outbox.database.close()
    }

    @Test("tries again what fails, ends a channel that is gone, and others are not delayed")
    func failing() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        let gone = try await outbox.webhook(1, receiver.url("/status/410"))
        let fails = try await outbox.webhook(2, receiver.url("/status/500"))
        let asks = try await outbox.webhook(3, receiver.url("/after/3600"))
        let works = try await outbox.webhook(4, "http://localhost:\(receiver.port)/works")
        let closed = try await outbox.webhook(5, "http://127.0.0.1:1/")
        try await outbox.fire(1...1)
        let notifier = try outbox.notifier()
        func row(_ rows: [OutboxRow], _ channel: Channel) -> OutboxRow? {
            rows.first { $0.channel == channel.id }
        }
        try await outbox.wait(for: notifier) { rows in
            row(rows, gone)?.state == "dead" && (row(rows, fails)?.failures ?? 0) > 0
                && (row(rows, asks)?.failures ?? 0) > 0 && row(rows, works)?.state == "delivered"
                && (row(rows, closed)?.failures ?? 0) > 0
        }
        let rows = try await outbox.rows()
        #expect(row(rows, fails)?.error == "it answers 500")
        #expect(row(rows, asks)?.error == "it answers 429")
        let channels = try await outbox.channels()
        #expect(channels.filter { $0.disabled != nil }.map(\.id) == [gone.id])
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }

    @Test("99 healthy receivers are told while one hangs")
    func bulkhead() async throws {
        let outbox = try await Outbox.make()
        let (healthy, hanging) = (try HookReceiver(), try HookReceiver())
        for number in 1...99 as ClosedRange<UInt64> {
            try await outbox.webhook(number, healthy.url("/\(number)"))
        }
        let slow = try await outbox.webhook(100, hanging.url("/hang"))
        try await outbox.fire(1...5)
        let notifier = try outbox.notifier([
            "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": "60s",
            "BITPAL_NOTIFIER_CLAIM_LEASE": "120s",
        ])
        try await outbox.wait(for: notifier) {
            $0.filter { $0.channel != slow.id }.allSatisfy { $0.state == "delivered" }
        }
        #expect(healthy.received.count == 99 * 5)
        // Not one attempt at the other has ended by then.
        #expect(try await outbox.rows().filter { $0.channel == slow.id }.allSatisfy { $0.failures == 0 })
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        healthy.close()
        hanging.close()
        await outbox.database.close()
    }

    @Test("refuses a receiver on this machine unless the operator allows it")
    func refused() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a"))
        try await outbox.fire(1...1)
        let notifier = try outbox.notifier(["BITPAL_NOTIFIER_ADDRESSES_ALLOW_PRIVATE": "false"])
        try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "dead" } }
        #expect(receiver.connections == 0)
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }

    @Test("tells more than so many a minute in one digest, which stands for each of them")
    func digest() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a")) { $0.preferences.perMinute = 3 }
        try await outbox.fire(1...50)
        let notifier = try outbox.notifier()
        try await outbox.wait(for: notifier) { $0.count { $0.state == "gathered" } == 47 }
        let rows = try await outbox.rows()
        #expect(rows.count == 51 && Set(rows.map(\.digest)).count == 2)
        let digest = try #require(rows.first { $0.isNotice })
        #expect(rows.filter { $0.state == "gathered" }.allSatisfy { $0.digest == digest.id })
        // Its minute is over now.
        try await outbox.database.withSession { session in
            try session.script("UPDATE alerts.outbox SET next_attempt = now() WHERE notice IS NOT NULL")
        }
        await receiver.wait { $0.contains { $0.id == digest.id } }
        let letter = try #require(receiver.received.first { $0.id == digest.id })
        let body = try #require(try JSONSerialization.jsonObject(with: Data(letter.body)) as? [String: Any])
        let data = try #require(body["data"] as? [String: Any])
        #expect(body["type"] as? String == "alert.digest" && data["count"] as? Int == 47)
        let items = data["items"] as? [[String: Any]]
        #expect(items?.compactMap { $0["count"] as? Int } == [47])
        try await outbox.wait(for: notifier) { $0.count { $0.state == "delivered" } == 4 }
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
        receiver.close()
        await outbox.database.close()
    }

    @Test("ends with 78 and one line when it has no database, or cannot use what it is told")
    func misconfigured() async throws {
        let outbox = try await Outbox.make()
        let cases = [
            (["BITPAL_DATABASE_URL": ""], "BITPAL_DATABASE_URL"),
            (["BITPAL_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"], "PostgreSQL"),
            (
                ["BITPAL_NOTIFIER_CLAIM_LEASE": "2s", "BITPAL_NOTIFIER_ATTEMPTS_TIMEOUT": "10s"],
                "CLAIM_LEASE"
            ),
            (["BITPAL_NOTIFIER_MAIL_HOST": "localhost"], "an address"),
            (["BITPAL_NOTIFIER_MAIL_PORT": "0"], "1...65535"),
        ]
        for (environment, word) in cases {
            let notifier = try outbox.notifier(environment)
            #expect(await notifier.exitStatus() == 78)
            #expect(notifier.errors.contains(word), "\(notifier.errors)")
            #expect(notifier.errors.split(separator: "\n").count == 1, "\(notifier.errors)")
        }
        await outbox.database.close()
    }
}
