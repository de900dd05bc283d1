import Accounts
import ArgumentParser
import JSON

struct UserInviteCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Prints a link that lets somebody sign up, once.")
    static let audit = AuditRule.entry([.invitationCreate])

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Who alone may use it, by e-mail address; without it that is whoever has the link.")
    var email: String?
    @Option(help: "Days that it is good, 1...365.") var days: Int64 = 14
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard (1...365).contains(days) else {
            throw ValidationError("--days is \(days): accepted is 1...365")
        }
    }

    func run() async throws {
        let client = try gateway.client()
        var wish: JSONObject = ["days": .number("\(days)")]
        if let email { wish["email"] = .string(email) }
        let made = try await client.send("POST", "/v1/operator/invitations", json: .object(wish))
        try ItemRows.print(
            [made], json: json,
            [
                // A gateway that does not know its address tells the path.
                Column("link") { item in
                    let link = item.text("link")
                    return TextTable.Cell(link.hasPrefix("/") ? client.base + link : link)
                },
                .member("id"), .member("expires", as: "until"),
            ])
    }
}

struct UserInvitationsCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitations", abstract: "Invitations that nobody used yet, the newest first.")
    static let audit = AuditRule.nothing("reads")

    @OptionGroup var gateway: GatewayOptions
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let list = try await gateway.client().get("/v1/operator/invitations")
        try ItemRows.print(
            list["items"]?.elements ?? [], json: json,
            [
                .member("id"), .member("email"), .member("created"), .member("expires", as: "until"),
            ])
    }
}

struct UserUninviteCommand: AsyncParsableCommand, AuditedCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninvite", abstract: "Takes an invitation back that nobody used yet.")
    static let audit = AuditRule.entry([.invitationRevoke])

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "Its id, as `bitpal user invitations` shows it.") var id: String

    func run() async throws {
        let path = "/v1/operator/invitations/\(GatewayClient.part(id))"
        try await gateway.client().send("DELETE", path, json: nil)
    }
}
