import Alerting
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("What a rule may ask for and is told of", .timeLimit(.minutes(10)))
struct QuietTests {
    private static let second: Int64 = 1_000_000_000

    @Test("of a quiet time its beginning is delivered, and its end is only among the rule's events")
    func quiet() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        var rule = try await database.add([try AlertFixture.rule(1)])[0]
        for (kind, words) in [(FiringKind.quieted, "quieted"), (.quietEnded, "7 were left out")] {
            var row = FiringRow(kind, of: rule, reason: words, at: AlertFixture.now)
            row.lateBy = 3_600 * Self.second
            #expect(try await database.fire(row, under: claims) == .fired)
            rule = try await database.rule(rule.id)
        }
        let told = try await database.claim(by: "n", limit: 10, for: .seconds(60))
        #expect(told.map { $0.firing?.kind } == ["quieted"])
        let events = try await database.history(of: rule.id)
        #expect(events.map(\.kind) == [.quietEnded, .quieted, .created])
        #expect(events.first?.text == "7 were left out" && rule.firings == 0)
        // It was told in time, of something that lasts for an hour.
        #expect(events.map(\.firing?.lateBy) == [0, 0, nil])
        #expect(events.map(\.span) == [3_600 * Self.second, 3_600 * Self.second, nil])
        await database.close()
    }

    @Test("a cooldown below the least is refused with both, and one that was there before stays")
    func cooldown() async throws {
        let database = try await AlertFixture.database()
        let limits = RuleLimits(leastCooldown: Self.second)
        let short = try AlertFixture.rule(1, #","repeat":{"cooldown":"999ms"}"#)
        let refused = await refusal {
            try await database.transaction { session in
                try session.addRules([short], of: AlertFixture.user, limits: limits, at: AlertFixture.now)
            }
        }
        #expect(
            refused?.description == "field \"repeat.cooldown\" is \"999ms\": accepted is 1s or more")
        let stored = try await database.add([short])[0]
        let noted = try await database.transaction { session in
            try session.editRules(
                [stored.id], of: AlertFixture.user, limits: limits, at: AlertFixture.now
            ) { rule throws(FieldFault) in
                var rule = rule
                rule.note = "hello"
                return rule
            }
        }
        #expect(noted.first?.rule.note == "hello" && noted.first?.rule.repetition == short.repetition)
        let shorter = await refusal {
            try await database.transaction { session in
                try session.editRules(
                    [stored.id], of: AlertFixture.user, limits: limits, at: AlertFixture.now
                ) { rule throws(FieldFault) in
                    var rule = rule
                    rule.repetition = .recurring(cooldown: 1, hysteresis: .init(units: 0, scale: .zero))
                    return rule
                }
            }
        }
        #expect(shorter?.description.hasPrefix("field \"repeat.cooldown\" is \"1ns\"") == true)
        await database.close()
    }

    @Test("names of more channels than a rule may have are refused with the number")
    func channels() async throws {
        let database = try await AlertFixture.database()
        for number in 1...3 { try await database.put(AlertFixture.channel(UInt64(number), "c\(number)")) }
        let rule = try AlertFixture.rule(9, #","channels":["c1","c2","c3"]"#)
        let refused = await refusal {
            try await database.transaction { session in
                try session.addRules(
                    [rule], of: AlertFixture.user, limits: RuleLimits(channels: 2), at: AlertFixture.now)
            }
        }
        #expect(refused?.description == "field \"channels\" is 3 names: accepted is at most 2")
        #expect(try await database.add([rule]).count == 1)
        await database.close()
    }
}

@Suite("What operators are told", .timeLimit(.minutes(10)))
struct OperatorNoticeTests {
    @Test("goes to each of their channels, and not again before its time")
    func once() async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone"))
        try await database.put(AlertFixture.channel(2, "desk"))
        try await database.put(AlertFixture.channel(3, "mail", isVerified: false))
        let notice = OutboxNotice(.diskNearlyFull, time: AlertFixture.now, reason: "100 MiB are free")
        #expect(try await database.execute(.tellOperators(notice, atMostEvery: 3_600)) == 2)
        #expect(try await database.execute(.tellOperators(notice, atMostEvery: 3_600)) == 0)
        let told = try await database.claim(by: "n", limit: 10, for: .seconds(60))
        #expect(told.map(\.channel.name).sorted() == ["desk", "phone"])
        #expect(told.allSatisfy { $0.subject == .notice(notice) })
        #expect(try await database.execute(.tellOperators(notice, atMostEvery: 0)) == 2)
        await database.close()
    }
}
