import Foundation
import InstallationStore
import Store
import Support
import Testing

@testable import OperatorCommands

@Suite("Backups by command", .timeLimit(.minutes(10)))
struct BackupVerifyTests {
    /// An installation with somebody in it, who has a ledger.
    private static func filled() async throws -> StoreConfiguration {
        let configuration = try await TestDatabase.migrated("installation") { store, logger in
            for migrator in InstallationSchemas.migrators {
                try await migrator.migrate(store, logger: logger)
            }
        }
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script(
                    """
                    INSERT INTO accounts.app_user VALUES ('00000000-0000-7000-8000-0000000000aa', 'ann');
                    INSERT INTO portfolio.portfolio
                        (portfolio_id, user_id, name, base, change, changed_at, last_number, created_at)
                    VALUES (
                        '00000000-0000-7000-8000-0000000000bb', '00000000-0000-7000-8000-0000000000aa',
                        'Coins', 'EUR', 2, '2026-01-02 03:04:05+00', 1, '2026-01-02 03:04:05+00');
                    INSERT INTO portfolio.wallet VALUES (
                        '00000000-0000-7000-8000-0000000000bb', 'Kraken', 'exchange', '',
                        '2026-01-02 00:00:00Z');
                    INSERT INTO portfolio.change VALUES
                        ('00000000-0000-7000-8000-0000000000bb', 1, '2026-01-02 00:00:00Z', 'added'),
                        ('00000000-0000-7000-8000-0000000000bb', 2, '2026-01-03 00:00:00Z', 'edited');
                    INSERT INTO portfolio.revision
                        (portfolio_id, number, revision, change, superseded, time, kind, wallet, asset,
                        amount, external_id, note, tags, price_source, lots)
                    VALUES
                        ('00000000-0000-7000-8000-0000000000bb', 1, 1, 1, 2, 0, 'buy', 'Kraken', 'BTC',
                        0.10, '', '', '{}', '', '{}'),
                        ('00000000-0000-7000-8000-0000000000bb', 1, 2, 2, NULL, 0, 'buy', 'Kraken', 'BTC',
                        0.20, '', '', '{}', '', '{}');
                    """)
            }
        }
        return configuration
    }

    private static func databases(_ configuration: StoreConfiguration) async throws -> [String] {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.rows(
                    "SELECT datname::text FROM pg_catalog.pg_database WHERE datname LIKE 'bitpal_drill_%'"
                ) { try $0.text() }
            }
        }
    }

    @Test("are verified in a database of their own, and what was looked at is said")
    func verified() async throws {
        let configuration = try await Self.filled()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let file = try TestDatabase.temporaryDirectory() + "/all.bitpal"
        #expect(try await bitpal.run(["backup", file]).status == 0)
        let verified = try await bitpal.run(["backup", "--verify", file])
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.lines.first?.contains("are back, as many as are in the file") == true)
        #expect(verified.lines.last == "\(file) is whole")
        for words in ["row by row", "leads to a row", "schemas: accounts at version ", "every ledger has"] {
            #expect(verified.lines.contains { $0.contains(words) }, "\(words)")
        }
        #expect(try await Self.databases(configuration).isEmpty)
    }

    @Test("that lost something are refused, and nothing is left behind")
    func damaged() async throws {
        let configuration = try await Self.filled()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let file = try TestDatabase.temporaryDirectory() + "/all.bitpal"
        #expect(try await bitpal.run(["backup", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let rows = text.split(separator: "\n").count { $0.hasPrefix("{") }
        func verify(_ text: String, _ words: String) async throws {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let refused = try await bitpal.run(["backup", "--verify", file])
            #expect(refused.status == 1 && refused.hasOneErrorLine && refused.errors.contains(words))
            #expect(try await Self.databases(configuration).isEmpty)
        }
        // Without who owns the ledger; with a ledger that has counted one transaction less; without an end.
        let without = text.split(separator: "\n").filter { !$0.contains("\"ann\"") }
        let shorter = without.dropLast() + ["end \(rows - 1)\n"]
        try await verify(shorter.joined(separator: "\n"), "are refused")
        try await verify(
            text.replacing("\"last_number\":1", with: "\"last_number\":0"),
            "has 1 exceptions to this: every ledger has counted")
        let cut = text.split(separator: "\n").dropLast().joined(separator: "\n")
        try await verify(cut + "\n", "no whole backup")
    }

    @Test("need a file or a schedule, and not both")
    func usage() async throws {
        let bitpal = BitpalExecutable(
            environment: ["BITPAL_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"])
        for arguments in [[], ["a", "--schedule", "b"], ["--verify"], ["a", "--verify", "--force"]] {
            let outcome = try await bitpal.run(["backup"] + arguments)
            #expect(outcome.status == 2 && outcome.hasOneErrorLine, "\(arguments): \(outcome.errors)")
        }
    }

    @Test("of a schedule begin at once, are tried, are said to whoever asks, and stop when asked")
    func scheduled() async throws {
        let configuration = try await Self.filled()
        let folder = try TestDatabase.temporaryDirectory()
        let base = try FreePorts.run(of: 4)
        let process = try ChildProcess(
            "bitpal", arguments: ["backup", "--schedule", folder + "/kept"],
            environment: [
                "BITPAL_DATABASE_URL": configuration.description,
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_BACKUP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
            ], folder: folder)
        try await eventually {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/kept")) ?? []
            return names.contains("drill.txt")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/kept").sorted()
        #expect(names.count == 2 && BackupFolder.time(of: names[0]) != nil)
        let drill = try #require(BackupFolder(path: folder + "/kept").drill())
        #expect(drill.problem == "")
        process.signal(SIGTERM)
        #expect(await process.exitStatus() == 0, "\(process.errors)")
        #expect(try await Self.databases(configuration).isEmpty)
    }
}
