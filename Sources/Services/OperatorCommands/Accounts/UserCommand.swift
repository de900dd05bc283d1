import AccountStore
package import Accounts
import ArgumentParser
import Bus
import Credentials
import Encodings
import Instruments
import Shapes
import Store
import Wire

/// The command group `bitpal user`.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Who can sign in.",
        subcommands: [
            UserAddCommand.self, UserListCommand.self, UserDisableCommand.self, UserResetCommand.self,
            UserEraseCommand.self, UserInviteCommand.self, UserInvitationsCommand.self,
            UserUninviteCommand.self,
        ])
}

struct UserAddCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Makes an account and prints the link that sets its password once.")
    static let audit = AuditRule.entry([.accountCreate])

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The e-mail address.") var email: String
    @Option(help: "user or operator.") var role = Role.user
    @OptionGroup var page: PageOptions
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let now = Timestamp.now
        let account = StoredAccount(
            user: UserID(rawValue: AccountStoreOptions.newID(at: now)),
            email: try AccountStoreOptions.email(email), passwordHash: nil, role: role, created: now)
        let link = PasswordLink(for: account.user, at: now)
        try await store.use { database in
            try await database.transaction { session in
                try session.createAccount(account)
                try link.store(in: session)
                let detail = ["role": account.role.rawValue]
                try session.audit(
                    AuditChange(.accountCreate, account: account.user, with: detail), by: Self.actor)
            }
        }
        try link.print(for: account, at: await page.found(on: store.bus), json: json)
    }
}

extension Role: ExpressibleByArgument {}

struct UserListCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All accounts, oldest first.")
    static let audit = AuditRule.nothing("reads")

    @OptionGroup var store: AccountStoreOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let accounts = try await store.use { database in
            var accounts: [StoredAccount] = []
            while true {
                let last = accounts.last?.user
                let page = try await database.withSession { try $0.accounts(after: last, limit: 500) }
                accounts += page
                if page.count < 500 { return accounts }
            }
        }
        try StandardOutput.say(accounts.map(AccountLine.init), json: json)
    }
}

/// An account, as it is printed.
private struct AccountLine: PrintedRow {
    static let row = RowShape<AccountLine>("OperatedAccount") {
        Field("email", \.account.email.text, example: "ann@example.org").column()
        Field("id", \.account.user.description, as: .text("uuid"))
        Field("role", \.account.role.rawValue, example: "user").column()
        Field("created", \.account.created.plain, as: .time).column()
        Field("verified", { $0.account.verified != nil }, "Whether its address is proven.", example: true)
        Field("disabled", { $0.account.disabled != nil }, "Whether it allows nothing now.", example: false)
            .column(as: "state") { TextTable.Cell($0.account.disabled == nil ? "" : "disabled") }
        Field("second_factor", \.account.hasSecondFactor, "Whether it has one.", example: false)
    }

    let account: StoredAccount
}

struct UserDisableCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Takes away all that an account allows, at once; --undo gives it back.")
    static let audit = AuditRule.entry([.accountDisable, .accountEnable])

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The e-mail address.") var email: String
    @Flag(help: "Give it back.") var undo = false

    func run() async throws {
        let (email, isDisabled, now) = (email, !undo, Timestamp.now)
        try await store.use { database in
            let user = try await AccountStoreOptions.account(email, in: database).user
            try await database.transaction { session in
                try session.setDisabled(isDisabled, user, at: now)
                let action: AuditAction = isDisabled ? .accountDisable : .accountEnable
                try session.audit(AuditChange(action, account: user), by: Self.actor)
            }
        }
    }
}

struct UserResetCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Prints a link that sets a new password once, within a day.")
    static let audit = AuditRule.entry([.passwordLink])

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The e-mail address.") var email: String
    @OptionGroup var page: PageOptions
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let (email, now) = (email, Timestamp.now)
        let (account, link) = try await store.use { database in
            let account = try await AccountStoreOptions.account(email, in: database)
            let link = PasswordLink(for: account.user, at: now)
            try await database.transaction { session in
                try link.store(in: session)
                try session.audit(AuditChange(.passwordLink, account: account.user), by: Self.actor)
            }
            return (account, link)
        }
        try link.print(for: account, at: await page.found(on: store.bus), json: json)
    }
}

/// Where people find the page.
struct PageOptions: ParsableArguments {
    @Option(
        name: .customLong("page"),
        help: "Where people find the page, for the link. Else what a running gateway says of itself.")
    var address: String?

    mutating func validate() throws {
        guard var given = address else { return }
        guard given.hasPrefix("http://") || given.hasPrefix("https://") else {
            throw ValidationError("--page is \"\(given)\": accepted is http://HOST:PORT or https://HOST")
        }
        while given.hasSuffix("/") { given.removeLast() }
        address = given
    }

    /// The address: as given, else what a gateway says on the bus, else where one listens unless told
    /// otherwise.
    func found(on bus: BusOptions) async -> String {
        if let address { return address }
        // The link is made already: whatever is wrong with the bus, it is shown.
        let client = try? BusClient(bus.addresses())
        let state = try? await client?.state(["service.status.gateway."])
        let pages = state?.events.compactMap { message -> String? in
            guard case .serviceStatus(let status) = message.event, !status.page.isEmpty else { return nil }
            return status.page
        }
        return pages?.last ?? "http://localhost:8080"
    }
}

/// A link that sets a password once.
struct PasswordLink: Sendable {
    private let ticket: Ticket
    private let secret = Secrets.bytes(32)

    init(for user: UserID, at now: Timestamp) {
        ticket = Ticket(.reset, id: AccountStoreOptions.newID(at: now), user: user, at: now, seconds: 86_400)
    }

    func store(in session: borrowing Session) throws(StoreError) {
        try session.dropTickets(.reset, of: ticket.user)
        try session.addTicket(ticket, digest: Secrets.digest(secret))
    }

    func print(for account: StoredAccount, at page: String, json: Bool) throws {
        let line = PasswordLinkLine(
            account: account, token: Base64URL.text(secret), page: page, expires: ticket.expires)
        try StandardOutput.say([line], json: json)
    }
}

/// A link that sets a password once, as it is printed.
private struct PasswordLinkLine: PrintedRow {
    static let row = RowShape<PasswordLinkLine>("PasswordLink") {
        Field("email", \.account.email.text, example: "ann@example.org").column()
        Field("id", \.account.user.description, "The account's.", as: .text("uuid"))
        Field("role", \.account.role.rawValue, example: "user").column()
        Field("token", \.token, "What the link opens with.")
        Field("link", { "\($0.page)/reset#token=\($0.token)" }).column()
        Field("expires", \.expires.plain, as: .time).column(as: "until")
    }

    let account: StoredAccount
    let token: String
    let page: String
    let expires: Timestamp
}
