import Instruments
import Support
import Testing

@testable import MarketStore

@Suite("Lease plan")
struct LeasePlanTests {
    private let now = Timestamp(nanoseconds: 1_000)
    private let later = Timestamp(nanoseconds: 1_001)

    private func member(_ name: String, alive: Bool = true) -> Member {
        Member(instance: name, expires: alive ? later : now)
    }

    /// One lease of each shard.
    private func leases(_ owner: (Shard) -> String?, expires: Timestamp, epoch: Int64 = 3) -> [Lease] {
        Shard.all.map { Lease(shard: $0, owner: owner($0), epoch: epoch, expires: expires) }
    }

    @Test("alone it takes everything that is free, also what a dead instance held")
    func alone() {
        for owner in [nil, "dead"] {
            let plan = LeasePlan(
                for: "a", members: [member("dead", alive: false)],
                leases: leases({ _ in owner }, expires: now),
                now: now)
            #expect(plan.acquire == Shard.all)
            #expect(plan.renew.isEmpty && plan.release.isEmpty)
        }
    }

    @Test("what a dead instance holds is waited for until its time is over")
    func waiting() {
        let plan = LeasePlan(
            for: "a", members: [member("a"), member("dead", alive: false)],
            leases: leases({ _ in "dead" }, expires: later), now: now)
        #expect(plan.acquire.isEmpty && plan.renew.isEmpty && plan.release.isEmpty)
    }

    @Test("what it holds and should own is kept with its epoch; the rest goes back when somebody came")
    func newcomer() {
        let all = leases({ _ in "a" }, expires: later)
        let alone = LeasePlan(for: "a", members: [member("a")], leases: all, now: now)
        #expect(alone.renew.count == 256 && alone.renew.values.allSatisfy { $0 == 3 })
        let two = [member("a"), member("b")]
        let sharing = LeasePlan(for: "a", members: two, leases: all, now: now)
        #expect(sharing.renew.count + sharing.release.count == 256)
        #expect((90...166).contains(sharing.release.count))
        let other = LeasePlan(for: "b", members: two, leases: all, now: now)
        #expect(other.acquire.isEmpty && other.renew.isEmpty && other.release.isEmpty)
        let given = leases({ sharing.release[$0] == nil ? "a" : nil }, expires: later)
        let taking = LeasePlan(for: "b", members: two, leases: given, now: now)
        #expect(taking.acquire == sharing.release.keys.sorted())
    }

    @Test("its own lease that is over is taken again, since somebody may have had it")
    func late() {
        let plan = LeasePlan(
            for: "a", members: [member("a", alive: false)], leases: leases({ _ in "a" }, expires: now),
            now: now)
        #expect(plan.acquire == Shard.all && plan.renew.isEmpty)
    }

    @Test("who leaves gives everything back and takes nothing")
    func leaving() {
        let half = leases({ $0.rawValue < 128 ? "a" : nil }, expires: later)
        let plan = LeasePlan(for: "a", members: [member("a")], leases: half, now: now, isLeaving: true)
        #expect(plan.release.count == 128)
        #expect(plan.acquire.isEmpty && plan.renew.isEmpty)
    }

    /// The table of leases, and instances that act on it one after the other in any order.
    @Test("whatever order they act in, soon every shard is held by the one it belongs to, and by one only")
    func settles() {
        property { random in
            let names = (0..<random.int(1...5)).map { "i\($0)" }
            var members = names.map { member($0, alive: random.chance(70)) }
            members[0] = member(names[0])
            let alive = members.filter { $0.expires > now }.map(\.instance)
            var table = Shard.all.map { shard in
                Lease(
                    shard: shard, owner: random.chance(80) ? random.pick(names) : nil, epoch: 1,
                    expires: random.chance(50) ? now : later)
            }
            // What a dead one holds ends some time.
            for index in table.indices where !alive.contains(table[index].owner ?? "") {
                table[index].expires = now
            }
            for _ in 0..<2 {
                for name in alive.shuffled(using: &random) {
                    let plan = LeasePlan(for: name, members: members, leases: table, now: now)
                    random.note("\(name) \(plan.acquire) \(plan.renew.sorted { $0.key < $1.key })")
                    random.note("\(plan.release.sorted { $0.key < $1.key })")
                    for shard in plan.release.keys { table[Int(shard.rawValue)].owner = nil }
                    for shard in plan.acquire {
                        let index = Int(shard.rawValue)
                        try #require(table[index].isFree(at: now))
                        table[index].owner = name
                        table[index].epoch += 1
                        table[index].expires = later
                    }
                }
            }
            let owners = Rendezvous.assignment(among: Set(alive))
            for lease in table {
                try #require(lease.owner == owners[lease.shard] && !lease.isFree(at: now))
            }
        }
    }
}
