import Alerting
import Glibc
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("A firing", .timeLimit(.minutes(10)))
struct FireTests {
    @Test("is stored with the rule's state and a delivery for each usable channel")
    func stores() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        try await database.put(AlertFixture.channel(1, "phone"))
        try await database.put(AlertFixture.channel(2, "desk"))
        try await database.put(AlertFixture.channel(3, "mail", isVerified: false))
        let rules = try await database.add([
            try AlertFixture.rule(1), try AlertFixture.rule(2, #","channels":["desk"]"#),
        ])
        for rule in rules {
            #expect(
                try await database.fire(
                    AlertFixture.firing(of: rule, epoch: 1, state: [4, 2]), under: claims)
                    == .fired)
        }
        let stored = try await database.rule(rules[0].id)
        #expect(stored.epoch == 1 && stored.state == [4, 2] && stored.version == 1 && stored.isActive)
        let deliveries = try await database.claim(by: "n", limit: 10, for: .seconds(60))
        let told = deliveries.map {
            "\($0.firing?.rule == rules[0].id ? "all" : "desk") by \($0.channel.name)"
        }
        #expect(told.sorted() == ["all by desk", "all by phone", "desk by desk"])
        #expect(deliveries.allSatisfy { $0.firing?.price == "61000.5" })
        #expect(deliveries.allSatisfy { $0.firing?.instrument == AlertFixture.bitcoin })
        await database.close()
    }

    @Test("is answered with what stands in its way")
    func answers() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let first = AlertFixture.firing(of: rule, epoch: 1)
        #expect(
            try await database.fire(AlertFixture.firing(of: rule, epoch: 2), under: claims) == .ruleChanged)
        #expect(try await database.fire(first, under: claims) == .fired)
        #expect(try await database.fire(first, under: claims) == .alreadyFired)
        var old = AlertFixture.firing(of: rule, epoch: 2)
        old.version = 7
        #expect(try await database.fire(old, under: claims) == .ruleChanged)
        let other = LeaseClaims(service: AlertFixture.service, instance: "b", epochs: claims.epochs)
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 2), under: other) == .leaseLost)
        let none = LeaseClaims(service: AlertFixture.service, instance: "a")
        #expect(try await database.fire(first, under: none) == .leaseLost)
        #expect(try await database.first(FiringCount()) == 1)
        await database.close()
    }

    @Test("of a rule that is done, disabled or deleted is none")
    func inactive() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rules = try await database.add([try AlertFixture.rule(1), try AlertFixture.rule(2)])
        #expect(
            try await database.save([RuleState(of: rules[0], state: [], isDone: true)], under: claims) == 1)
        let now = AlertFixture.now
        _ = try await database.transaction { session in
            try session.deleteRules([rules[1].id], of: AlertFixture.user, at: now)
        }
        for rule in rules {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims)
                    == .ruleChanged)
        }
        #expect(try await database.save([RuleState(of: rules[1], state: [5])], under: claims) == 0)
        #expect(try await database.activeRules().isEmpty)
        await database.close()
    }

    @Test(
        "exists once for each epoch, whoever else tries, tends leases, loses them or edits at the same time",
        // One database at a time: a server has only so many connections.
        .serialized,
        arguments: (1...(getenv("SOAK") == nil ? 6 : 100)).map { UInt64($0) })
    func once(seed: UInt64) async throws {
        let database = try await AlertFixture.database(connections: 8)
        try await database.put(AlertFixture.channel(1, "phone"))
        let ids = try await database.add(try (1...3).map { try AlertFixture.rule($0) }).map(\.id)
        let counts = try await withThrowingTaskGroup(of: [FireResult: Int].self) { group in
            for index in UInt64(0)..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 31 &+ index)
                    return try await Self.evaluate(ids, "e\(index % 3)", database, &random)
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        let fired = counts[.fired] ?? 0
        #expect(fired > 0, "seed \(seed)")
        #expect(try await database.first(FiringCount()) == Int64(fired), "seed \(seed)")
        var epochs: Int64 = 0
        for id in ids { epochs += try await database.rule(id).epoch }
        #expect(epochs == Int64(fired), "seed \(seed)")
        let waiting = try await database.outboxCounts()
        #expect(waiting == ["waiting": Int64(fired)], "seed \(seed)")
        await database.close()
    }

    /// Sixty steps of an evaluator that believes what it last read; two run under each name.
    private static func evaluate(
        _ ids: [UniqueID], _ instance: String, _ database: Database, _ random: inout SeededGenerator
    ) async throws -> [FireResult: Int] {
        var claims = try await AlertFixture.claims(instance, database)
        var known: [UniqueID: StoredRule] = [:]
        for id in ids { known[id] = try await database.rule(id) }
        var counts: [FireResult: Int] = [:]
        for _ in 0..<60 {
            let id = random.pick(ids)
            switch random.int(0...19) {
            case 0:
                let instance = random.pick(["e0", "e1", "e2"])
                // A transaction, as of whoever tends leases: one that lost a deadlock is tried again.
                _ = try await database.transaction { session in
                    try session.execute(ExpireLeases(instance: instance))
                }
            case 1...2: claims = try await AlertFixture.claims(instance, database)
            case 3:
                let note = "note \(random.int(0...9))"
                _ = try await database.transaction { session in
                    try session.editRules(
                        [id], of: AlertFixture.user, limits: RuleLimits(), at: AlertFixture.now
                    ) {
                        var rule = $0
                        rule.note = note
                        return rule
                    }
                }
            default:
                guard let rule = known[id] else { continue }
                let row = AlertFixture.firing(of: rule, epoch: rule.epoch + 1)
                let result = try await database.fire(row, under: claims)
                counts[result, default: 0] += 1
                // Now and then a writer goes on with what it knew, as one that was stopped for a while.
                if random.chance(70) { known[id] = try await database.rule(id) }
                if result == .leaseLost { claims = try await AlertFixture.claims(instance, database) }
            }
        }
        return counts
    }
}

private struct ExpireLeases: Statement {
    typealias Row = Void
    static let sql = """
        WITH held AS (
            SELECT service, shard FROM market.lease WHERE owner = $1
            ORDER BY shard FOR NO KEY UPDATE
        )
        UPDATE market.lease AS lease SET expires_at = '-infinity'
        FROM held WHERE lease.service = held.service AND lease.shard = held.shard
        """
    let instance: String
    func bind(_ parameters: inout Parameters) { parameters.append(instance) }
}
