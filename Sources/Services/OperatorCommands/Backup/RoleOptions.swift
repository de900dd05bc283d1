import AccountStore
import ArgumentParser
import InstallationStore
import Store

/// The roles of services in the database, and what they sign in with.
struct RoleOptions: ParsableArguments {
    @Flag(help: "Give each service a role of its own, with its rights and no others.")
    var roles = false

    @Option(
        help: ArgumentHelp(
            """
            With --roles: where the database URL of each service is, such as notifier.url. Its password \
            becomes that of the role; put another one there and run this again to change it.
            """, valueName: "directory"))
    var roleUrls: String?

    func validate() throws {
        if roleUrls != nil, !roles { throw ValidationError("--role-urls is for --roles") }
    }

    /// What the files of the directory say; services without a file keep the password that they have.
    ///
    /// - Throws: ``CommandFailure`` with the file, and never with what is in it.
    func passwords() throws -> [RolePassword] {
        guard let roleUrls else { return [] }
        let known: [RolePassword]
        do throws(StoreError) {
            known = try RolePassword.all(in: roleUrls)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        guard !known.isEmpty else {
            throw CommandFailure(
                .usage, "\(roleUrls) has no URL of a service; expected files such as notifier.url")
        }
        return known
    }

    /// Gives roles their rights where that was asked for, and where the installation has had them before.
    func apply(
        _ passwords: [RolePassword], _ configuration: StoreConfiguration, by actor: AuditActor
    ) async throws {
        guard try await isWanted(configuration) else { return }
        let report = try await InstallationSchemas.applyRoles(
            configuration, passwords: passwords, by: actor)
        try StandardOutput.say(
            report.statements == 0
                ? "roles: as they are to be" : "roles: \(report.statements) statements have set their rights")
        if !report.passwords.isEmpty {
            try StandardOutput.say("roles: passwords of \(report.passwords.joined(separator: ", "))")
        }
        if report.leftPasswords {
            try StandardOutput.say("roles: passwords are as they were, which only a superuser changes")
        }
    }

    /// Says what would be done to roles; false when there is something.
    func look(_ configuration: StoreConfiguration) async throws -> Bool {
        guard try await isWanted(configuration) else { return true }
        let pending = try await InstallationSchemas.access.pending(configuration)
        for statement in pending { try StandardOutput.say("roles: \(statement.prefix { $0 != "\n" })") }
        return pending.isEmpty
    }

    private func isWanted(_ configuration: StoreConfiguration) async throws -> Bool {
        if roles { return true }
        return try await InstallationSchemas.access.isInUse(configuration)
    }
}
