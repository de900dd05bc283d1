import AccountStore
import Instruments
import Portfolio
import Store
import Support
import Testing

@testable import PortfolioStore

@Suite("Portfolios that were deleted", .timeLimit(.minutes(10)))
struct DeletedPortfolioTests {
    private static let tables = ["portfolio", "wallet", "change", "revision", "balance", "asset_use"]

    private static func delete(_ id: PortfolioID, in database: Database) async throws {
        try await database.transaction { session in
            try session.deletePortfolio(id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
    }

    private static func age(_ database: Database, days: Int64) async throws {
        try await database.execute(
            """
            UPDATE portfolio.portfolio
            SET deleted_at = clock_timestamp() - \(days)::bigint * interval '1 day'
            WHERE deleted_at IS NOT NULL
            """)
    }

    /// How many rows each table has.
    private static func counts(_ database: Database) async throws -> [Int64] {
        var counts: [Int64] = []
        for table in tables {
            let query: Query =
                switch table {
                case "portfolio": "SELECT count(*) FROM portfolio.portfolio"
                case "wallet": "SELECT count(*) FROM portfolio.wallet"
                case "change": "SELECT count(*) FROM portfolio.change"
                case "revision": "SELECT count(*) FROM portfolio.revision"
                case "balance": "SELECT count(*) FROM portfolio.balance"
                default: "SELECT count(*) FROM portfolio.asset_use"
                }
            counts.append(try await database.first(query) { try $0.int64() } ?? -1)
        }
        return counts
    }

    @Test("are removed with everything in them a week after, in parts, and no other is")
    func swept() async throws {
        let database = try await PortfolioFixture.database()
        let kept = try await database.make(1)
        _ = try await database.add([PortfolioFixture.row(.deposit, "1", hour: 1)], to: kept)
        let before = try await Self.counts(database)
        let gone = try await database.make(2)
        for hour in Int64(1)...5 {
            _ = try await database.add([PortfolioFixture.row(.deposit, "1", hour: hour)], to: gone)
        }
        _ = try await database.importFile(
            [PortfolioFixture.row(.deposit, "2", hour: 9)], to: gone,
            skipped: [ImportedFile.Line(7, "no amount")])
        try await Self.delete(gone, in: database)
        try await Self.age(database, days: 6)
        #expect(try await database.sweepPortfolios(limit: 2) == 0)
        try await Self.age(database, days: 8)
        // Of six revisions and changes two go at once.
        #expect(try await database.sweepPortfolios(limit: 2, parts: 2) == 0)
        #expect(try await database.sweepPortfolios(limit: 2) == 1)
        #expect(try await Self.counts(database) == before)
        #expect(try await database.imports(of: gone).isEmpty)
        #expect(try await database.ledger(kept).count == 1)
        await database.close()
    }

    @Test("are bounded: who has four times as many as one may have makes no other")
    func churn() async throws {
        let database = try await PortfolioFixture.database()
        func make(_ number: UInt64) async throws {
            try await database.transaction { session in
                var limits = PortfolioLimits()
                limits.portfolios = 1
                _ = try session.createPortfolio(
                    PortfolioFixture.id(number), named: "p", base: PortfolioFixture.usd,
                    of: PortfolioFixture.user, limits: limits, at: PortfolioFixture.now)
                try session.deletePortfolio(
                    PortfolioFixture.id(number), of: PortfolioFixture.user, at: PortfolioFixture.now)
            }
        }
        for number in UInt64(1)...5 { try await make(number) }
        let refused = await refusal { try await make(6) }
        #expect(
            refused?.description == """
                field "deleted portfolios" is 5: accepted are at most 4; each is removed some days after its \
                deletion
                """)
        try await Self.age(database, days: 8)
        #expect(try await database.sweepPortfolios() == 5)
        try await make(6)
        await database.close()
    }

    @Test("lose their revisions alone: of others none can be deleted")
    func revisions() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([PortfolioFixture.row(.deposit, "1", hour: 1)], to: id)
        await #expect(throws: StoreError.self) {
            try await database.execute("DELETE FROM portfolio.revision")
        }
        try await Self.delete(id, in: database)
        #expect(try await database.execute("DELETE FROM portfolio.revision") == 1)
        await database.close()
    }
}
