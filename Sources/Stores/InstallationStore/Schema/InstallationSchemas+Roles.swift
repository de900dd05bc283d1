package import AccountStore
import Accounts
import Logging
package import Store

extension InstallationSchemas {
    /// Gives services' roles their rights and passwords; the audit log tells of it where something was set.
    ///
    /// - Parameters:
    ///   - configuration: As ``AccessJob/run(_:passwords:)`` has it.
    ///   - passwords: What roles sign in with from then on.
    ///   - actor: By whom.
    /// - Returns: What was done.
    /// - Throws: As ``AccessJob/run(_:passwords:)``.
    package static func applyRoles(
        _ configuration: StoreConfiguration, passwords: [RolePassword], by actor: AuditActor
    ) async throws -> AccessJob.Report {
        let report = try await access.run(configuration, passwords: passwords)
        guard report.statements > 0 || !report.passwords.isEmpty else { return report }
        let detail = ["statements": "\(report.statements)", "passwords": "\(report.passwords.count)"]
        var direct = configuration
        direct.maximumConnections = 1
        let silent = Logger(label: "roles") { _ in SwiftLogNoOpLogHandler() }
        try await Database.use(direct, logger: silent) { database in
            try await database.transaction { session in
                try session.audit(AuditChange(.rolesApply, .roles, with: detail), by: actor)
            }
        }
        return report
    }
}
