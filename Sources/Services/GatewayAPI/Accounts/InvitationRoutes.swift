import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Shapes
import Store

private struct NewInvitation: WireInput {
    static let shape = InputShape("NewInvitation", Self.init(email:days:)) {
        InputField(
            "email", .optional(InputKind.text.documented(.text(length: 0...254))),
            "Who alone may sign up with it; without it that is whoever has the link.",
            example: "bob@example.org")
        InputField(
            "days", InputKind.integer(in: 1...365).otherwise(14, 14),
            "How long it is good.", example: 14)
    }

    var email: String?
    var days: Int
}

private struct InvitationBody: WireBody {
    static let shape = BodyShape<InvitationBody>("Invitation", "An invitation that nobody used yet.") {
        Field(
            "created", \.ticket.created.inAnswers, as: .time,
            example: .momentInAnswers)
        Field(
            ifPresent: "email", \.ticket.email, "Who alone may use it; missing where that is anybody.",
            example: "bob@example.org")
        Field(
            "expires", \.ticket.expires.inAnswers, as: .time,
            example: "2026-12-05T12:00:00.123Z")
        Field("id", \.ticket.id)
    }

    var ticket: Ticket
}

extension Gateway {
    /// Routes of those who are asked to sign up: `/v1/operator/invitations…`.
    func addInvitationRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/operator/invitations", .scope(.operator),
            Operation("listInvitations", .accounts, "Invitations that nobody used yet, the newest first.")
        ) { _ in
            let tickets = try await accountService.database.withSession { try $0.invitations() }
            return WholeList(items: tickets.map(InvitationBody.init(ticket:)))
        }
        routes.post(
            "/v1/operator/invitations", .scope(.operator),
            Operation(
                "invite", .accounts, "Makes a link that lets somebody sign up once.",
                "How long it is good is counted by the clock of the database."
            ).audited(.invitationCreate), creates: true
        ) { (invitation: NewInvitation, context) in
            Created(try await accountService.invite(invitation, by: try context.actor))
        }
        routes.delete(
            "/v1/operator/invitations/{id}", .scope(.operator),
            Operation("revokeInvitation", .accounts, "Takes an invitation back that nobody used yet.")
                .audited(.invitationRevoke)
        ) { context in
            let (id, actor) = (try context.id(), try context.actor)
            try await accountService.change { session in
                guard try session.revokeInvitation(id) else { throw Problem.notFound("invitation \(id)") }
                try session.audit(AuditChange(.invitationRevoke, .invitation, id), by: actor)
            }
            return NoContent()
        }
    }
}

extension AccountService {
    /// Makes an invitation; it is shown once.
    fileprivate func invite(_ new: NewInvitation, by actor: AuditActor) async throws -> LinkAnswer {
        let email = try new.email.map { text throws(Problem) in try Self.email(text) }
        let (id, secret) = (newID(at: clock()), Secrets.text())
        let (digest, seconds) = (Secrets.digest(text: secret) ?? [], Int64(new.days) * 86_400)
        let ticket = try await change { session in
            let ticket = try session.addInvitation(id, for: email, seconds: seconds, digest: digest)
            let detail = ["days": "\(new.days)", "address": email == nil ? "any" : "one"]
            try session.audit(AuditChange(.invitationCreate, .invitation, id, with: detail), by: actor)
            return ticket
        }
        guard let ticket else { throw Problem(.internal, "the invitation was not stored") }
        return LinkAnswer(id: id, token: secret, link: link("sign-up", secret), expires: ticket.expires)
    }
}
