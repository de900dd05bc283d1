import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("The bound on notifications per hour", .serialized, .timeLimit(.minutes(10)))
struct HourlyBoundTests {
    private static let limit = 5

    /// Waits until nothing is left to be done within the hour: whatever waits is held.
    private func settle(_ outbox: Outbox, _ notifier: ChildProcess, _ firings: Int) async throws {
        try await outbox.wait(for: notifier) { rows in
            rows.count { !$0.isNotice } == firings
                && rows.allSatisfy { $0.state == "delivered" || ($0.state == "waiting" && $0.isHeld) }
        }
    }

    private func check(_ outbox: Outbox, _ receivers: [HookReceiver], limit: Int) async throws {
        let rows = try await outbox.rows()
        #expect(rows.count { !$0.isNotice && $0.state == "delivered" } == limit)
        #expect(rows.count { $0.isNotice } == 1, "one quieted notice, whoever sends it")
        #expect(rows.filter(\.isHeld).allSatisfy { $0.error.hasPrefix("quieted: \(limit) by ") })
        let received = receivers.flatMap(\.received)
        let told = Dictionary(grouping: received, by: \.id).values.compactMap(\.first)
        let texts = told.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(texts.count { $0.contains(#""type":"alert.quieted""#) } == 1, "\(texts)")
        #expect(texts.count == limit + 1, "\(texts)")
    }

    private func stop(_ notifier: ChildProcess) async {
        notifier.signal(SIGTERM)
        #expect(await notifier.exitStatus() == 0, "\(notifier.errors)")
    }

    @Test("is one for two notifiers on one database")
    func two() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a")) { $0.preferences.perHour = Self.limit }
        let notifiers = [try outbox.notifier(), try outbox.notifier()]
        // Small portions, so that both get some.
        for number in 1...40 {
            try await outbox.fire(number...number)
            try await outbox.wait(for: notifiers[number % 2]) { rows in
                rows.allSatisfy { $0.state == "delivered" || $0.isHeld || $0.isNotice }
            }
        }
        try await settle(outbox, notifiers[0], 40)
        try await check(outbox, [receiver], limit: Self.limit)
        for notifier in notifiers { await stop(notifier) }
        receiver.close()
        await outbox.database.close()
    }

    @Test("holds across a restart, before and after it is reached")
    func restart() async throws {
        let (outbox, receiver) = (try await Outbox.make(), try HookReceiver())
        try await outbox.webhook(1, receiver.url("/a")) { $0.preferences.perHour = Self.limit }
        var fired = 0
        for more in [3, 4, 6] {
            try await outbox.fire((fired + 1)...(fired + more))
            fired += more
            let notifier = try outbox.notifier()
            try await settle(outbox, notifier, fired)
            await stop(notifier)
        }
        try await check(outbox, [receiver], limit: Self.limit)
        receiver.close()
        await outbox.database.close()
    }

    @Test("is of a user, by all channels, and lifted when the hour is over")
    func user() async throws {
        let (outbox, limit) = (try await Outbox.make(), 6)
        let receivers = [try HookReceiver(), try HookReceiver()]
        for (number, receiver) in receivers.enumerated() {
            try await outbox.webhook(UInt64(number), receiver.url("/a"))
        }
        let notifiers = try (0..<2).map { _ in
            try outbox.notifier(["BITPAL_NOTIFIER_USERS_PER_HOUR": "\(limit)"])
        }
        try await outbox.fire(1...10)
        try await settle(outbox, notifiers[0], 20)
        try await check(outbox, receivers, limit: limit)
        // An hour later nothing is lost: what was held comes in one digest by each channel.
        try await outbox.database.transaction { session in
            try session.script(
                """
                UPDATE alerts.user_pace SET hour_start = hour_start - 3600000000000;
                UPDATE alerts.outbox SET next_attempt = now() WHERE held
                """)
        }
        try await outbox.wait(for: notifiers[0]) { rows in
            rows.allSatisfy { $0.state == "delivered" || $0.state == "gathered" }
        }
        let rows = try await outbox.rows()
        #expect(rows.count { $0.state == "gathered" } == 20 - limit)
        #expect(
            rows.count { $0.isNotice && $0.state == "delivered" } == 1 + Set(rows.map(\.digest)).count - 1)
        for notifier in notifiers { await stop(notifier) }
        for receiver in receivers { receiver.close() }
        await outbox.database.close()
    }
}
