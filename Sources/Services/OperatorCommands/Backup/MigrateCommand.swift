package import Accounts
package import ArgumentParser
import InstallationStore
import Store

/// The command `bitpal migrate`: what has to run once before the services of a new version.
package struct MigrateCommand: AsyncParsableCommand, AuditedCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database to this version: says what is to be done, backs up, tries the backup.",
        discussion: """
            Services do not change a database that is there: run this before they start, again and again if \
            you like. Those of the version before may go on meanwhile. `bitpal up` does it by itself.

            With --roles each service has a role of its own that may do what the service does and no more; a \
            superuser has to run it the first time, and bitpal_migrate may from then on.
            """)
    package static let audit = AuditRule.entry([.rolesApply])

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Option(
        help: ArgumentHelp(
            "Where the backup goes. Default: backups in the data directory.", valueName: "directory"))
    var backupDir: String?

    @OptionGroup var roles: RoleOptions

    @Flag(help: "Only say what is to be done; status 1 when there is something.")
    var dryRun = false

    @Flag(help: "Do not try the backup: restore it into a database of its own, which is dropped after.")
    var unchecked = false

    @Flag(help: "Do not back up. What a migration damages then is lost.")
    var withoutBackup = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Does it, or says what would be done.
    ///
    /// - Throws: ``CommandFailure``; nothing was changed where the backup failed.
    package func run() async throws {
        let configuration = try await self.database.required(bus)
        if dryRun { return try await look(configuration) }
        // Before anything is changed: a file that cannot be used is found now.
        let passwords = try roles.passwords()
        do {
            try await InstallationSchemas.migration.run(
                configuration, first: precaution, logger: .silent
            ) { news in
                // Whoever looks away has the exit status.
                try? StandardOutput.say("\(news)")
            }
        } catch let problem as BackupProblem {
            throw CommandFailure(.failed, "nothing was changed: \(problem)")
        }
        try await roles.apply(passwords, configuration, by: Self.actor)
    }

    private func look(_ configuration: StoreConfiguration) async throws {
        let states = try await InstallationSchemas.migration.states(configuration)
        for state in states { try StandardOutput.say("\(state)") }
        // Tables that are still to be made have no rights yet: then those are said the next time.
        let isUsable = states.allSatisfy(\.standing.isUsable)
        let isDone = isUsable ? try await roles.look(configuration) : false
        if !isDone { throw ExitCode(CommandStatus.failed.rawValue) }
    }

    private var precaution: MigrationJob.Precaution {
        let place = BackupPlace(backupDir ?? (database.dataDir ?? DataDirectory.standard) + "/backups")
        if withoutBackup { return .none }
        return unchecked ? .backup(place.file) : .checkedBackup(place.file)
    }
}
