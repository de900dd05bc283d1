import Instruments
import MarketData
import MarketState
import Support
import Testing

@testable import MarketStore
@testable import Store

@Suite("Partition sweep", .timeLimit(.minutes(10)))
struct SweepTests {
    private static let old = Market.midnight - 1_000 * Market.day

    private func names(_ database: Database, _ kind: PartitionKind) async throws -> [String] {
        try await database.withSession { try $0.partitions() }.filter { $0.kind == kind }.map(\.name)
    }

    /// A trade a day of `days` days up to midnight, on the live venue.
    private func fill(_ database: Database, days: Int64) async throws {
        let trades = (0..<days).map { Market.trade(Int($0), at: Market.midnight - $0 * Market.day) }
        _ = try await database.insert(Market.batch(trades))
    }

    @Test("makes what comes, drops what is over, says so, and the second time does nothing")
    func twice() async throws {
        let (database, _) = try await Market.database()
        try await fill(database, days: 12)
        let seconds = (0..<6).map { Market.candle(.second, at: Market.midnight - $0 * Market.day) }
        _ = try await database.fill(Market.batch(seconds))
        let first = try await database.sweepPartitions(.standard)
        #expect(first.map(\.kind) == PartitionKind.all)
        #expect(first[0].created == 3)
        #expect(
            first[0].dropped == ["20210711", "20210712", "20210713", "20210714"].map { "trade_" + $0 })
        #expect(first[1].dropped == ["20210717", "20210718", "20210719"].map { "candle_1s_" + $0 })
        #expect(first.dropFirst(2).allSatisfy { $0.created == 0 && $0.dropped.isEmpty })
        #expect(try await names(database, .trades).count == 11)
        #expect(try await database.recentTrades(of: Market.bitcoin, limit: 100).count == 8)
        let second = try await database.sweepPartitions(.standard)
        #expect(second == PartitionKind.all.map { PartitionSweep(kind: $0) })
        await database.close()
    }

    @Test("the replay of a session of years ago is kept beside live data, and its trades can come late")
    func replay() async throws {
        let (database, _) = try await Market.database()
        try await fill(database, days: 2)
        let replayed = (0..<20).map { Market.trade(Int($0), at: Self.old - $0 * Market.day) }
        _ = try await database.insert(Market.batch(replayed, of: Market.perpetual))
        let sweep = try await database.sweepPartitions(.standard)
        #expect(sweep[0].created == 6 && sweep[0].dropped.count == 12)
        #expect(try await database.recentTrades(of: Market.perpetual, limit: 100).count == 8)
        #expect(try await database.recentTrades(of: Market.bitcoin, limit: 100).count == 2)
        // A trade of a day that is gone makes its day again, until the next sweep.
        let late = Market.batch([Market.trade(900, at: Self.old - 15 * Market.day)], of: Market.perpetual)
        #expect(try await database.insert(late).map(\.inserted) == [1])
        #expect(try await database.sweepPartitions(.standard)[0].dropped.count == 1)
        await database.close()
    }

    @Test("a row forty days ahead of the server's clock is no venue's newest data, and drops nothing")
    func clockJump() async throws {
        let (database, _) = try await Market.database()
        try await fill(database, days: 5)
        let clock = try await database.withSession { try $0.clock() }
        let jump = Market.trade(1_000, at: clock.nanoseconds + 40 * Market.day)
        _ = try await database.insert(Market.batch([jump]))
        let sweep = try await database.sweepPartitions(.standard)
        #expect(sweep[0].dropped.isEmpty)
        #expect(try await database.recentTrades(of: Market.bitcoin, limit: 100).count == 6)
        await database.close()
    }

    @Test("several programs at once do the work once, and nobody fails")
    func together() async throws {
        let (database, _) = try await Market.database(connections: 8)
        try await fill(database, days: 30)
        let sweeps = try await withThrowingTaskGroup(of: [PartitionSweep].self) { group in
            for _ in 0..<8 { group.addTask { try await database.sweepPartitions(.standard) } }
            var all: [PartitionSweep] = []
            for try await sweeps in group { all += sweeps }
            return all
        }
        let dropped = sweeps.flatMap(\.dropped)
        #expect(dropped.count == Set(dropped).count)
        // Whoever found another at it left; one more round does what is left.
        _ = try await database.sweepPartitions(.standard)
        #expect(try await names(database, .trades).count == 11)
        await database.close()
    }

    @Test("a partition that somebody reads is left for the next sweep; readers and writers go on meanwhile")
    func busy() async throws {
        let (database, _) = try await Market.database()
        try await fill(database, days: 9)
        let read = Gate()
        let done = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await database.transaction { session in
                    try session.script("LOCK TABLE market.trade_20210714 IN ACCESS SHARE MODE")
                    read.open()
                    done.wait()
                }
            }
            group.addTask {
                read.wait()
                let sweep = try await database.sweepPartitions(.standard)
                #expect(sweep[0].busy == ["trade_20210714"] && sweep[0].dropped.isEmpty)
                _ = try await database.insert(Market.batch([Market.trade(500)]))
                done.open()
            }
            try await group.waitForAll()
        }
        #expect(try await database.sweepPartitions(.standard)[0].dropped == ["trade_20210714"])
        await database.close()
    }

    @Test("what a replay writes between the look and the drop is seen by the second look")
    func secondLook() async throws {
        let (database, _) = try await Market.database()
        try await fill(database, days: 9)
        // The plan is made, and then an old session begins on another venue, in the day that is over.
        let over = try await database.withSession { try $0.partitions() }.filter {
            $0.name == "trade_20210714"
        }
        let begun = Market.batch(
            [Market.trade(1, at: Market.midnight - 8 * Market.day)], of: Market.perpetual)
        _ = try await database.insert(begun)
        let dropped = try await database.transaction { session in
            try session.drop(over, .trades, .standard)
        }
        #expect(over.count == 1 && dropped.isEmpty)
        #expect(try await database.recentTrades(of: Market.perpetual, limit: 9).count == 1)
        await database.close()
    }
}
