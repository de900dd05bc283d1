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

            --verify restores a file into a database of its own on the same server, which is dropped after, \
            and compares; its user must be allowed to make databases. --schedule runs until it is stopped: \
            it backs up into a directory once a day, keeps the newest of 7 days, 4 weeks and 12 months, and \
            once a week verifies the newest. `bitpal status` shows it; BITPAL_BACKUP_… variables change it.
            """)

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The file.") var file: String?
    @Flag(help: "Replace a file that is there already.") var force = false
    @Flag(help: "Write nothing: restore the file into a database of its own, and compare.")
    var verify = false
    @Option(help: ArgumentHelp("Back up into it again and again.", valueName: "directory"))
    var schedule: String?

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard schedule != nil else {
            if file == nil { throw ValidationError("a FILE is missing, or --schedule with a directory") }
            if verify, force { throw ValidationError("--verify writes nothing that --force could replace") }
            return
        }
        if file != nil || force || verify { throw ValidationError("--schedule goes with nothing else") }
    }

    /// Writes the file, whole or not at all; or does what an option says.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        if let schedule {
            await BackupSchedule.run(in: schedule, of: try await database.required(bus))
        }
        guard let file else { return }
        if verify { return try await verify(file) }
        try await write(file)
    }

    private func verify(_ file: String) async throws {
        let configuration = try await database.required(bus)
        do {
            let proof = try await UserData.drill.run(file, beside: configuration)
            for line in proof.lines { try StandardOutput.say(line) }
            try StandardOutput.say("\(file) is whole")
        } catch let problem as BackupProblem {
            throw CommandFailure(.failed, problem.description)
        }
    }

    private func write(_ file: String) async throws {
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
            A file of a newer program is refused. Everybody has to sign in again. Tokens and links to \
            portfolios that were revoked since the backup stay revoked, accounts that were disabled stay \
            disabled, passkeys that were removed are gone, and links that were used open nothing, as far as \
            the database knows of it, or, but for passkeys and what is good once, in a new one the file \
            "withdrawn" that `bitpal up` keeps in its data directory. Tokens and links to portfolios that \
            the database does not know are revoked as well, unless --keep-tokens says otherwise. Passwords \
            are those of the backup.
            """)
    package static let audit = AuditRule.entry([.installationRestore])

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The file.") var file: String
    @Flag(help: "Replace what is there; without this there must be nothing.") var replace = false
    @Flag(help: "Keep tokens and links to portfolios that the database does not know.")
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
            \(withdrawn.accounts), links and codes \(withdrawn.links), passkeys \(withdrawn.passkeys), \
            links to portfolios \(restored.shareLinks)
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
