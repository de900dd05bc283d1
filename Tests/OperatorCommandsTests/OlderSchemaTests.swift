import Foundation
import Store
import Support
import Testing

@Suite("Commands that migrate", .timeLimit(.minutes(10)))
struct OlderSchemaTests {
    @Test("back up what is there before they migrate an older schema")
    func backup() async throws {
        let configuration = try await TestDatabase.empty()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        #expect(try await bitpal.run(["user", "add", "ann@example.org"]).status == 0)
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            // As if the last migration were still to come; it cannot be made twice.
            try await database.withSession { session in
                try session.script(
                    """
                    DELETE FROM alerts.schema_migration
                    WHERE version = (SELECT max(version) FROM alerts.schema_migration)
                    """)
            }
        }
        let folder = try TestDatabase.temporaryDirectory()
        _ = try await bitpal.run(["user", "list", "--data-dir", folder])
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/backups")
        #expect(kept.count == 1 && kept[0].hasPrefix("before-migration-"))
    }
}
