package import Accounts
package import ArgumentParser
import Instruments
import JSON

/// `bitpal audit`: who did what to whom and when.
package struct AuditCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Who changed accounts, tokens, secrets and the installation; the newest first.",
        discussion: """
            One line for each change, with the account or "terminal", the token, the address and the route \
            or command. Nobody can change or remove a line; after two years they are over. Needs the token \
            of an operator.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Option(help: "Only what happened then or later, such as 2026-11-21T12:00:00Z.") var since: String?
    @Option(help: "Only what an account did, or what is about it: an e-mail address or an id.")
    var account: String?
    @Option(help: "Only what has this word, such as token.revoke.") var action: AuditAction?
    @Option(help: "At most so many.") var limit = 100
    @Flag(help: "One JSON object a line.") var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    package func validate() throws {
        guard (1...100_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); accepted is 1...100000")
        }
        if let since, Timestamp(iso8601: since) == nil {
            throw ValidationError(
                "--since is \"\(since)\": accepted is a time in UTC such as 2026-11-21T12:00:00Z")
        }
    }

    /// Prints the lines.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        let client = try gateway.client()
        var id: String?
        if let account { id = account.contains("@") ? try await client.userID(of: account) : account }
        let entries = try await client.list(
            "/v1/audit", [("since", since), ("account", id), ("action", action?.rawValue)], limit: limit)
        try ItemRows.print(
            entries, json: json,
            [
                .member("time"), .member("action"),
                Column("who") { $0.cell($0.text("actor_id").isEmpty ? "actor" : "actor_id") },
                .member("token"), .member("address"), .member("command"),
                Column("about") { $0.cell($0.text("owner").isEmpty ? "subject" : "owner") },
                Column("detail") { TextTable.Cell(Self.detail(of: $0)) },
            ])
    }

    private static func detail(of entry: JSONValue) -> String {
        guard case .object(let members)? = entry["detail"] else { return "" }
        return members.map { "\($0.key)=\($0.value.text ?? "")" }.joined(separator: " ")
    }
}

extension AuditAction: ExpressibleByArgument {}
