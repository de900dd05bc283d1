import Glibc
import Instruments
import MarketData
import MarketStore
import Support
import Testing

@testable import Store

@Suite("Outage", .timeLimit(.minutes(10)))
struct OutageTests {
    /// Stops the server as a crash would: no shutdown checkpoint, every connection cut.
    private func crash(_ cluster: PrivateCluster) async throws {
        let data = try #require(cluster.location?.dataDirectory)
        let postmaster = try #require(Postmaster.running(in: data))
        kill(postmaster.processID, SIGQUIT)
        // Reports that nothing runs any more, and gives the directory back.
        try await cluster.stop()
    }

    @Test(
        "PostgreSQL crashes and comes back under load: every batch is stored once, by repeating what failed")
    func underLoad() async throws {
        let cluster = PrivateCluster(
            directory: try TestDatabase.temporaryDirectory() + "/data", settings: .durable)
        let configuration = try await cluster.start()
        try await MarketSchema.migrator.migrate(configuration, logger: TestDatabase.logger)
        let database = Database.test(configuration, connections: 4)
        try await database.store(Market.instruments, at: .zero)

        let writers = 4
        let batches = 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask { try await store(database, writer: writer, batches: batches) }
            }
            for round in 1...3 {
                let goal = writers * batches * round / 5
                try await eventually { try await stored(database) >= goal * 10 }
                try await crash(cluster)
                _ = try await cluster.start()
            }
            try await group.waitForAll()
        }

        #expect(
            try await database.withSession { try $0.tradeCounts() }.map(\.count) == [writers * batches * 10])
        let ids = try await database.recentTrades(of: Market.bitcoin, limit: 10_000).map(\.id)
        #expect(Set(ids).count == writers * batches * 10)
        #expect(database.statistics.connectionsLost > 0)
        await database.close()
        try await cluster.stop()
    }

    /// Stores batches as feed-ingestor does: whatever the error, the same batch again while it says so.
    private func store(_ database: Database, writer: Int, batches: Int) async throws {
        for number in 0..<batches {
            let first = (writer * batches + number) * 10
            let batch = Market.batch((first..<first + 10).map { Market.trade($0) })
            while true {
                do throws(StoreError) {
                    _ = try await database.insert(batch)
                    break
                } catch {
                    guard case .retry = error.disposition else { throw error }
                    await Task.yield()
                }
            }
        }
    }

    private func stored(_ database: Database) async throws -> Int {
        do throws(StoreError) {
            return try await database.withSession { try $0.tradeCounts() }.map(\.count).first ?? 0
        } catch {
            guard case .retry = error.disposition else { throw error }
            return 0
        }
    }
}
