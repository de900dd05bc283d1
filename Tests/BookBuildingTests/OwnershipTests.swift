import MarketStore
import Testing

@testable import BookBuilding

@Suite("What an instance owns", .timeLimit(.minutes(1)))
struct OwnershipTests {
    private let shards = (0..<4).map { Shard(rawValue: $0) }

    private func claims(_ epochs: [Shard: Int64]) -> LeaseClaims {
        LeaseClaims(service: "book-builder", instance: "a", epochs: epochs)
    }

    @Test("what is about to be given back is not owned from there on, and the rest is until the next round")
    func givingUp() {
        let ownership = Ownership(service: "book-builder", instance: "a")
        #expect(ownership.claims == claims([:]))
        ownership.renew(claims([shards[0]: 1, shards[1]: 7, shards[2]: 2]), until: nil)
        ownership.give(up: [shards[1], shards[3]])
        #expect(ownership.claims == claims([shards[0]: 1, shards[2]: 2]))
        #expect(ownership.violations == 0)
        // It was not given back after all, or won again.
        ownership.renew(claims([shards[0]: 1, shards[1]: 8]), until: nil)
        #expect(ownership.claims == claims([shards[0]: 1, shards[1]: 8]))
    }

    @Test("what PostgreSQL says is lost is lost only under the epoch that was refused")
    func losing() {
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(claims([shards[0]: 2, shards[1]: 7]), until: nil)
        ownership.lose(shards, claims([shards[0]: 1, shards[1]: 7]))
        #expect(ownership.claims == claims([shards[0]: 2]))
        #expect(ownership.violations == 1)
    }

    @Test("where others live a claim is over when its time is")
    func overdue() {
        let ownership = Ownership(service: "book-builder", instance: "a")
        ownership.renew(claims([shards[0]: 1]), until: .now - .nanoseconds(1), members: 2)
        #expect(ownership.claims == claims([:]) && ownership.members == 2)
        ownership.renew(claims([shards[0]: 1]), until: .now + .seconds(3_600), members: 2)
        #expect(ownership.claims == claims([shards[0]: 1]))
    }
}
