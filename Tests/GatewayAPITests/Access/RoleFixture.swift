import InstallationStore
import Store
import Support

/// Databases whose services have roles of their own.
enum RoleFixture {
    /// A migrated one, of a superuser.
    static func database() async throws -> StoreConfiguration {
        try await RolesCluster.database { configuration in
            for migrator in InstallationSchemas.migrators {
                try await migrator.migrate(configuration, logger: TestDatabase.logger)
            }
            _ = try await InstallationSchemas.access.run(configuration, passwords: [])
        }
    }

    /// Runs scripts one after the other in one session, as a role; what each was refused with.
    static func refusals(
        of scripts: [String], by role: String, in database: StoreConfiguration
    ) async throws -> [StoreError?] {
        try await Database.use(database.user(role), logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                var refusals: [StoreError?] = []
                for script in scripts {
                    do throws(StoreError) {
                        try session.script(script)
                        refusals.append(nil)
                    } catch {
                        refusals.append(error)
                    }
                }
                return refusals
            }
        }
    }

    /// Runs a script as the superuser.
    static func run(_ script: String, in database: StoreConfiguration) async throws {
        try await Database.use(database, logger: TestDatabase.logger) { database in
            try await database.withSession { try $0.script(script) }
        }
    }
}
