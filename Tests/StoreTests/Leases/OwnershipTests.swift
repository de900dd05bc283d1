import Store
import Support
import Synchronization
import Testing

@testable import MarketStore

@Suite("What an instance owns", .timeLimit(.minutes(10)))
struct OwnershipTests {
    private let shards = (0..<4).map { Shard(rawValue: $0) }

    private func claims(_ epochs: [Shard: Int64]) -> LeaseClaims {
        LeaseClaims(service: "book-builder", instance: "a", epochs: epochs)
    }

    @Test("what is about to be given back is not owned from there on, and the rest is until the next round")
    func givingUp() {
        let ownership = Ownership(service: "book-builder", instance: "a")
        #expect(ownership.claims(at: .now) == claims([:]))
        ownership.renew(claims([shards[0]: 1, shards[1]: 7, shards[2]: 2]), until: nil)
        ownership.give(up: [shards[1], shards[3]])
        #expect(ownership.claims(at: .now) == claims([shards[0]: 1, shards[2]: 2]))
        #expect(ownership.violations == 0)
        // It was not given back after all, or won again.
        ownership.renew(claims([shards[0]: 1, shards[1]: 8]), until: nil)
        #expect(ownership.claims(at: .now) == claims([shards[0]: 1, shards[1]: 8]))
    }

    @Test("nothing is told of what is given back by the time that another one can have it")
    func keeping() async throws {
        let database = Database(configuration: try await TestDatabase.market(), logger: TestDatabase.logger)
        let keeper = LeaseKeeper(
            database: database, term: LeaseTerm(service: "book-builder", instance: "a"),
            silence: .ofWon(.milliseconds(200)), logger: TestDatabase.logger)
        let said = Rounds()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await keeper.run(changed: { said.note(keeper.ownership) })
            }
            try await eventually { said.all.last?.owned == 256 }
            let other = LeaseTerm(service: "book-builder", instance: "b", duration: .seconds(600))
            #expect(try await database.tendLeases(other).acquired.isEmpty)
            try await eventually { said.all.last?.members == 2 }
            group.cancelAll()
            // Inside the round nothing is known of the other one yet.
            let rounds = said.all.drop { $0.owned == 256 }.prefix(2)
            #expect(rounds.map(\.members) == [1, 2])
            #expect(Set(rounds.map(\.owned)).count == 1)
            #expect(try await database.tendLeases(other).acquired.count == 256 - (rounds.last?.owned ?? 0))
        }
        await database.close()
    }

    @Test("what PostgreSQL says is lost is lost only under the epoch that was refused")
    func losing() {
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(claims([shards[0]: 2, shards[1]: 7]), until: nil)
        ownership.lose(shards, claims([shards[0]: 1, shards[1]: 7]))
        #expect(ownership.claims(at: .now) == claims([shards[0]: 2]))
        #expect(ownership.violations == 1)
    }

    @Test("while it is quiet nothing is owned, and what the round left is known")
    func quiet() {
        let now = ContinuousClock.now
        let end = now + .seconds(3_600)
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(claims([shards[0]: 1]), until: nil, quietUntil: end)
        #expect(ownership.claims(at: now) == claims([:]) && ownership.known == claims([shards[0]: 1]))
        // A round that wins nothing more ends it no sooner.
        ownership.renew(claims([shards[0]: 1]), until: nil)
        #expect(ownership.claims(at: end - .nanoseconds(1)) == claims([:]))
        #expect(ownership.claims(at: end) == claims([shards[0]: 1]))
        ownership.renew(claims([shards[0]: 1]), until: nil, quietUntil: now)
        #expect(ownership.claims(at: now) == claims([shards[0]: 1]))
    }

    @Test("who was alone goes on before its time is over, and not after it, nor where others live")
    func alone() {
        let now = ContinuousClock.now
        let mine = claims([shards[0]: 1])
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(mine, until: now + .seconds(8))
        ownership.goOn(at: now, for: .seconds(8))
        // It is early: a round will come.
        #expect(ownership.claims(at: now + .seconds(8)) == claims([:]))
        ownership.goOn(at: now + .seconds(7.5), for: .seconds(8))
        #expect(ownership.claims(at: now + .seconds(15.4)) == mine)
        // It stood still.
        ownership.goOn(at: now + .seconds(15.5), for: .seconds(8))
        #expect(ownership.claims(at: now + .seconds(15.5)) == claims([:]))
        ownership.renew(mine, until: now + .seconds(8), members: 2)
        ownership.goOn(at: now + .seconds(7.5), for: .seconds(8))
        #expect(ownership.claims(at: now + .seconds(8)) == claims([:]))
    }

    @Test("where others live a claim is over when its time is")
    func overdue() {
        let now = ContinuousClock.now
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(claims([shards[0]: 1]), until: now, members: 2)
        #expect(ownership.claims(at: now) == claims([:]) && ownership.members == 2)
        ownership.renew(claims([shards[0]: 1]), until: now + .seconds(3_600), members: 2)
        #expect(ownership.claims(at: now + .seconds(3_599)) == claims([shards[0]: 1]))
        #expect(ownership.claims(at: now + .seconds(3_600)) == claims([:]))
    }
}

/// What was owned each time that it was said to have changed.
private final class Rounds: Sendable {
    struct Round { var owned: Int, members: Int }

    private let said = Mutex<[Round]>([])

    var all: [Round] { said.withLock { $0 } }

    func note(_ ownership: Ownership) {
        let round = Round(owned: ownership.claims(at: .now).epochs.count, members: ownership.members)
        said.withLock { $0.append(round) }
    }
}
