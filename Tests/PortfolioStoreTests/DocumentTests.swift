import Foundation
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Documents of a portfolio", .timeLimit(.minutes(10)))
struct DocumentTests {
    /// A portfolio with something in everything that a document has.
    private static func fill(_ id: PortfolioID, _ database: Database) async throws {
        var row = try PortfolioFixture.row(
            .buy, "1000000000000000000000000000000", "SHIB", for: "0.01", hour: 1, id: "b")
        (row.note, row.tags, row.priceSource) = ("it's \"\\\n₿", ["a", "b,c"], "me")
        _ = try await database.add([row, try PortfolioFixture.row(.staking, "1", "ETH", hour: 2)], to: id)
        _ = try await database.transaction { session in
            try session.editTransaction(1, in: id, of: PortfolioFixture.user, at: PortfolioFixture.now) {
                old in
                var new = old
                new.note += "!"
                return new
            }
        }
        let later = Timestamp(nanoseconds: 1_735_689_600_000_000_001)
        try await database.transaction { session in
            try session.putWallet(
                "Kraken", kind: .exchange, note: "n", in: id, of: PortfolioFixture.user,
                at: PortfolioFixture.now)
            try session.setLots(
                [
                    .init(from: Timestamp(nanoseconds: .min), method: .lifo, scope: .universal),
                    .init(from: later, method: .hifo, scope: .wallet),
                ], of: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
            try session.setTargets(
                [PortfolioFixture.bitcoin: PortfolioFixture.amount("0.25")], of: id, of: PortfolioFixture.user
            )
        }
    }

    private static func document(
        _ id: PortfolioID, _ database: Database, withHistory: Bool = false
    ) async throws -> [UInt8] {
        try await database.transaction(.snapshot) { session in
            guard let portfolio = try session.findPortfolio(id, of: PortfolioFixture.user) else {
                throw PropertyFailure("the portfolio is gone")
            }
            return try session.document(of: portfolio, withHistory: withHistory)
        }
    }

    private static func file(_ bytes: [UInt8]) throws -> ImportedFile {
        let read = try LedgerJSON.read(bytes)
        var file = ImportedFile(
            source: "a.json", format: "json", rows: read.transactions, lines: read.lines)
        file.settings = read.settings
        return file
    }

    private static func take(
        _ bytes: [UInt8], into id: PortfolioID, _ database: Database, isPreview: Bool = false
    ) async throws -> ImportReport {
        let file = try Self.file(bytes)
        return try await database.transaction { session in
            if isPreview { return try session.previewImport(file, to: id, of: PortfolioFixture.user) }
            return try session.importTransactions(
                file, to: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
    }

    @Test("give the same portfolio in another place, and nothing when they are read again")
    func roundTrip() async throws {
        let database = try await PortfolioFixture.database()
        let (one, other) = (try await database.make(1), try await database.make(2, wallets: []))
        try await Self.fill(one, database)
        let document = try await Self.document(one, database)
        let preview = try await Self.take(document, into: other, database, isPreview: true)
        #expect(try await database.ledger(other).isEmpty)
        let report = try await Self.take(document, into: other, database)
        #expect(report.settings == preview.settings && report.added == 2)
        #expect(
            report.settings == [
                "2 wallets taken over", "2 lot settings taken over", "1 target taken over",
            ])
        #expect(try await Self.document(other, database) == document)
        let again = try await Self.take(document, into: other, database)
        #expect(again.added == 0 && again.settings.isEmpty)
        #expect(try await Self.document(other, database) == document)
        await database.close()
    }

    @Test("leave what an owner has set, and say so")
    func kept() async throws {
        let database = try await PortfolioFixture.database()
        let (one, other) = (try await database.make(1), try await database.make(2))
        try await Self.fill(one, database)
        let half = try PortfolioFixture.amount("0.5")
        try await database.transaction { session in
            try session.setLots(
                [.init(from: Timestamp(nanoseconds: .min), method: .lofo, scope: .wallet)], of: other,
                of: PortfolioFixture.user, at: PortfolioFixture.now)
            try session.setTargets([PortfolioFixture.bitcoin: half], of: other, of: PortfolioFixture.user)
        }
        let report = try await Self.take(try await Self.document(one, database), into: other, database)
        #expect(
            report.settings == [
                "kept as they are here: the wallets \"Kraken\"",
                "2 lot settings not taken: the portfolio has its own",
                "1 target not taken: the portfolio has its own",
            ])
        #expect(try await database.targets(of: other).map(\.share) == [half])
        await database.close()
    }

    @Test("have every revision, change and import of their own portfolio when asked, and of no other")
    func history() async throws {
        let database = try await PortfolioFixture.database()
        let (one, other) = (try await database.make(1), try await database.make(2))
        try await Self.fill(one, database)
        _ = try await database.importFile(
            [try PortfolioFixture.row(.staking, "7", "ETH", hour: 9)], to: other)
        let bytes = try await Self.document(one, database, withHistory: true)
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let document = try #require(object)
        let revisions = try #require(document["revisions"] as? [[String: Any]])
        #expect(revisions.map { $0["number"] as? Int } == [1, 1, 2])
        #expect(revisions.map { $0["superseded"] is NSNull } == [false, true, true])
        let changes = try #require(document["changes"] as? [[String: Any]])
        #expect(changes.map { $0["kind"] as? String } == ["added", "edited", "lots"])
        #expect((document["imports"] as? [Any])?.isEmpty == true)
        // What it has besides is left alone.
        let read = try LedgerJSON.read(bytes)
        #expect(read.transactions.count == 2 && read.settings?.wallets.count == 2)
        await database.close()
    }

    @Test("with a kind of wallet that is none are refused, and nothing of them is stored")
    func refused() async throws {
        let database = try await PortfolioFixture.database()
        let (one, other) = (try await database.make(1), try await database.make(2, wallets: []))
        try await Self.fill(one, database)
        let text = String(decoding: try await Self.document(one, database), as: UTF8.self)
        let bad = Array(text.replacing("\"exchange\"", with: "\"bank\"").utf8)
        let refusal = await refusal { try await Self.take(bad, into: other, database) }
        #expect(
            refusal?.description.hasPrefix("field \"wallets\" is \"bank\": accepted is exchange,") == true)
        #expect(try await database.ledger(other).isEmpty)
        await database.close()
    }
}
