import Instruments
import Support
import Testing

@testable import MarketStore

/// N instances that share venues, each with a clock of its own, pauses and deaths; no PostgreSQL.
@Suite("Shares of venues")
struct VenueSharesTests {
    private func shards(_ range: Range<UInt8>) -> Set<Shard> { Set(range.map { Shard(rawValue: $0) }) }

    private func loads(_ owners: [Shard: String], _ weights: [Shard: Int]) -> [String: Int] {
        owners.reduce(into: [:]) { $0[$1.value, default: 0] += weights[$1.key] ?? 0 }
    }

    @Test("equal venues are divided evenly, and a newcomer takes no more than its share")
    func even() {
        let all = shards(0..<6)
        let weights = Dictionary(uniqueKeysWithValues: all.map { ($0, 1) })
        let alone = VenueShares(weights: weights, able: ["a": all], held: [:]).assignment
        #expect(Set(alone.values) == ["a"] && alone.count == 6)
        let two = VenueShares(weights: weights, able: ["a": all, "b": all], held: alone).assignment
        #expect(loads(two, weights) == ["a": 3, "b": 3])
        // Nothing goes from one that stays to another that stays.
        let three = VenueShares(weights: weights, able: ["a": all, "b": all, "c": all], held: two).assignment
        #expect(loads(three, weights) == ["a": 2, "b": 2, "c": 2])
        #expect(three.allSatisfy { $0.value == "c" || two[$0.key] == $0.value })
    }

    @Test("a venue of many instruments weighs more; what nobody here can take is nobody's")
    func weighted() {
        let all = shards(0..<4)
        let weights: [Shard: Int] = [
            Shard(rawValue: 0): 300, Shard(rawValue: 1): 100, Shard(rawValue: 2): 100,
            Shard(rawValue: 3): 100,
        ]
        let owners = VenueShares(weights: weights, able: ["a": all, "b": all], held: [:]).assignment
        #expect(loads(owners, weights) == ["a": 300, "b": 300])
        let able = ["a": shards(0..<1), "b": shards(0..<3)]
        let bounded = VenueShares(weights: weights, able: able, held: [:]).assignment
        #expect(bounded[Shard(rawValue: 0)] == "a" && bounded[Shard(rawValue: 3)] == nil)
        #expect(bounded[Shard(rawValue: 1)] == "b" && bounded[Shard(rawValue: 2)] == "b")
    }

    @Test("a few instruments more move nothing")
    func steady() {
        let all = shards(0..<2)
        let held = [Shard(rawValue: 0): "a", Shard(rawValue: 1): "b"]
        property { random in
            let weights = Dictionary(uniqueKeysWithValues: all.sorted().map { ($0, random.int(1...500)) })
            let able = ["a": all, "b": all]
            try #require(VenueShares(weights: weights, able: able, held: held).assignment == held)
        }
    }

    @Test("no venue has two holders at once; in the end each has one, evenly, whatever died or stood still")
    func model() {
        property(cases: 60, pastFailures: [977]) { random in
            var world = SharingWorld(&random)
            for _ in 0..<random.int(50...250) { try world.step(&random, isCalm: false) }
            // Longer than anybody sleeps and some leases, without trouble.
            for _ in 0..<1_000 { try world.step(&random, isCalm: true) }
            try world.requireSettled()
        }
    }
}
