import AccountStore
import Accounts
package import ArgumentParser
import Credentials
import InstallationStore
import Instruments
import Shapes
import Store

/// `bitpal secrets …`: the keys that secrets in the database are sealed with.
package struct SecretsCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "The keys that seal what is secret in the database.",
        discussion: """
            Secrets of channels and authenticators, links of letters, and keys that sign are sealed, each \
            with a key of its own, and that one with a key of the key file: BITPAL_KEY_FILE, else \
            accounts.key in the data directory of `bitpal up`. Keep a copy of that file apart from backups \
            of the database: neither opens anything without the other.
            """,
        subcommands: [
            SecretsListCommand.self, SecretsRotateCommand.self, SecretsForgetCommand.self,
        ])

    /// An unconfigured command, for the parser.
    package init() {}
}

struct SecretsListCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "How many secrets there are, by kind and by the number of their key.")
    static let audit = AuditRule.nothing("reads")

    @OptionGroup var store: AccountStoreOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let report = try await store.use { try await $0.storedSecrets() }
        try StandardOutput.say(SecretLine.all(report), json: json)
    }
}

struct SecretsRotateCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Adds a new key to the key file and seals everything with it.",
        discussion: """
            Services go on meanwhile, and seal with the new key at once. Former keys stay in the file, so \
            that a backup of before can still be used, until `bitpal secrets forget`. Where the file is \
            read only, as the secrets of containers are, append a line "NUMBER KEY" to it yourself (with \
            >>, so that it stays the file that is mounted), and use --keep-key.
            """)
    static let audit = AuditRule.entry([.secretsRotate])

    @OptionGroup var store: AccountStoreOptions
    @Flag(help: "Add no key; seal with the newest of the file.") var keepKey = false
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let keepsKey = keepKey
        let report = try await store.use { database in
            let vault = try await store.database.requiredVault(for: database)
            // Before there is another key: with one that does not open there would be one more each time.
            try await database.renewed(by: vault)
            do throws(SealingFault) {
                if !keepsKey { _ = try KeyFile.addKey(vault.path) }
            } catch {
                throw CommandFailure(.failed, error.description)
            }
            let report = try await database.renewed(by: vault)
            // What is sealed lies in many transactions: the last one tells of all.
            let detail = ["sealed": "\(report.renewed)", "key": "\(vault.keys.newestNumber)"]
            try await database.transaction { session in
                try session.audit(
                    AuditChange(.secretsRotate, .secrets, with: detail), by: Self.actor)
            }
            return report
        }
        try StandardOutput.say(SecretLine.all(report), json: json)
    }
}

struct SecretsForgetCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Takes former keys out of the key file, which nothing needs any more.",
        discussion: """
            Not within a minute of the last change of the file: who began to store something before may \
            end with a former key. A backup of before cannot be used afterwards without a copy of the file.
            """)
    static let audit = AuditRule.entry([.secretsForget])

    /// Nanoseconds in which whoever sealed with a former key has stored it.
    private static let grace: Int64 = 60_000_000_000

    @OptionGroup var store: AccountStoreOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let report = try await store.use { database in
            let vault = try await store.database.requiredVault(for: database)
            let age = try KeyFile.age(vault.path, at: Timestamp.now.nanoseconds)
            guard age >= Self.grace else {
                throw CommandFailure(
                    .failed, "\(vault.path) was changed within the last minute; run this command again then")
            }
            let report = try await database.renewed(by: vault)
            guard report.needs(only: vault.keys.newestNumber) else {
                throw CommandFailure(.failed, "somebody stored a secret just now; run this command again")
            }
            do throws(SealingFault) {
                try KeyFile.forgetFormerKeys(vault.path)
            } catch {
                throw CommandFailure(.failed, error.description)
            }
            try await database.transaction { session in
                try session.audit(AuditChange(.secretsForget, .secrets), by: Self.actor)
            }
            return report
        }
        try StandardOutput.say(SecretLine.all(report), json: json)
    }
}

extension Database {
    /// Seals everything with the newest key.
    ///
    /// - Throws: ``CommandFailure`` that names what does not open.
    @discardableResult
    fileprivate func renewed(by vault: SecretVault) async throws -> SecretsReport {
        let report = try await renewSecrets(by: vault)
        guard let place = report.closed.first else { return report }
        throw CommandFailure(
            .failed,
            "\(report.closed.count) secrets do not open, one of them of the \(place.purpose) \(place.row); "
                + "give it anew or remove it")
    }
}

/// Secrets of a kind that are sealed with one key: figures only.
struct SecretLine: PrintedRow {
    static let row = RowShape<SecretLine>("SealedSecrets") {
        Field("kind", \.kind.rawValue, as: .words(StoredSecret.Kind.allCases.map(\.rawValue))).column()
        Field("key", { $0.key.map { "\($0)" } }, "The number of their key; null where they are not sealed.")
            .column(.right, orElse: "not sealed")
        Field("count", \.count, example: 3).column(.right)
    }

    let kind: StoredSecret.Kind
    let key: UInt8?
    let count: Int

    static func all(_ report: SecretsReport) -> [SecretLine] {
        StoredSecret.Kind.allCases.flatMap { kind in
            (report.counts[kind] ?? [:]).sorted { ($0.key ?? 0) < ($1.key ?? 0) }
                .map { SecretLine(kind: kind, key: $0.key, count: $0.value) }
        }
    }
}
