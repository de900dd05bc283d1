import AccountStore
package import Accounts
package import ArgumentParser
import InstallationStore
import Store

/// The command `bitpal backup FILE`.
package struct BackupCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes everything that you own, as of one moment, into a file that only you can read.",
        discussion: """
            Users, alerts with their history, portfolios with every revision, and what is followed. Prices \
            and trades are not part of it: they come back from the venues.
            """)

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The file.") var file: String
    @Flag(help: "Replace a file that is there already.") var force = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Writes the file, whole or not at all.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        guard force || !FileCheck.exists(file) else {
            throw CommandFailure(.failed, "\(file) is there already; --force replaces it")
        }
        let configuration = try await database.required(bus)
        do {
            let report = try await UserData.backup.write(to: file, from: configuration)
            try StandardOutput.say("\(file): \(report.rows) rows of \(report.tables) tables")
        } catch let problem as BackupProblem {
            throw CommandFailure(.failed, problem.description)
        }
    }
}

/// The command `bitpal restore FILE`.
package struct RestoreCommand: AsyncParsableCommand, AuditedCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a file of `bitpal backup` back, all of it or nothing.",
        discussion: """
            A file of a newer program is refused. Everybody has to sign in again. Tokens that were revoked \
            since the backup stay revoked, accounts that were disabled stay disabled, and links that were \
            used open nothing, as far as the database knows of it, or, for tokens and accounts in a new one, \
            the file "withdrawn" that `bitpal up` keeps in its data directory. Tokens that the database does \
            not know are revoked as well, unless --keep-tokens says otherwise. Passwords and passkeys are \
            those of the backup.
            """)
    package static let audit = AuditRule.entry([.installationRestore])

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The file.") var file: String
    @Flag(help: "Replace what is there; without this there must be nothing.") var replace = false
    @Flag(help: "Keep tokens of the file of which the database does not know that they are in force.")
    var keepTokens = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Puts everything back in one transaction.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        let configuration = try await database.required(bus)
        try await UserData.prepare(configuration, logger: .silent)
        do {
            var options = RestorationOptions()
            (options.isReplacing, options.keepsTokens) = (replace, keepTokens)
            options.withdrawn = WithdrawnFile(in: database.dataDir ?? DataDirectory.standard)
            let restored = try await UserData.restore(
                from: file, into: configuration, options, by: Self.actor)
            for line in Self.lines(restored, of: file) { try StandardOutput.say(line) }
        } catch BackupProblem.notEmpty(let table) {
            throw CommandFailure(.failed, "\(table) is not empty; --replace puts the backup in its place")
        } catch let problem as BackupProblem {
            throw CommandFailure(.failed, problem.description)
        }
    }
}

extension RestoreCommand {
    /// What came back, and what did not.
    static func lines(_ restored: RestoredUserData, of file: String) -> [String] {
        let (report, withdrawn) = (restored.report, restored.withdrawn)
        var lines = [
            "\(file): \(report.rows) rows of \(report.tables) tables are back",
            """
            withdrawn again: sessions \(withdrawn.sessions), tokens \(withdrawn.tokens), accounts \
            \(withdrawn.accounts), links and codes \(withdrawn.links)
            """,
        ]
        if !restored.wasKnown {
            lines.append(
                """
                neither this database nor a file of the data directory knows who was disabled since the \
                backup: look with `bitpal user list`
                """)
        }
        return lines
    }
}

extension DatabaseOptions {
    /// The database.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when there is none.
    func required(_ bus: BusOptions) async throws -> StoreConfiguration {
        guard let configuration = try await find(try BusClient(bus.addresses())) else {
            throw CommandFailure(
                .unreachable, "no database is reachable; is `bitpal up` running? Else set BITPAL_DATABASE_URL"
            )
        }
        return configuration
    }
}
