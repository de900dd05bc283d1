import Accounts
import ArgumentParser
import Instruments
import JSON

/// The command group `bitpal token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "What programs may do for an account.",
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

struct TokenCreateCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a token and prints it; it is never shown again.")
    static let audit = AuditRule.entry([.tokenCreate])

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The account's e-mail address; without it your own account.") var email: String?
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
        let names = scopes.split(separator: ",", omittingEmptySubsequences: false)
        var wish: JSONObject = [
            "name": .string(name), "scopes": .array(names.map { .string(String($0)) }),
        ]
        if let days {
            let expires = Timestamp.now.adding(nanoseconds: days * 86_400_000_000_000)
            wish["expires"] = .string(expires.plain)
        }
        let client = try gateway.client()
        let path = try await client.tokensPath(of: email)
        try TokenRows.print([try await client.send("POST", path, json: .object(wish))], json: json)
    }
}

struct TokenListCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The tokens of an account, the newest first, without their secrets.")
    static let audit = AuditRule.nothing("reads")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The account's e-mail address; without it your own account.") var email: String?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let list = try await client.get(try await client.tokensPath(of: email))
        try TokenRows.print(list["items"]?.elements ?? [], json: json)
    }
}

struct TokenRevokeCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a token; it opens nothing from then on.",
        usage: "bitpal token revoke [--data-dir <directory>] [<email>] <id>")
    static let audit = AuditRule.entry([.tokenRevoke])

    @OptionGroup var gateway: GatewayOptions
    // An address that may be missing would take the first word, also where that is the id.
    @Argument(
        help: ArgumentHelp(
            "The account's e-mail address, without it your own account; and the token's id.",
            valueName: "email-and-id"))
    var words: [String]

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("\(words.count) words are given: accepted is an e-mail address and an id")
        }
    }

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.tokensPath(of: words.count == 2 ? words[0] : nil)
        try await client.send("DELETE", "\(path)/\(GatewayClient.part(words.last ?? ""))", json: nil)
    }
}

/// Tokens as a table for people and as lines of JSON.
private enum TokenRows {
    /// Tokens as the gateway tells them; one that was just made has its text.
    static func print(_ tokens: [JSONValue], json isJSON: Bool) throws {
        let isNew = tokens.contains { !$0.text("token").isEmpty }
        let columns: [Column<JSONValue>] = [
            .member("name"), .member("id"),
            Column("scopes") { $0.texts("scopes", joinedBy: ",") }, Column("state", text: state),
            Column("last used") { $0.text("last_used").isEmpty ? "never" : $0.text("last_used") },
        ]
        try ItemRows.print(tokens, json: isJSON, columns + (isNew ? [.member("token")] : []))
    }

    private static func state(of token: JSONValue) -> String {
        let (revoked, expires) = (token.text("revoked"), token.text("expires"))
        if !revoked.isEmpty { return "revoked \(revoked)" }
        return expires.isEmpty ? "" : "until \(expires)"
    }
}

extension GatewayClient {
    /// Where the tokens of an account are; of one's own without an address.
    ///
    /// - Throws: ``CommandFailure`` where there is no account with the address.
    fileprivate func tokensPath(of email: String?) async throws -> String {
        guard let email else { return "/v1/account/tokens" }
        return "/v1/operator/users/\(try await userID(of: email))/tokens"
    }

    /// The id of the account with an address.
    ///
    /// - Throws: ``CommandFailure`` where there is none.
    func userID(of email: String) async throws -> String {
        let found = try await get("/v1/operator/users", [("email", email)])["items"]?.elements ?? []
        // An empty address asks for everybody.
        guard let user = found.first(where: { $0.text("email").lowercased() == email.lowercased() }) else {
            throw CommandFailure(.notFound, "there is no account \"\(email)\"")
        }
        return user.text("id")
    }
}
