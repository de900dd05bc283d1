import Portfolio
import AccountStore
import Store
import Support
import Testing

@testable import PortfolioStore

@Suite("Own portfolios", .timeLimit(.minutes(10)))
struct OwnRowsTests {
    @Test("row-level security is forced on every table")
    func complete() async throws {
        let database = try await PortfolioFixture.database()
        #expect(
            try await database.rows(OpenTables(schema: "portfolio")) == ["portfolio.schema_migration"])
    }

    @Test("who acts for a user stores the same rows without COPY, skipped lines too")
    func limited() async throws {
        let database = try await PortfolioFixture.database()
        let (own, other) = (try await database.make(1), try await database.make(2))
        let rows = [
            try PortfolioFixture.row(.deposit, "1000", "USD", hour: 1),
            try PortfolioFixture.row(.buy, "2", for: "400", hour: 2, id: "b1"),
        ]
        let file = ImportedFile(
            source: "a.csv", format: "csv", rows: rows, lines: [2, 3], skipped: [.init(4, "empty")])
        let limited = try await database.transaction(as: PortfolioFixture.user) { session in
            try session.importTransactions(file, to: own, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        var free = try await database.importFile(rows, to: other, skipped: [.init(4, "empty")])
        // The first one has made it known to the second.
        #expect(limited.unknownAssets == [PortfolioFixture.bitcoin] && free.unknownAssets.isEmpty)
        free.unknownAssets = limited.unknownAssets
        #expect(limited == free)
        #expect(try await database.ledger(own) == database.ledger(other))
        #expect(try await database.importLines(of: 1, in: own) == database.importLines(of: 1, in: other))
    }
}
