import AccountStore
import AlertStore
import Alerting
import Instruments
import Store
import Support
import Testing

@Suite("Stored rules", .timeLimit(.minutes(10)))
struct RuleStoreTests {
    @Test("come back as they went in, in the order in which they were made")
    func roundTrip() async throws {
        let database = try await AlertFixture.database()
        let rules = [
            try AlertFixture.rule(
                2, #","repeat":{"cooldown":"1h","hysteresis":"10"},"tags":["a\u0000b","ä"]"#),
            try AlertFixture.rule(1, level: "0.00000001"),
            try AlertRule(
                json: #"{"id":"\#(AlertFixture.id(3))","condition":{"listing":{"venue":"kraken"}}}"#),
        ]
        var made: [StoredRule] = []
        for (offset, rule) in rules.enumerated() {
            made += try await database.add(
                [rule], at: AlertFixture.now.adding(nanoseconds: Int64(offset) * 1_000))
        }
        let stored = try await database.rules()
        #expect(stored.map(\.rule) == rules)
        #expect(stored == made)
        #expect(stored.map(\.change) == [1, 2, 3])
        #expect(stored.allSatisfy { $0.isActive && $0.version == 1 && $0.epoch == 0 && $0.state == nil })
        #expect(stored.map(\.shard) == rules.map { .init(of: $0) })
        await database.close()
    }

    @Test(
        "are refused with the field, its value and what is accepted, and nothing is stored",
        arguments: [
            (
                #","expires":"2025-12-31T00:00:00Z""#,
                "field \"expires\" is 2025-12-31T00:00:00Z: accepted is an instant that is to come, "
                    + "after 2026-01-01T00:00:00.000001Z"
            ),
            (
                #","channels":["ops"]"#,
                "field \"channels\" is \"ops\": accepted is any of \"phone\""
            ),
            (
                #","channels":["phone","mail"]"#,
                "field \"channels\" is \"mail\", which is not verified yet: accepted is any of \"phone\""
            ),
        ])
    func refusals(more: String, words: String) async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone"))
        try await database.put(AlertFixture.channel(2, "mail", isVerified: false))
        let rules = [try AlertFixture.rule(1), try AlertFixture.rule(2, more)]
        let refused = await refusal { try await database.add(rules) }
        #expect(refused?.description == words)
        #expect(refused?.index == 1)
        #expect(try await database.rules().isEmpty)
        await database.close()
    }

    @Test("name an unknown instrument, an id that is taken, and one that is no UUID")
    func keys() async throws {
        let database = try await AlertFixture.database()
        var unknown = try AlertFixture.rule(1)
        unknown.instrument = InstrumentID(venue: .kraken, symbol: "BTC/USDX")
        let reason = await refusal { try await database.add([unknown]) }?.reason
        #expect(reason == .unknownInstrument(InstrumentID(venue: .kraken, symbol: "BTC/USDX")))
        _ = try await database.add([try AlertFixture.rule(1)])
        let second = await refusal {
            try await database.add([try AlertFixture.rule(2), try AlertFixture.rule(1)])
        }
        #expect(second?.index == 1)
        let twice = await refusal {
            try await database.add([try AlertFixture.rule(3), try AlertFixture.rule(3)])
        }
        #expect(twice?.description.hasSuffix("accepted is an id used once") == true)
        var named = try AlertFixture.rule(4)
        named.id = try #require(RuleID("r4"))
        #expect(await refusal { try await database.add([named]) }?.description.contains("a UUID") == true)
        #expect(try await database.rules().count == 1)
        await database.close()
    }

    @Test("keep their state when only words change, and begin anew when what decides does")
    func edits() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        #expect(
            try await database.fire(AlertFixture.firing(of: rule, epoch: 1, state: [9]), under: claims)
                == .fired)
        let noted = try await database.edit(rule.id, expecting: 1) { old throws(FieldFault) in
            try old.merging(json: Array(#"{"note":"higher"}"#.utf8))
        }
        #expect(noted.state == [9] && noted.epoch == 1 && noted.version == 2 && noted.rule.note == "higher")
        let moved = try await database.edit(rule.id, expecting: nil) { old throws(FieldFault) in
            try old.merging(json: Array(#"{"condition":{"price":"bid","crosses":"below","level":"5"}}"#.utf8))
        }
        #expect(moved.state == nil && moved.epoch == 1 && moved.version == 3)
        #expect(try await database.rule(rule.id) == moved)
        let stale = await refusal {
            try await database.edit(rule.id, expecting: 2) { old throws(FieldFault) in old }
        }
        #expect(stale?.reason == .changedMeanwhile(rule.id, version: 3))
        let history = try await database.history(of: rule.id)
        #expect(Set(history.map(\.kind)) == [.created, .edited, .fired])
        #expect(history.count == 4)
        await database.close()
    }

    @Test("are switched and deleted; a rule that is done is armed again when it is switched on")
    func switches() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        var last = AlertFixture.firing(of: rule, epoch: 1)
        last.isDone = true
        #expect(try await database.fire(last, under: claims) == .fired)
        #expect(try await database.rule(rule.id).stateName(at: AlertFixture.now) == "done")
        let again = try await database.set(rule.id, enabled: true)
        #expect(again.stateName(at: AlertFixture.now) == "armed" && again.epoch == 1)
        #expect(again.state == nil && again.version == 2)
        #expect(try await database.set(rule.id, enabled: true).version == 2)
        #expect(try await database.set(rule.id, enabled: false).stateName(at: AlertFixture.now) == "disabled")
        let now = AlertFixture.now
        _ = try await database.transaction { session in
            try session.deleteRules([rule.id], of: AlertFixture.user, at: now)
        }
        #expect(try await database.rules().isEmpty)
        #expect(try await database.rule(rule.id).stateName(at: AlertFixture.now) == "deleted")
        let gone = await refusal { try await database.set(rule.id, enabled: true) }
        #expect(gone?.reason == .noSuchRule(rule.id.description))
        await database.close()
    }

    @Test("are never more than allowed, however many writers try at once")
    func limit() async throws {
        let database = try await AlertFixture.database(connections: 8)
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in UInt64(0)..<8 {
                group.addTask {
                    var stored = 0
                    for number in UInt64(0)..<5 {
                        let rule = try AlertFixture.rule(writer * 100 + number)
                        do throws(StoreError) {
                            stored += try await database.add([rule], limit: 13).count
                        } catch {
                            guard case .tooMany? = (error.bodyError as? RuleRefused)?.reason else {
                                throw error
                            }
                        }
                    }
                    return stored
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stored == 13)
        #expect(try await database.rules().count == 13)
        let some = try await database.rules()[0]
        _ = try await database.set(some.id, enabled: false)
        let many = try (5_000..<5_003).map { try AlertFixture.rule($0) }
        let refused = await refusal { try await database.add(many, limit: 13) }
        #expect(refused?.reason == .tooMany(limit: 13, enabled: 12, asked: 3))
        #expect(refused?.index == 1)
        #expect(try await database.add([try AlertFixture.rule(6_000)], isEnabled: false, limit: 1).count == 1)
        await database.close()
    }

    @Test("are done when their time is over, whoever evaluates them, and count no longer as switched on")
    func expired() async throws {
        let database = try await AlertFixture.database()
        let rule = try await database.add(
            [try AlertFixture.rule(1, #","expires":"2026-01-01T00:01:00Z""#)], limit: 1)[0]
        let end = try #require(rule.rule.expires)
        #expect(rule.stateName(at: end.adding(nanoseconds: -1)) == "armed")
        #expect(rule.stateName(at: end) == "done")
        let early = await refusal { try await database.add([try AlertFixture.rule(2)], limit: 1) }
        #expect(early?.reason == .tooMany(limit: 1, enabled: 1, asked: 1))
        #expect(try await database.add([try AlertFixture.rule(2)], limit: 1, at: end).count == 1)
        let full = await refusal { try await database.add([try AlertFixture.rule(3)], limit: 1, at: end) }
        #expect(full?.reason == .tooMany(limit: 1, enabled: 1, asked: 1))
        await database.close()
    }

    @Test("are found by who polls for changes, none left out and none twice, while many write")
    func polling() async throws {
        let database = try await AlertFixture.database(connections: 8)
        let writers = UInt64(6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in UInt64(0)..<8 {
                        _ = try await database.add([try AlertFixture.rule(writer * 100 + number)])
                    }
                }
            }
            var seen: [UniqueID] = []
            var change: Int64 = 0
            while seen.count < 48 {
                let rows = try await database.withSession { [change] in try $0.rules(changedAfter: change) }
                seen += rows.map(\.id)
                change = rows.last?.change ?? change
            }
            try await group.waitForAll()
            #expect(Set(seen).count == 48 && seen.count == 48)
            #expect(try await database.withSession { try $0.lastRuleChange() } == 48)
        }
        await database.close()
    }

    @Test("are told of when they change, and not when they fire")
    func notification() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        var events = database.listen(to: [AlertSchema.ruleChannel]).makeAsyncIterator()
        #expect(await events.next() == .listening)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        let told = ListenEvent.notification(channel: AlertSchema.ruleChannel, payload: "")
        #expect(await events.next() == told)
        #expect(try await database.fire(AlertFixture.firing(of: rule, epoch: 1), under: claims) == .fired)
        try await database.execute(NotifyEnd())
        #expect(await events.next() == .notification(channel: AlertSchema.ruleChannel, payload: "end"))
        await database.close()
    }

    @Test(
        "are refused when nothing could ever decide them",
        arguments: [
            (
                #""condition":{"portfolio":{"id":"x","metric":"value","crosses":"above","level":"1"}}"#,
                "field \"condition.portfolio.id\" is \"x\": accepted is the id of a portfolio of yours, of "
                    + "which there is none"
            ),
            (
                #""condition":{"listing":{"venue":"krakn"}}"#,
                "field \"condition.listing.venue\" is \"krakn\": accepted is any of kraken, whose "
                    + "instruments are known"
            ),
            (
                #""instrument":"index:BTC-EUR","condition":{"price":"index","crosses":"above","level":"1"}"#,
                "field \"instrument\" is \"index:BTC-EUR\": accepted is an instrument that is known"
            ),
        ])
    func undecidable(fields: String, words: String) async throws {
        let database = try await AlertFixture.database()
        let rule = try AlertRule(json: #"{"id":"\#(AlertFixture.id(1))",\#(fields)}"#)
        let refused = await refusal { try await database.add([rule]) }
        #expect(refused?.description == words)
        #expect(try await database.rules().isEmpty)
        await database.close()
    }

    @Test("may be about the index price of a pair that is known")
    func indexPair() async throws {
        let database = try await AlertFixture.database()
        let rule = try AlertRule(
            json: """
                {"id":"\(AlertFixture.id(1))","instrument":"index:BTC-USD",\
                "condition":{"price":"index","crosses":"above","level":"1"}}
                """)
        let stored = try await database.add([rule])
        #expect(try await database.rules() == stored)
        #expect(stored[0].subscription == nil)
        await database.close()
    }
}

private struct NotifyEnd: Statement {
    static let sql = "SELECT pg_notify('alerts_rule', 'end') IS NULL"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool? { try row.boolOrNil() }
}

extension Database {
    fileprivate func edit(
        _ id: UniqueID, expecting version: Int64?,
        _ edit: @escaping @Sendable (AlertRule) throws(FieldFault) -> AlertRule
    ) async throws -> StoredRule {
        let now = AlertFixture.now
        let rules = try await transaction { session in
            try session.editRules(
                [id], of: AlertFixture.user, expecting: version, limits: RuleLimits(), at: now, by: edit)
        }
        return try #require(rules.first)
    }

    fileprivate func set(_ id: UniqueID, enabled: Bool) async throws -> StoredRule {
        let now = AlertFixture.now
        let rules = try await transaction { session in
            try session.setRules(
                [id], enabled: enabled, of: AlertFixture.user, limits: RuleLimits(), at: now)
        }
        return try #require(rules.first)
    }
}
