import Instruments
import MarketData
import MarketState
import Support
import Testing

@testable import MarketStore
@testable import Store

@Suite("Database report, assets and trending", .timeLimit(.minutes(10)))
struct ReportTests {
    @Test("says per kind how many partitions there are, from when to when, and how long they are kept")
    func tables() async throws {
        let (database, _) = try await Market.database()
        _ = try await database.insert(Market.batch([Market.trade(1)]))
        let claims = try await Market.owner(database)
        let minute = Market.candle(.minute, at: Market.midnight - 60 * Market.second)
        _ = try await database.store(Market.batch([minute]), under: claims)
        let before = try await database.report()
        #expect(before.tables.prefix(2).map(\.name) == ["trade", "candle 1m"])
        #expect(before.tables.prefix(2).map(\.partitions) == [1, 1])
        #expect(before.tables[0].from == Market.time(Market.midnight))
        #expect(before.tables[0].to == Market.time(Market.midnight + Market.day))
        #expect(before.tables.allSatisfy { $0.swept == nil && $0.bytes > 0 })
        #expect(before.tables.map(\.name).contains("book_snapshot"))
        _ = try await database.sweepPartitions(.standard)
        let after = try await database.report()
        #expect(after.tables[0].partitions == 4)
        #expect(after.tables[0].keep == 7 * Market.day)
        #expect(after.tables[0].swept != nil && after.bytes > 1_000_000)
        let feed = try #require(after.feeds.first)
        #expect(after.feeds.count == 1 && feed.venue == .kraken)
        #expect(feed.trade == Market.time(Market.midnight))
        #expect(feed.received == Market.time(Market.midnight + 5))
        #expect(feed.candle == minute.closeTime && feed.written != nil)
        #expect(feed.lag == 60 * Market.second - 5)
        #expect(
            after.sharing == [
                DatabaseReport.Sharing(service: Market.service, members: 1, held: 256, refused: 0)
            ])
        await database.close()
    }

    @Test("of an empty schema there is a report, too")
    func empty() async throws {
        let database = Database.test(try await TestDatabase.market())
        let report = try await database.report()
        #expect(report.feeds.isEmpty && report.sharing.isEmpty)
        #expect(report.tables.allSatisfy { $0.partitions == nil })
        await database.close()
    }

    @Test("assets come back by rank, and a later word replaces an earlier one")
    func assets() async throws {
        let (database, _) = try await Market.database()
        let bitcoin = AssetRow(
            asset: Asset(rawValue: "BTC"), name: "Bitcoin", providerID: "bitcoin",
            categories: ["Layer 1", "Money, \"hard\""], rank: 1)
        let nobody = AssetRow(
            asset: Asset(rawValue: "AAA"), name: "Å", providerID: "a", categories: [], rank: nil)
        let first = Market.time(1_000)
        try await database.transaction { session in try session.store([nobody, bitcoin], at: first) }
        var renamed = bitcoin
        renamed.name = "Bitcoin Core"
        try await database.transaction { [renamed] session in
            try session.store([renamed], at: Market.time(2_000))
        }
        let found = try await database.assets()
        #expect(found.map(\.asset) == [renamed, nobody])
        #expect(found.map(\.time) == [Market.time(2_000), first])
        await database.close()
    }

    @Test("the newest hour's scores come highest first with their parts; unknown instruments are left out")
    func trending() async throws {
        let (database, _) = try await Market.database()
        func row(_ id: InstrumentID, _ score: String) throws -> TrendingRow {
            let number = try Market.number(score)
            return TrendingRow(
                instrument: id, score: number, volumeScore: number, priceScore: try Market.number("0.1"),
                volume: try Market.number("12.5"), usualVolume: try Market.number("3"),
                priceChange: try Market.number("-0.05"))
        }
        let hour = Market.time(Market.midnight)
        let next = Market.time(Market.midnight + 3_600 * Market.second)
        let unknown = InstrumentID(venue: .kraken, symbol: "NO/NE")
        try await database.store([try row(Market.bitcoin, "99")], of: hour)
        let rows = [try row(Market.bitcoin, "1.5"), try row(Market.perpetual, "2"), try row(unknown, "7")]
        #expect(try await database.store(rows, of: next) == 2)
        let better = [try row(Market.bitcoin, "3")]
        try await database.store(better, of: next)
        let found = try await database.trending(limit: 10)
        #expect(found.map(\.row) == [better[0], rows[1]])
        #expect(found.allSatisfy { $0.hour == next })
        #expect(try await database.trending(limit: 1).count == 1)
        await database.close()
    }
}
