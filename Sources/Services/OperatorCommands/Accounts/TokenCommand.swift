import AccountStore
import Accounts
import ArgumentParser
import Credentials
import Instruments
import JSON
import Store

/// The command group `bitpal token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "What programs may do for an account.",
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

/// The command `bitpal token create`.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a token and prints it; it is never shown again.")

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The account's e-mail address.") var email: String
    @Option(help: "What to call it.") var name: String
    @Option(help: "What it may do, such as market:read,alerts:read.") var scopes: String
    @Option(help: "Days after which it opens nothing, 1...3650; without, it lasts until it is revoked.")
    var days: Int64?
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard days.map({ (1...3_650).contains($0) }) ?? true else {
            throw ValidationError("--days is \(days ?? 0): accepted is 1...3650")
        }
    }

    func run() async throws {
        let (email, name, now) = (email, name, Timestamp.now)
        let names = scopes.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let expires = days.map { now.adding(nanoseconds: $0 * 86_400_000_000_000) }
        let secret = Secrets.bytes(32)
        let token = try await store.use { database in
            let account = try await AccountStoreOptions.account(email, in: database)
            let token = StoredToken(
                id: AccountStoreOptions.newID(at: now), user: account.user, name: name,
                scopes: try TokenRows.scopes(names, for: account.role), created: now, expires: expires)
            let digest = Secrets.digest(secret)
            try await database.transaction { try $0.addToken(token, digest: digest) }
            return token
        }
        let id = [token.id.high, token.id.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
        try TokenRows.print([token], text: TokenText(id: id, secret: secret).text, json: json)
    }
}

/// The command `bitpal token list`.
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The tokens of an account, the newest first, without their secrets.")

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The account's e-mail address.") var email: String
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let email = email
        let tokens = try await store.use { database in
            let user = try await AccountStoreOptions.account(email, in: database).user
            return try await database.withSession { session in try session.tokens(of: user) }
        }
        try TokenRows.print(tokens, text: nil, json: json)
    }
}

/// The command `bitpal token revoke`.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a token; it opens nothing from then on.")

    @OptionGroup var store: AccountStoreOptions
    @Argument(help: "The account's e-mail address.") var email: String
    @Argument(help: "The token's id.") var id: String

    func run() async throws {
        let (email, text, now) = (email, id, Timestamp.now)
        try await store.use { database in
            let user = try await AccountStoreOptions.account(email, in: database).user
            guard let id = UniqueID(text),
                try await database.withSession({ try $0.revokeToken(id, of: user, at: now) })
            else { throw CommandFailure(.notFound, "\(email) has no token \"\(text)\" in force") }
        }
    }
}

/// Tokens as a table for people and as lines of JSON.
enum TokenRows {
    static func scopes(_ names: [String], for role: Role) throws -> Set<Scope> {
        do throws(FieldFault) {
            return try Scope.read(names, for: role)
        } catch {
            throw CommandFailure(.failed, error.description)
        }
    }

    static func print(_ tokens: [StoredToken], text: String?, json: Bool) throws {
        var columns: [(String, TextTable.Alignment)] = [
            ("name", .left), ("id", .left), ("scopes", .left), ("state", .left), ("last used", .left),
        ]
        if text != nil { columns.append(("token", .left)) }
        try PortfolioRows.print(
            tokens, json, columns,
            cells: { token in
                let scopes = token.scopes.map(\.rawValue).sorted().joined(separator: ",")
                let state =
                    token.revoked.map { "revoked \($0.plain)" } ?? token.expires.map { "until \($0.plain)" }
                    ?? ""
                return [token.name, token.id.description, scopes, state, token.lastUsed?.plain ?? "never"]
                    + (text.map { [$0] } ?? [])
            },
            write: { token, line in
                line.text("id", token.id.description)
                line.text("name", token.name)
                line.key("scopes")
                line.beginArray()
                for scope in token.scopes.map(\.rawValue).sorted() { line.string(scope) }
                line.endArray()
                line.text("created", token.created.plain)
                line.key("expires")
                line.string(token.expires?.plain)
                line.key("last_used")
                line.string(token.lastUsed?.plain)
                line.key("revoked")
                line.string(token.revoked?.plain)
                if let text { line.text("token", text) }
            })
    }
}
