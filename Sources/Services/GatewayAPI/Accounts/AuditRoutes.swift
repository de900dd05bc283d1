import AccountStore
import Accounts
import GatewayFrame
import Instruments
import Shapes
import Store

/// A line of the audit log as the API shows it.
private struct AuditBody: WireBody {
    static let shape = BodyShape<AuditBody>("AuditEntry", "Who did what to whom and when.") {
        Field(
            "action", \.entry.action, "What was changed, and what became of it; more words may come.",
            as: .text(), example: "token.revoke")
        Field(
            "actor", \.entry.actor.kind.rawValue,
            "Somebody with an account, whoever works on the machine itself, or a service.",
            as: .words(AuditActor.Kind.allCases.map(\.rawValue)), example: "account")
        Field(
            "actor_id", \.entry.actor.user?.rawValue,
            "The account; of one that was erased a key that is nobody's.")
        Field(
            "address", \.entry.actor.address, "Where it came from; null for a command on the machine.",
            example: "127.0.0.1")
        Field(
            "command", \.entry.actor.command, "The route or the command.",
            example: "POST /v1/account/tokens")
        Field("detail", \.entry.detail, "What changed; never a secret.", example: [:])
        Field("id", \.entry.id)
        Field("owner", \.entry.owner?.rawValue, "Whose account it is about, where it is about one.")
        Field(
            "subject", \.entry.subject, "What kind of thing was changed; more words may come.",
            as: .text(), example: "token")
        Field("subject_id", \.entry.subjectID, "Its key, where it has one.")
        Field(
            "time", { $0.entry.time.iso8601(fractionDigits: 9) }, "By the clock of the database.",
            as: .time, example: "2026-11-21T12:00:00.123456000Z")
        Field("token", \.entry.actor.token, "The token that was shown, where one was.")
    }

    var entry: AuditEntry
}

extension Gateway {
    private static let auditSince = Parameter.time("since", "Only what happened then or later.")
    private static let auditAction = Parameter.choice(
        "action", "Only what has this word.", AuditAction.self)
    private static let auditAccount = Parameter<UserID?>(
        "account", "Only what an account did, or what is about it, by its id.", .text("uuid")
    ) { (query) throws(Problem) in
        guard let text = try query.text("account") else { return nil }
        guard let id = UniqueID(text.lowercased()) else {
            throw .invalid("account", text, accepted: "the id of an account")
        }
        return UserID(rawValue: id)
    }

    /// `GET /v1/audit`: the audit log, for who runs the installation.
    func addAuditRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/audit", .scope(.operator),
            Operation(
                "listAudit", .accounts,
                "Who changed accounts, tokens, secrets and the installation, the newest first.",
                """
                One entry for each change, written with it; nobody can change or remove one, and after two \
                years they are over. Everybody finds those of their own account in what they take along.
                """),
            query: .page + [Self.auditSince, Self.auditAccount, Self.auditAction]
        ) { context in
            let question = try context.page(of: "audit")
            var wanted = AuditQuery()
            wanted.since = try context.query[Self.auditSince]
            wanted.account = try context.query[Self.auditAccount]
            wanted.action = try context.query[Self.auditAction]
            wanted.before = try TimeCursor(question.after).map { (time: $0.time, id: $0.id) }
            let (query, limit) = (wanted, question.limit + 1)
            let entries = try await accountService.database.withSession { session in
                try session.auditEntries(query, limit: limit)
            }
            let page = entries.prefix(question.limit)
            let last = entries.count > page.count ? page.last : nil
            return Page(
                page.map(AuditBody.init(entry:)),
                next: last.map { Cursor.text("audit", TimeCursor($0.time, $0.id).text) })
        }
    }
}
