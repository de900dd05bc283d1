import Instruments
import MarketState
import Support
import Testing

@testable import MarketStore
@testable import Store

private struct Refusals: Statement {
    static let sql = "SELECT coalesce(sum(refused), 0)::bigint FROM market.lease"
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}

@Suite("Leases in PostgreSQL", .timeLimit(.minutes(10)))
struct LeaseStoreTests {
    private let shard = Shard(of: Market.bitcoin)

    /// All shards' owners, each of which must be one whose lease holds.
    private func owners(_ database: Database) async throws -> [Shard: String] {
        let leases = try await database.withSession { try $0.leases(of: Market.service) }
        return Dictionary(uniqueKeysWithValues: leases.map { ($0.shard, $0.owner ?? "nobody") })
    }

    /// Rounds of all of them until nothing changes any more.
    private func settle(_ names: [String], _ database: Database) async throws -> [String: LeaseClaims] {
        var claims: [String: LeaseClaims] = [:]
        for _ in 0..<3 {
            for name in names { claims[name] = try await database.tendLeases(Market.term(name)).claims }
        }
        return claims
    }

    @Test("three instances share all shards; each knows the others")
    func three() async throws {
        let (database, _) = try await Market.database()
        let names = ["a", "b", "c"]
        let claims = try await settle(names, database)
        #expect(try await owners(database) == Rendezvous.assignment(among: Set(names)))
        #expect(claims.values.map(\.epochs.count).reduce(0, +) == 256)
        let round = try await database.tendLeases(Market.term("b"))
        #expect(round.members == names)
        #expect(round.acquired.isEmpty && round.released.isEmpty)
        #expect(round.claims == claims["b"])
        await database.close()
    }

    @Test(
        "a dead instance's shards are owned elsewhere in the first round after its time, and only those move")
    func death() async throws {
        let (database, _) = try await Market.database()
        let before = try await settle(["a", "b", "c"], database)
        // Before its time is over nobody takes anything.
        for name in ["a", "b"] {
            #expect(try await database.tendLeases(Market.term(name)).acquired.isEmpty)
        }
        try await Market.expire("c", database)
        let dead = Set((before["c"]?.epochs ?? [:]).keys)
        var taken: Set<Shard> = []
        for name in ["a", "b"] {
            let round = try await database.tendLeases(Market.term(name))
            #expect(round.members.contains("c") == false && round.released.isEmpty)
            taken.formUnion(round.acquired)
            for (shard, epoch) in before[name]?.epochs ?? [:] { #expect(round.claims.epochs[shard] == epoch) }
            for shard in round.acquired {
                #expect(round.claims.epochs[shard] == (before["c"]?.epochs[shard] ?? 0) + 1)
            }
        }
        #expect(!dead.isEmpty && taken == dead)
        #expect(try await owners(database) == Rendezvous.assignment(among: ["a", "b"]))
        await database.close()
    }

    @Test("a short lease of a silent instance is over by the server's clock, without anybody's help")
    func shortLease() async throws {
        let (database, _) = try await Market.database()
        var silent = Market.term("silent")
        silent.duration = .milliseconds(20)
        #expect(try await database.tendLeases(silent).claims.epochs.count == 256)
        var owned = 0
        try await eventually {
            owned = try await database.tendLeases(Market.term("alive")).claims.epochs.count
            return owned == 256
        }
        #expect(owned == 256)
        await database.close()
    }

    @Test("who leaves is gone at once: the others have everything in their next round")
    func leaving() async throws {
        let (database, _) = try await Market.database()
        _ = try await settle(["a", "b"], database)
        var term = Market.term("a")
        term.isLeaving = true
        let last = try await database.tendLeases(term)
        #expect(last.claims.epochs.isEmpty && last.members == ["b"])
        #expect(try await database.tendLeases(Market.term("b")).claims.epochs.count == 256)
        await database.close()
    }

    @Test("what is to be given back is said while nobody else can have it")
    func givingBack() async throws {
        let (database, _) = try await Market.database()
        let held = try await settle(["a"], database)["a"]?.epochs ?? [:]
        #expect(try await database.tendLeases(Market.term("b")).acquired.isEmpty)
        let (round, said, owners) = try await database.transaction { session in
            var said: [Shard] = []
            var owners: Set<String?> = []
            let round = try session.tendLeases(Market.term("a")) { shards in
                said = shards
                let leases = (try? session.leases(of: Market.service)) ?? []
                owners = Set(leases.filter { shards.contains($0.shard) }.map(\.owner))
            }
            return (round, said, owners)
        }
        #expect(owners == ["a"])
        #expect(!said.isEmpty && said == round.released)
        #expect(Set(said).union(round.claims.epochs.keys) == Set(held.keys))
        #expect(try await database.tendLeases(Market.term("b")).acquired == said)
        await database.close()
    }

    @Test("a paused instance that wakes up cannot write, is refused as a whole, and is counted")
    func splitBrain() async throws {
        let (database, _) = try await Market.database()
        let paused = try await Market.owner(database, "paused")
        let candle = Market.candle(.minute, at: Market.midnight, 1)
        _ = try await database.store(Market.batch([candle]), under: paused)
        try await Market.expire("paused", database)
        let late = Market.candle(.minute, at: Market.midnight, 2)
        // Over, and nobody has it yet.
        let over = await storeError { try await database.store(Market.batch([late]), under: paused) }
        #expect(over?.bodyError as? MarketStoreError == .leaseLost([shard]))
        let next = try await Market.owner(database, "next")
        var wide = Market.batch([late])
        wide.append(late, of: Market.perpetual)
        // Taken.
        let taken = await storeError { [wide] in try await database.store(wide, under: paused) }
        #expect(
            taken?.bodyError as? MarketStoreError
                == .leaseLost([shard, Shard(of: Market.perpetual)].sorted()))
        #expect(try await Market.all(.minute, in: database) == [candle])
        #expect(try await Market.all(.minute, of: Market.perpetual, in: database).isEmpty)
        // It was refused: its own rounds tell it that it has nothing, and the new owner writes.
        #expect(try await database.store(Market.batch([late]), under: next).written == 1)
        #expect(try await database.first(Refusals()) == 3)
        let awake = try await database.tendLeases(Market.term("paused"))
        #expect(awake.claims.epochs.isEmpty)
        await database.close()
    }

