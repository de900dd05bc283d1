import AlertStore
package import Store

/// Every schema of an installation.
package enum InstallationSchemas {
    /// Each after those that it refers to.
    package static let migrators = AlertSchema.migrators + [GatewaySchema.migrator]

    /// Brings all of them to this program's versions.
    package static let migration = MigrationJob(migrators, backup: UserData.backup)

    /// Gives each service a role of its own with its rights.
    package static let access = AccessJob(schemas: migrators.map(\.schema))
}
