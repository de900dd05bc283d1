import AccountStore
import Foundation
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Backups", .timeLimit(.minutes(10)))
struct BackupTests {
    private static func backup(version: Int = PortfolioSchema.version) -> SchemaBackup {
        SchemaBackup(
            [
                .init("accounts", version: AccountSchema.migrator.version),
                .init("portfolio", version: version),
            ], alongside: ["accounts.audit"])
    }

    private static func path() throws -> String {
        try TestDatabase.temporaryDirectory() + "/file.bitpal"
    }

    /// A database with something in every table.
    private static func filled() async throws -> (Database, StoreConfiguration, PortfolioID) {
        let (database, configuration) = try await PortfolioFixture.databaseWithConfiguration()
        let id = try await database.make()
        var row = try PortfolioFixture.row(
            .buy, "1000000000000000000000000000000", "SHIB", for: "0.01", hour: 1)
        row.note = "it's \"\\\n\u{1}₿"
        row.tags = ["a", "b,c", "{}"]
        _ = try await database.add([row], to: id)
        _ = try await database.edit(1, in: id) { $0.note += "!" }
        _ = try await database.importFile(
            [try PortfolioFixture.row(.staking, "0.000000000000000001", "ETH", hour: 9, id: "s")], to: id,
            skipped: [ImportedFile.Line(7, "type \"x\" is not taken")])
        try await database.transaction { session in
            try session.setLots(
                [.init(from: Timestamp(nanoseconds: .min), method: .lifo, scope: .wallet)], of: id,
                of: PortfolioFixture.user, at: PortfolioFixture.now)
            try session.setTargets(
                [PortfolioFixture.bitcoin: PortfolioFixture.amount("0.25")], of: id, of: PortfolioFixture.user
            )
            try session.addShareLink(
                ShareLink(
                    id: UniqueID(high: 1, low: 1), portfolio: id, created: PortfolioFixture.now,
                    expires: PortfolioFixture.now.adding(nanoseconds: 1_000_000)),
                secret: String(repeating: "s", count: 40), of: PortfolioFixture.user)
            var day = DailyHistory.Day(end: Timestamp(nanoseconds: 86_400_000_000_000 * 20_090))
            day.inflow = try PortfolioFixture.amount("0.1")
            _ = try session.putDays([day], of: id, after: 4)
        }
        return (database, configuration, id)
    }

    @Test("come back as they were, into a new database, byte for byte of a second backup")
    func roundTrip() async throws {
        let (database, configuration, id) = try await Self.filled()
        let (first, second) = (try Self.path(), try Self.path())
        let written = try await Self.backup().write(to: first, from: configuration)
        let (target, targetConfiguration) = try await PortfolioFixture.databaseWithConfiguration()
        let restored = try await Self.backup().restore(from: first, into: targetConfiguration)
        #expect(restored == written && written.rows > 12)
        _ = try await Self.backup().write(to: second, from: targetConfiguration)
        let texts = try [first, second].map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts[0] == texts[1])
        func history(_ database: Database) async throws -> [StoredTransaction] {
            try await database.withSession { try $0.transactionHistory(1, of: id, by: PortfolioFixture.user) }
        }
        #expect(try await history(target) == history(database))
        // It goes on where it was.
        #expect(
            try await target.add([try PortfolioFixture.row(.buy, "1", for: "1", hour: 5)], to: id).numbers
                == 3...3)
        let mode = try FileManager.default.attributesOfItem(atPath: first)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await database.close()
        await target.close()
    }

    @Test("replace what is there only when told to, and then all of it")
    func replacing() async throws {
        let (database, configuration, id) = try await Self.filled()
        let path = try Self.path()
        _ = try await Self.backup().write(to: path, from: configuration)
        let before = try await database.ledger(id)
        _ = try await database.add([try PortfolioFixture.row(.buy, "1", for: "1", hour: 5)], to: id)
        let problem = await #expect(throws: BackupProblem.self) {
            try await Self.backup().restore(from: path, into: configuration)
        }
        #expect(problem?.description.contains("is not empty") == true)
        #expect(try await database.ledger(id).count == 3)
        _ = try await Self.backup().restore(from: path, into: configuration, replacing: true)
        #expect(try await database.ledger(id) == before)
        await database.close()
    }

    @Test("come back where another schema keeps something of their rows, which is gone then")
    func otherSchemas() async throws {
        let (database, configuration, id) = try await Self.filled()
        let path = try Self.path()
        _ = try await Self.backup().write(to: path, from: configuration)
        let before = try await database.ledger(id)
        try await database.withSession { session in
            try session.script(
                """
                CREATE SCHEMA other;
                CREATE TABLE other.answer (user_id uuid REFERENCES accounts.app_user);
                INSERT INTO other.answer SELECT user_id FROM accounts.app_user;
                """)
        }
        _ = try await Self.backup().restore(from: path, into: configuration, replacing: true)
        #expect(try await database.ledger(id) == before)
        await database.close()
    }

    @Test("that are cut, changed or newer are refused, and nothing is lost")
    func damaged() async throws {
        let (database, configuration, id) = try await Self.filled()
        let path = try Self.path()
        _ = try await Self.backup().write(to: path, from: configuration)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let before = try await database.ledger(id)
        let last = try #require(lines.lastIndex { $0.hasPrefix("{") })
        for (damaged, words) in [
            (lines.dropLast(), "the file ends before its end"),
            (lines[..<3] + lines[4...], "line"),
            (lines[..<last] + lines[(last + 1)...], "expected is the end after"),
            (["hello"], "line 1 is not that of a backup"),
            (lines[..<6] + ["{\"portfolio_id\":\"x\"}"] + lines[6...], ""),
        ] as [(ArraySlice<Substring>, String)] {
            let file = try Self.path()
            try damaged.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let problem = await #expect(throws: BackupProblem.self) {
                try await Self.backup().restore(from: file, into: configuration, replacing: true)
            }
            #expect(problem?.description.contains(words) == true || words.isEmpty)
        }
        let newer = await #expect(throws: BackupProblem.self) {
            try await Self.backup(version: 1).restore(from: path, into: configuration, replacing: true)
        }
        let words = "schema \"portfolio\" at version \(PortfolioSchema.version), and this program knows 1"
        #expect(newer?.description.contains(words) == true)
        #expect(try await database.ledger(id) == before)
        await database.close()
    }
}
