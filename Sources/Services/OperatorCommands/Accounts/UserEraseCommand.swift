import AccountStore
import Accounts
import ArgumentParser
import InstallationStore
import Instruments
import Store

struct UserEraseCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases an account with everything of its user: alerts, portfolios, lists, sessions.",
        discussion: "Nothing brings it back but a backup that was made before; backups still hold it.")
    static let audit = AuditRule.entry([.accountErase])

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The e-mail address.") var email: String
    @Flag(help: "Do it; without this nothing happens.") var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("say --yes to erase \"\(email)\" with everything of it") }
    }

    func run() async throws {
        let (email, now) = (email, Timestamp.now)
        try await store.use { database in
            let user = try await AccountStoreOptions.account(email, in: database).user
            var options = TransactionOptions()
            options.statementTimeout = .seconds(600)
            try await database.transaction(options) { session in
                try session.eraseUser(user, at: now, by: Self.actor)
            }
        }
    }
}