    @Test("one instrument whose lease is lost takes the whole batch back; a claim nobody made is none")
    func whole() async throws {
        let (database, _) = try await Market.database()
        var claims = try await Market.owner(database)
        claims.epochs[Shard(of: Market.perpetual)] = nil
        var batch = Market.batch([Market.candle(.minute, at: Market.midnight)])
        batch.append(Market.candle(.minute, at: Market.midnight), of: Market.perpetual)
        let error = await storeError { [batch, claims] in try await database.store(batch, under: claims) }
        #expect(error?.bodyError as? MarketStoreError == .leaseLost([Shard(of: Market.perpetual)]))
        #expect(try await Market.all(.minute, in: database).isEmpty)
        let forged = LeaseClaims(service: Market.service, instance: "forger", epochs: claims.epochs)
        let other = await storeError {
            try await database.store(
                Market.batch([Market.candle(.minute, at: Market.midnight)]), under: forged)
        }
        #expect(other?.bodyError as? MarketStoreError == .leaseLost([shard]))
        await database.close()
    }

    @Test("a lease does not change hands while a write under it goes on, even when its time is over")
    func underWay() async throws {
        let (database, _) = try await Market.database()
        let claims = try await Market.owner(database, "slow")
        let gate = Gate()
        let begun = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await database.fenced(claims) { session in
                    let batch = Market.batch([Market.candle(.minute, at: Market.midnight, 1)])
                    _ = try session.store(batch, under: claims)
                    begun.open()
                    gate.wait()
                }
            }
            group.addTask {
                begun.wait()
                // A renewal goes through: it does not wait for the write.
                #expect(try await database.tendLeases(Market.term("slow")).claims == claims)
                try await Market.expire("slow", database)
                let round = try await database.tendLeases(Market.term("next"))
                #expect(round.acquired.count == 255)
                #expect(!round.acquired.contains(shard))
                gate.open()
            }
            try await group.waitForAll()
        }
        let claimed = try await database.tendLeases(Market.term("next"))
        #expect(claimed.acquired == [shard])
        #expect(try await Market.all(.minute, in: database).count == 1)
        await database.close()
    }

    @Test("services do not meet: each has leases of its own")
    func services() async throws {
        let (database, _) = try await Market.database()
        _ = try await Market.owner(database, "a")
        let other = try await database.tendLeases(LeaseTerm(service: "alert-evaluator", instance: "x"))
        #expect(other.claims.epochs.count == 256 && other.members == ["x"])
        #expect(
            try await database.withSession { try $0.members(of: Market.service) }.map(\.instance) == ["a"])
        await database.close()
    }
}
