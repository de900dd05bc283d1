import AccountStore
import InstallationStore
import Support
import Testing

@testable import Store

/// Backups of an installation with roles, by whom `docker-compose.yml` has do it.
@Suite("Backups with roles", .serialized, .timeLimit(.minutes(10)))
struct RoleBackupTests {
    @Test("are written, tried and put back by bitpal_migrate, and services that listen connect again")
    func withoutSuperuser() async throws {
        let database = try await RoleFixture.database()
        let migrating = database.user(ServiceRole.migrate)
        let file = try TestDatabase.temporaryDirectory() + "/a.bitpal"
        let written = try await UserData.backup.write(to: file, from: migrating)
        let proof = try await UserData.drill.run(file, beside: migrating)
        #expect(proof.report.rows == written.rows)
        for role in [ServiceRole.notifier, .gateway] {
            try await Database.use(database.user(role.name), logger: TestDatabase.logger) { service in
                var events = service.listen(to: ["news"]).makeAsyncIterator()
                #expect(await events.next() == .listening)
                var options = RestorationOptions()
                options.isReplacing = true
                _ = try await UserData.restore(
                    from: file, into: migrating, options, by: .terminal("bitpal restore"))
                #expect(await events.next() == .lost, "\(role)")
                #expect(await events.next() == .listening, "\(role)")
            }
        }
    }
}
