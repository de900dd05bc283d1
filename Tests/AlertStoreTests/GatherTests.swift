import AccountStore
import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import AlertStore

@Suite("A digest", .timeLimit(.minutes(5)))
struct GatherTests {
    private static let later = AlertFixture.now.adding(nanoseconds: 100 * 365 * 86_400_000_000_000)

    /// Deliveries of so many firings to one channel, and that channel.
    private static func outbox(_ count: Int64) async throws -> (Database, UniqueID) {
        let database = try await AlertFixture.database(connections: 8)
        let claims = try await AlertFixture.claims("a", database)
        let channel = AlertFixture.channel(1, "phone")
        try await database.put(channel)
        let rule = try await database.add([try AlertFixture.rule(1)])[0]
        for epoch in 1...count {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: epoch), under: claims) == .fired)
        }
        return (database, channel.id)
    }

    @Test("takes what its maker has claimed, what is due and what was held, and nothing of others")
    func takes() async throws {
        let (database, channel) = try await Self.outbox(10)
        func claim(_ name: String, _ limit: Int) async throws -> [Delivery] {
            try await database.claim(by: name, limit: limit, for: .seconds(600))
        }
        let others = try await claim("other", 2)
        let own = try await claim("own", 4)
        #expect(
            try await database.execute(.endAttempt(own[0], .held(until: Self.later, reason: "quiet hours")))
                == 1)
        let failed = Query.endAttempt(own[1], .retry(at: Self.later, error: "500"))
        #expect(try await database.execute(failed) == 1)
        let taken = try await database.withSession { session in
            try session.gatherFirings(
                for: channel, claimedBy: "own", [own[2].id, others[0].id], into: AlertFixture.id(900),
                at: AlertFixture.now)
        }
        // One held, one claimed and four that are due; not what failed, nor the other three.
        #expect(taken == 6)
        #expect(try await database.outboxCounts() == ["gathered": 6, "waiting": 5])
        let digest = try #require(try await claim("own", 10).first)
        #expect(digest.id == AlertFixture.id(900) && digest.subject == .notice(OutboxNotice(.digest)))
        let told = try await database.withSession { try $0.gatheredFirings(in: digest.id, limit: 4) }
        #expect(told.count == 1 && told.allSatisfy { $0.total == 6 && $0.ofRule == 6 })
        let epochs = try await database.rows(EpochsOfDigest(digest: digest.id))
        #expect(told.map(\.firing.epoch) == epochs.suffix(1))
        // What was gathered is told by nobody else, and its claim is over.
        #expect(try await database.execute(.endAttempt(own[2], .delivered)) == 0)
        await database.close()
    }

    @Test("grows until somebody tries to tell it; then there is another")
    func grows() async throws {
        let (database, channel) = try await Self.outbox(6)
        func total(_ key: UInt64) async throws -> Int64? {
            try await database.withSession { try $0.gatheredFirings(in: AlertFixture.id(key)) }.first?.total
        }
        func gather(_ key: UInt64, _ limit: Int) async throws -> Int {
            let ids = try await database.claim(by: "n", limit: limit, for: .seconds(600)).map(\.id)
            return try await database.withSession { session in
                try session.script(
                    "UPDATE alerts.outbox SET next_attempt = 'infinity' WHERE claimed_by IS NULL")
                let count = try session.gatherFirings(
                    for: channel, claimedBy: "n", ids, into: AlertFixture.id(key), at: Self.later)
                try session.script(
                    "UPDATE alerts.outbox SET next_attempt = now() WHERE epoch IS NOT NULL AND state = 'waiting'"
                )
                return count
            }
        }
        #expect(try await gather(900, 2) == 2)
        #expect(try await gather(901, 2) == 2)
        #expect(try await total(900) == 4)
        try await database.withSession { session in
            try session.script(
                "UPDATE alerts.outbox SET attempts = 1, next_attempt = 'infinity' WHERE notice IS NOT NULL")
        }
        #expect(try await gather(902, 2) == 2)
        #expect(try await total(900) == 4)
        #expect(try await total(902) == 2)
        await database.close()
    }

    @Test("has each firing in exactly one, however many gather at once")
    func concurrent() async throws {
        let (database, channel) = try await Self.outbox(60)
        let claimed = try await withThrowingTaskGroup(of: (UInt64, [UniqueID]).self) { group in
            for name in 0..<6 as Range<UInt64> {
                group.addTask {
                    let claimant = "n\(name)"
                    let ids = try await database.claim(by: claimant, limit: 7, for: .seconds(600))
                        .filter { $0.firing != nil }.map(\.id)
                    return try await database.withSession { session in
                        try session.gatherFirings(
                            for: channel, claimedBy: claimant, ids, into: AlertFixture.id(900 + name),
                            at: Self.later)
                        return (name, ids)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // What another one was looking at in that moment is passed over, and stays its claimant's.
        for (name, ids) in claimed {
            _ = try await database.withSession { session in
                try session.gatherFirings(
                    for: channel, claimedBy: "n\(name)", ids, into: AlertFixture.id(910 + name),
                    at: Self.later)
            }
        }
        _ = try await database.withSession { session in
            try session.gatherFirings(
                for: channel, claimedBy: "x", [], into: AlertFixture.id(950), at: Self.later)
        }
        var epochs: [Int64] = []
        for key in Array(900..<906) + Array(910..<916) + [950] as [UInt64] {
            epochs += try await database.rows(EpochsOfDigest(digest: AlertFixture.id(key)))
        }
        #expect(epochs.sorted() == Array(1...60))
        await database.close()
    }

    @Test("names every rule, also the one that fired once beside one that fires without rest")
    func namesEach() async throws {
        let database = try await AlertFixture.database()
        let claims = try await AlertFixture.claims("a", database)
        let channel = AlertFixture.channel(1, "phone")
        try await database.put(channel)
        let rules = try await database.add([try AlertFixture.rule(1), try AlertFixture.rule(2)])
        let epochs = Array(1...30 as ClosedRange<Int64>)
        for (rule, epoch) in epochs.map({ (rules[0], $0) }) + [(rules[1], 1 as Int64)] {
            #expect(
                try await database.fire(AlertFixture.firing(of: rule, epoch: epoch), under: claims) == .fired)
        }
        _ = try await database.withSession { session in
            try session.gatherFirings(
                for: channel.id, claimedBy: "n", [], into: AlertFixture.id(900), at: AlertFixture.now)
        }
        let told = try await database.withSession { try $0.gatheredFirings(in: AlertFixture.id(900)) }
        #expect(told.map(\.firing.rule) == rules.map(\.id) && told.map(\.ofRule) == [30, 1])
        #expect(told.map(\.firing.epoch) == [30, 1] && told.allSatisfy { $0.total == 31 })
        await database.close()
    }
}

/// Which firings of one rule a digest tells.
private struct EpochsOfDigest: Statement {
    static let sql = "SELECT epoch FROM alerts.outbox WHERE digest_id = $1 ORDER BY epoch"

    let digest: UniqueID

    func bind(_ parameters: inout Parameters) { parameters.append(digest) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

@Suite("A notice and a dead letter", .timeLimit(.minutes(5)))
struct NoticeTests {
    @Test("is told once for its key, and comes back as it was given")
    func notice() async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone", isVerified: false))
        var notice = OutboxNotice(.quieted, time: Timestamp(nanoseconds: 5), reason: "a \"b\"", note: "ü\n")
        notice.count = 7
        let add = Query.addNotice(notice, AlertFixture.id(9), to: AlertFixture.id(1))
        #expect(try await database.execute(add) == 1)
        #expect(try await database.execute(add) == 0)
        let told = try await database.claim(by: "n", limit: 9, for: .seconds(600))
        #expect(told.map(\.subject) == [.notice(notice)] && told.map(\.id) == [AlertFixture.id(9)])
        await database.close()
    }

    @Test("is tried again from the first attempt on, under the same id, when its owner says so")
    func retried() async throws {
        let database = try await AlertFixture.database()
        try await database.put(AlertFixture.channel(1, "phone"))
        try await database.execute(
            .addNotice(OutboxNotice(.test), AlertFixture.id(9), to: AlertFixture.id(1)))
        func claim() async throws -> [Delivery] {
            try await database.claim(by: "n", limit: 9, for: .seconds(600))
        }
        let first = try #require(try await claim().first)
        func retry(of user: UserID = .localOperator, _ id: UniqueID? = nil) async throws -> Int {
            try await database.withSession { try $0.retryDeliveries(of: user, id: id) }
        }
        #expect(try await retry() == 0)
        #expect(try await database.execute(.endAttempt(first, .dead(error: "410"))) == 1)
        let dead = try await database.withSession { try $0.deliveries(of: .localOperator, state: "dead") }
        #expect(dead.map(\.failures) == [1] && dead.map(\.error) == ["410"])
        #expect(try await retry(of: UserID(rawValue: AlertFixture.id(77)), AlertFixture.id(9)) == 0)
        #expect(try await retry(AlertFixture.id(9)) == 1)
        let again = try #require(try await claim().first)
        #expect(again.id == first.id && again.failures == 0 && again.attempt == 2)
        await database.close()
    }
}
