import AccountStore
import Accounts
import Channels
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("A delivery", .timeLimit(.minutes(10)))
struct DeliveryTests {
    /// Deliveries of so many firings.
    private static func outbox(_ count: Int64) async throws -> Database {
        let database = try await AlertFixture.database(connections: 8)
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        for epoch in 1...count {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: epoch), under: claims) == .fired)
        }
        return database
    }

    @Test("of a kind that only a newer version knows waits for it, and holds up nobody's")
    func newerKind() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        try await database.put(AlertFixture.channel(2, "pigeon"))
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)
        try await database.transaction { session in
            try session.script("UPDATE alerts.channel SET kind = 'pigeon' WHERE name = 'pigeon'")
        }
        let told = try await database.claim(by: "a", limit: 10, for: .seconds(60))
        #expect(told.map(\.channel.name) == ["phone"])
        let known = try await database.transaction { session in try session.channels(of: AlertFixture.user) }
        #expect(known.map(\.name) == ["phone"])
        // The newer version finds it where it was.
        try await database.transaction { session in
            try session.script(
                """
                UPDATE alerts.channel SET kind = 'webhook' WHERE name = 'pigeon';
                UPDATE alerts.outbox SET next_attempt = clock_timestamp() - interval '1 s';
                """)
        }
        let later = try await database.claim(by: "b", limit: 10, for: .seconds(60))
        #expect(Set(later.map(\.channel.name)) == ["phone", "pigeon"])
    }

    @Test("has its owner's settings in it, and goes to no device while alerts are off there")
    func settings() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        var phone = AlertFixture.channel(1, "phone")
        phone.kind = .webPush
        var night = AlertFixture.channel(3, "night")
        night.preferences.quiet = ChannelPreferences.Quiet(from: 60, to: 120)
        for channel in [phone, AlertFixture.channel(2, "hook"), night] {
            try await database.put(channel)
        }
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        func told(_ epoch: Int64) async throws -> [String: ChannelPreferences] {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: epoch), under: claims) == .fired)
            let deliveries = try await database.claim(by: "a\(epoch)", limit: 10, for: .seconds(60))
            return Dictionary(
                uniqueKeysWithValues: deliveries.map { ($0.channel.name, $0.channel.preferences) })
        }
        #expect(try await told(1)["phone"] == ChannelPreferences(), "nobody's account")
        var settings = UserSettings()
        try settings.set(locale: "de")
        try settings.set(timeZone: "Europe/Berlin")
        settings.quietHours = try UserSettings.QuietHours(from: "22:00", to: "07:00")
        (settings.notifications.sounds, settings.notifications.badges) = (false, false)
        // The operator of the command line becomes somebody with an account.
        try await database.transaction { [settings] session in
            try session.script(
                """
                INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
                VALUES ('\(AlertFixture.user)', 'ann@example.org', 'ann@example.org', 'user',
                        clock_timestamp());
                INSERT INTO accounts.setting
                VALUES ('\(AlertFixture.user)', 'en', 'UTC', 'EUR', 'system', true, true, true, NULL, NULL,
                        '{}');
                """)
            try session.setSettings(settings, of: AlertFixture.user)
        }
        let second = try await told(2)
        let quiet = ChannelPreferences.Quiet(from: 1_320, to: 420, timeZone: "Europe/Berlin")
        let device = try #require(second["phone"])
        #expect(device.locale == "de" && device.timeZone == "Europe/Berlin" && device.quiet == quiet)
        #expect(!device.hasSound && !device.hasBadge)
        let hook = try #require(second["hook"])
        #expect(hook.locale == "en" && hook.timeZone == "UTC" && hook.quiet == quiet)
        #expect(second["night"]?.quiet == night.preferences.quiet, "its own")
        settings.notifications.alerts = false
        try await database.transaction { [settings] in try $0.setSettings(settings, of: AlertFixture.user) }
        #expect(try await told(3).keys.sorted() == ["hook", "night"])
        await database.close()
    }

    @Test("of before names no address of the operator's network, once the schema is of now")
    func errorsOfBefore() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        var letter = AlertFixture.channel(2, "letter")
        letter.kind = .email
        for channel in [AlertFixture.channel(1, "hook"), letter] { try await database.put(channel) }
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)
        let told = try await database.transaction { session in
            try session.script(
                """
                UPDATE alerts.outbox AS outbox
                SET last_error = 'given up after 10 attempts: ' || CASE channel.name
                    WHEN 'hook' THEN 'not sent: a.b leads to 10.0.0.5: private'
                    ELSE 'it answers 550: 5.7.1 client [10.0.0.4] refused' END
                FROM alerts.channel AS channel WHERE channel.channel_id = outbox.channel_id;
                INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
                SELECT gen_random_uuid(), channel_id, json_build_object(
                    'kind', 'channel_ended', 'time', 1767225600000001234, 'note', 'hook', 'count', 1,
                    'reason', 'not sent: a.b leads to [fd00:0:0:0:0:0:0:1]: private')
                FROM alerts.channel WHERE name = 'letter';
                """)
            try session.script(M0012_PublicErrors.sql)
            return try session.rows(
                """
                SELECT COALESCE(outbox.last_error, outbox.notice ->> 'reason'), outbox.notice ->> 'time'
                FROM alerts.outbox AS outbox JOIN alerts.channel AS channel USING (channel_id)
                ORDER BY channel.name, outbox.rule_id NULLS LAST
                """
            ) { row in [try row.text(), try row.textOrNil()] }
        }
        #expect(
            told == [
                ["given up after 10 attempts: not sent: a.b does not lead to a public address", nil],
                ["given up after 10 attempts: it answers 550", nil],
                ["not sent: a.b does not lead to a public address", "1767225600000001234"],
            ])
        await database.close()
    }

    @Test("is claimed by one, however many claim at once")
    func claims() async throws {
        let database = try await Self.outbox(60)
        let claimed = try await withThrowingTaskGroup(of: [Delivery].self) { group in
            for name in 0..<6 {
                group.addTask {
                    var claimed: [Delivery] = []
                    for _ in 0..<5 {
                        claimed += try await database.claim(by: "n\(name)", limit: 7, for: .seconds(600))
                    }
                    return claimed
                }
            }
            return try await group.reduce(into: [], +=)
        }
        #expect(claimed.count == 60)
        #expect(Set(claimed.map(\.messageID)).count == 60)
        #expect(claimed.allSatisfy { $0.attempt == 1 })
        await database.close()
    }

    @Test("is read wholly, however soon after its storing it is claimed")
    func soon() async throws {
        let count: Int64 = 200
        let database = try await Self.outbox(1)
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.rule(AlertFixture.id(1))
        async let stored = { @Sendable in
            for epoch in 2...count {
                let row = AlertFixture.firing(of: rule, epoch: epoch)
                guard try await database.fire(row, under: claims) == .fired else { return false }
            }
            return true
        }()
        var told: Set<Int64> = []
        while told.count < count {
            for delivery in try await database.claim(by: "n", limit: 9, for: .seconds(600)) {
                told.insert(try #require(delivery.firing?.epoch))
            }
        }
        #expect(try await stored)
        await database.close()
    }

    @Test("that is held back is listed as such, and in its rule's history with the reason")
    func held() async throws {
        let database = try await Self.outbox(2)
        let claimed = try await database.claim(by: "n", limit: 1, for: .seconds(600))[0]
        let later = AlertFixture.now.adding(nanoseconds: 100 * 365 * 86_400_000_000_000)
        let reason = "quieted: 3 by this channel told within an hour"
        try await database.execute(.endAttempt(claimed, .held(until: later, reason: reason)))
        func listed(_ state: String) async throws -> [UniqueID] {
            try await database.withSession { try $0.deliveries(of: AlertFixture.user, state: state) }.map(
                \.id)
        }
        #expect(try await listed("held") == [claimed.id])
        let waiting = try await listed("waiting")
        #expect(waiting.count == 1 && waiting != [claimed.id])
        let rule = try #require(claimed.firing)
        let events = try await database.history(of: rule.rule)
        let held = events.filter { $0.epoch == rule.epoch }
        #expect(held.map(\.held) == ["phone: \(reason)"])
        #expect(events.count { $0.held != nil } == 1)
        #expect(held.map(\.firing?.venueTime) == [rule.venueTime])
        #expect(held.map(\.firing?.price) == [rule.price] && rule.price != nil)
        #expect(events.allSatisfy { ($0.firing == nil) == ($0.epoch == nil) })
        await database.close()
    }

    @Test("ends once: who was too slow changes nothing")
    func ends() async throws {
        let database = try await Self.outbox(1)
        let slow = try await database.claim(by: "slow", limit: 1, for: .milliseconds(1))[0]
        var next: Delivery?
        while next == nil {
            next = try await database.claim(by: "next", limit: 1, for: .seconds(600)).first
        }
        let delivery = try #require(next)
        #expect(delivery.attempt == 2 && delivery.messageID == slow.messageID)
        #expect(try await database.execute(.endAttempt(slow, .delivered)) == 0)
        #expect(try await database.execute(.endAttempt(delivery, .delivered)) == 1)
        #expect(try await database.execute(.endAttempt(delivery, .dead(error: "410"))) == 0)
        #expect(try await database.outboxCounts() == ["delivered": 1])
        await database.close()
    }

    @Test("to a receiver that is gone ends its channel, but not one that was set up otherwise since")
    func gone() async throws {
        let database = try await Self.outbox(1)
        let claimed = try await database.claim(by: "n", limit: 1, for: .seconds(600))[0]
        var moved = claimed.channel
        moved.settings = #"{"url":"https://c.d"}"#
        try await database.put(moved)
        func end(_ channel: Channel) async throws {
            try await database.execute(
                .endChannel(channel, because: "410", notice: AlertFixture.id(77), at: AlertFixture.now))
        }
        func isOver() async throws -> Bool {
            let channels = try await database.withSession { try $0.channels(of: AlertFixture.user) }
            return channels.contains { $0.disabled != nil }
        }
        try await end(claimed.channel)
        #expect(try await !isOver())
        try await end(moved)
        #expect(try await isOver())
        await database.close()
    }

    @Test("that failed waits for its next time, and a dead one for ever")
    func retries() async throws {
        let database = try await Self.outbox(2)
        func claim() async throws -> [Delivery] {
            try await database.claim(by: "n", limit: 10, for: .seconds(600))
        }
        let claimed = try await claim()
        #expect(try await database.execute(.endAttempt(claimed[0], .dead(error: "410"))) == 1)
        let past = Query.endAttempt(claimed[1], .retry(at: .zero, error: "500"))
        #expect(try await database.execute(past) == 1)
        let again = try await claim()
        #expect(again.map(\.attempt) == [2] && again.map(\.messageID) == [claimed[1].messageID])
        let later = AlertFixture.now.adding(nanoseconds: 100 * 365 * 86_400_000_000_000)
        #expect(try await database.execute(.endAttempt(again[0], .retry(at: later, error: "500"))) == 1)
        #expect(try await claim().isEmpty)
        #expect(try await database.outboxCounts() == ["dead": 1, "waiting": 1])
        await database.close()
    }

    @Test("that succeeds after failures has no error any more")
    func recovers() async throws {
        let database = try await Self.outbox(1)
        func claim() async throws -> [Delivery] {
            try await database.claim(by: "n", limit: 1, for: .seconds(600))
        }
        let failed = try await claim()[0]
        func listed() async throws -> DeliveryRow? {
            try await database.withSession { try $0.delivery(failed.id, of: AlertFixture.user) }
        }
        _ = try await database.execute(.endAttempt(failed, .retry(at: .zero, error: "500")))
        #expect(try await listed()?.error == "500")
        let claimed = try await claim()[0]
        _ = try await database.execute(.endAttempt(claimed, .delivered))
        let row = try await listed()
        #expect(row?.state == "delivered" && row?.error == nil)
        await database.close()
    }

    @Test("of a disabled channel is held back")
    func disabled() async throws {
        let database = try await Self.outbox(1)
        var channel = AlertFixture.channel(1, "phone")
        channel.disabled = AlertFixture.now
        try await database.put(channel)
        func claim() async throws -> [Delivery] {
            try await database.claim(by: "n", limit: 10, for: .seconds(600))
        }
        #expect(try await claim().isEmpty)
        channel.disabled = nil
        try await database.put(channel)
        #expect(try await claim().count == 1)
        await database.close()
    }

    @Test("shows no secret of its channel, in no form")
    func secrets() async throws {
        let database = try await Self.outbox(1)
        let delivery = try await database.claim(by: "n", limit: 1, for: .seconds(1))[0]
        #expect(delivery.channel.secrets.json.contains("whsec_hidden"))
        var dumped = ""
        dump(delivery, to: &dumped)
        for text in ["\(delivery)", String(reflecting: delivery), dumped] {
            #expect(!text.contains("hidden"))
        }
        #expect(try await database.withSession { try $0.lockUser(.localOperator) })
        await database.close()
    }
}
