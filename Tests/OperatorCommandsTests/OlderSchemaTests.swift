import AlertStore
import Foundation
import Store
import Support
import Testing

@Suite("A database of the version before", .timeLimit(.minutes(10)))
struct OlderSchemaTests {
    /// As the program before the last step of `alerts` left it, with somebody in it.
    private static func older() async throws -> StoreConfiguration {
        let configuration = try await TestDatabase.migrated("older_alerts") { store, logger in
            let migrators = AlertSchema.migrators
            for migrator in migrators.dropLast() { try await migrator.migrate(store, logger: logger) }
            guard let last = migrators.last else { return }
            try await last.limited(to: last.version - 1).migrate(store, logger: logger)
        }
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script("INSERT INTO accounts.app_user VALUES (gen_random_uuid(), 'ann')")
            }
        }
        return configuration
    }

    private static func users(_ configuration: StoreConfiguration) async throws -> [String] {
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.rows("SELECT name FROM accounts.app_user ORDER BY name") { try $0.text() }
            }
        }
    }

    @Test("is refused by commands and services in one line that names the job, and not changed")
    func refused() async throws {
        let configuration = try await Self.older()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let words =
            "schema alerts is at version \(AlertSchema.version - 1), and this program needs version "
            + "\(AlertSchema.version); run `bitpal migrate`"
        let listed = try await bitpal.run(["user", "list"])
        #expect(listed.status == 1 && listed.hasOneErrorLine && listed.errors.contains(words))
        let gateway = try ChildProcess(
            "gateway",
            environment: try await GatewayProcess.environment(base: try FreePorts.run(of: 6))
                .merging(["BITPAL_DATABASE_URL": configuration.description]) { $1 },
            folder: try TestDatabase.temporaryDirectory())
        #expect(await gateway.exitStatus() == 78)
        #expect(gateway.errors.contains(words), "\(gateway.errors)")
        let looked = try await bitpal.run(["migrate", "--dry-run"])
        #expect(looked.status == 1 && looked.errors.isEmpty)
        #expect(
            looked.lines.contains { $0.hasPrefix("alerts: at version \(AlertSchema.version - 1); to be") })
    }

    @Test("is backed up, and the backup tried, before `bitpal migrate` brings it to this version")
    func migrated() async throws {
        let configuration = try await Self.older()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let folder = try TestDatabase.temporaryDirectory()
        let before = try await Self.users(configuration)
        let made = try await bitpal.run(["migrate", "--data-dir", folder])
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.lines.contains { $0.contains("restored into a database of its own") })
        #expect(made.lines.contains("alerts: now at version \(AlertSchema.version)"))
        // The gateway's schema was not there.
        #expect(made.lines.contains("gateway: now at version 2"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/backups")
        #expect(kept.count == 1 && kept[0].hasPrefix("before-migration-"))
        #expect(try await Self.users(configuration) == before)
        let again = try await bitpal.run(["migrate", "--data-dir", folder])
        #expect(again.status == 0 && again.lines.last == "nothing is to be done")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/backups") == kept)
        #expect(try await bitpal.run(["user", "add", "bob@example.org"]).status == 0)
        // What is kept is whole elsewhere.
        let other = try await TestDatabase.empty()
        let restored = try await BitpalExecutable(environment: ["BITPAL_DATABASE_URL": other.description])
            .run(["restore", "\(folder)/backups/\(kept[0])"])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await Self.users(other) == before)
    }

    @Test("is not changed when there is no place for the backup, unless nobody wants one")
    func unprotected() async throws {
        let configuration = try await Self.older()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let failed = try await bitpal.run(["migrate", "--backup-dir", "/proc/none"])
        #expect(failed.status == 1 && failed.hasOneErrorLine && failed.errors.contains("/proc/none"))
        #expect(try await bitpal.run(["migrate", "--dry-run"]).status == 1)
        let made = try await bitpal.run(["migrate", "--without-backup"])
        #expect(made.status == 0 && made.lines.contains("no backup is made, as was asked for"))
        #expect(try await bitpal.run(["migrate", "--dry-run"]).status == 0)
    }
}
