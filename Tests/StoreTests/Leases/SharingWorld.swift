import Instruments
import Support
import Testing

@testable import MarketStore

/// PostgreSQL as far as leases go, and the instances that share venues by it.
///
/// Time is in milliseconds: that of PostgreSQL is the world's own. Each instance counts by a clock that began
/// elsewhere; what is the same for all is only how fast they run.
struct SharingWorld {
    private static let lease = 6_000
    private static let quiet = 200

    private struct Instance {
        let name: String
        /// By how much its clock is ahead of PostgreSQL's.
        let ahead: Int
        var able: Set<Shard>
        /// Stands still until then, by the world's time.
        var asleepUntil = 0
        var nextRound = 0
        var isDead = false
        /// What it may speak of, until when by its own clock.
        var claims: [Shard: Int64] = [:]
        var until = 0
        var isAlone = false
        /// A round found PostgreSQL away, and none has come through since.
        var hasMissed = false
        /// What it has won, and from when on it may speak of it.
        var won: (claims: [Shard: Int64], at: Int, until: Int)?
        /// What it follows.
        var running: [Shard: Int64] = [:]
        var leaving: Set<Shard> = []
    }

    private let shards: [Shard]
    private var weights: [Shard: Int] = [:]
    private var now = 1_000_000
    private var isAway = false
    private var leases: [Shard: Lease]
    private var members: [String: Member] = [:]
    private var instances: [Instance] = []
    private var born = 0

    init(_ random: inout SeededGenerator) {
        shards = (0..<UInt8(random.int(1...8))).map { Shard(rawValue: $0) }
        leases = [:]
        for shard in shards {
            weights[shard] = random.int(1...50)
            leases[shard] = Lease(shard: shard, owner: nil, epoch: 0, expires: .zero)
        }
        for _ in 0..<random.int(1...4) { join(&random) }
    }

    private mutating func join(_ random: inout SeededGenerator) {
        born += 1
        instances.append(
            Instance(
                name: "i\(born)", ahead: random.int(0...100_000_000), able: Set(shards), nextRound: now))
    }

    /// A twentieth of a second: who is awake looks at its clock, and tends its leases if it is time.
    mutating func step(_ random: inout SeededGenerator, isCalm: Bool) throws {
        now += 50
        if isCalm {
            isAway = false
        } else {
            if random.chance(3) { join(&random) }
            if random.chance(3), let victim = instances.indices.randomElement(using: &random) {
                instances[victim].isDead = true
            }
            if random.chance(4), let sleeper = instances.indices.randomElement(using: &random) {
                instances[sleeper].asleepUntil = now + random.int(0...20_000)
            }
            if random.chance(2) { isAway.toggle() }
            // Time without anything, so that leases do end.
            if random.chance(10) { now += random.int(0...3_000) }
        }
        if instances.allSatisfy(\.isDead) { join(&random) }
        for index in instances.indices.shuffled(using: &random) where isAwake(index) { act(index) }
        try requireOneHolder()
    }

    private func isAwake(_ index: Int) -> Bool {
        !instances[index].isDead && instances[index].asleepUntil <= now
    }

    private mutating func act(_ index: Int) {
        let clock = now + instances[index].ahead
        if let won = instances[index].won, won.at <= clock {
            instances[index].claims = won.claims
            instances[index].until = won.until
            instances[index].won = nil
        }
        // What `Ownership.goOn` does.
        let left = instances[index].until - clock
        if instances[index].isAlone, left > 0, left < Self.lease / 8 {
            instances[index].until = clock + Self.lease
        }
        if instances[index].nextRound <= now, instances[index].won == nil {
            tend(index, clock)
            instances[index].nextRound = now + (isAway ? 250 : Self.lease / 4)
        }
        // What is followed is what is held, under the very epoch; what is leaving has been ended.
        let instance = instances[index]
        let held = instance.until > clock ? instance.claims : [:]
        instances[index].running = held.filter { !instance.leaving.contains($0.key) }
    }

    private mutating func tend(_ index: Int, _ clock: Int) {
        instances[index].hasMissed = isAway
        guard !isAway else { return }
        let name = instances[index].name
        let time = Timestamp(nanoseconds: Int64(now))
        let end = Timestamp(nanoseconds: Int64(now + Self.lease))
        members[name] = Member(instance: name, expires: end)
        let able = Dictionary(uniqueKeysWithValues: instances.map { ($0.name, $0.able) })
        var plan = LeasePlan(
            for: name, members: members.values.sorted { $0.instance < $1.instance }, weights: weights,
            able: { able[$0.instance] ?? [] }, leases: shards.compactMap { leases[$0] }, now: time)
        let done = Set(shards).subtracting(instances[index].running.keys)
        let kept = plan.keep(except: done)
        for shard in plan.release.keys { leases[shard]?.owner = nil }
        var claims: [Shard: Int64] = [:]
        for shard in plan.renew.keys {
            leases[shard]?.expires = end
            claims[shard] = leases[shard]?.epoch
        }
        for shard in plan.acquire {
            let epoch = (leases[shard]?.epoch ?? 0) + 1
            leases[shard] = Lease(shard: shard, owner: name, epoch: epoch, expires: end)
            claims[shard] = epoch
        }
        instances[index].leaving = Set(kept)
        instances[index].isAlone = members.values.allSatisfy { $0.instance == name || $0.expires <= time }
        // What was given back or lost it is silent about from there on.
        instances[index].claims = instances[index].claims.filter { claims[$0.key] == $0.value }
        if plan.acquire.isEmpty {
            instances[index].claims = claims
            instances[index].until = clock + Self.lease
        } else {
            instances[index].won = (claims, clock + Self.quiet, clock + Self.lease)
        }
    }

    /// Whether an instance speaks of a shard now: what it follows, as long as its own clock allows it, also
    /// where it sleeps, since it may wake at any time.
    private func speaks(_ instance: Instance, of shard: Shard) -> Bool {
        guard !instance.isDead, let epoch = instance.running[shard] else { return false }
        return instance.claims[shard] == epoch && instance.until > now + instance.ahead
    }

    /// Never two at once, but for one case: who was alone and goes on without PostgreSQL learns that somebody
    /// came in the first round after it is there again; to whoever listens its life is past by then.
    private func requireOneHolder() throws {
        for shard in shards {
            let speakers = instances.filter { speaks($0, of: shard) }
            guard speakers.count > 1 else { continue }
            let current = speakers.filter { $0.running[shard] == leases[shard]?.epoch }
            let past = speakers.filter { $0.running[shard] != leases[shard]?.epoch }
            try #require(
                current.count <= 1 && past.allSatisfy { $0.isAlone && $0.hasMissed },
                "\(shard) has \(speakers.map(\.name))")
        }
    }

    /// Each venue has one holder, and no load could be made a tenth smaller by a move.
    func requireSettled() throws {
        let alive = instances.filter { !$0.isDead && $0.asleepUntil <= now }
        var loads = Dictionary(uniqueKeysWithValues: alive.map { ($0.name, 0) })
        var owners: [Shard: String] = [:]
        for shard in shards {
            let speakers = instances.filter { speaks($0, of: shard) }
            try #require(speakers.count == 1, "\(shard) has \(speakers.map(\.name)) of \(alive.map(\.name))")
            owners[shard] = speakers[0].name
            loads[speakers[0].name, default: 0] += weights[shard] ?? 0
        }
        guard let least = loads.min(by: { $0.value < $1.value }) else { return }
        for (shard, owner) in owners.sorted(by: { $0.key < $1.key }) where owner != least.key {
            let (load, weight) = (loads[owner] ?? 0, weights[shard] ?? 0)
            try #require(max(load - weight, least.value + weight) * 10 > load * 9, "\(loads) \(owners)")
        }
    }
}
