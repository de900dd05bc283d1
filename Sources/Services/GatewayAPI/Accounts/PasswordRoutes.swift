import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Shapes
import Store

private struct PasswordChange: WireInput {
    static let shape = InputShape("PasswordChange", Self.init(current:new:code:)) {
        InputField("current", .secret, "The password until now.", example: .password)
        InputField("new", .secret, "The password from now on.", example: "another lantern quilt")
        InputField(
            "code", .optional(.secret), "Of the authenticator app, or a recovery code, where one is in use.")
    }

    var current: String
    var new: String
    var code: String?
}

private struct PasswordReset: WireInput {
    static let shape = InputShape("PasswordReset", Self.init(token:password:)) {
        InputField("token", .secret, "Of the link.", example: .linkToken)
        InputField("password", .newPassword, "The password from now on.", example: "another lantern quilt")
    }

    var token: String
    var password: String
}

extension InputKind<String> {
    /// A password that the policy will look at.
    static var newPassword: InputKind { secret.documented(.text(length: 0...PasswordPolicy.longest)) }
}

extension Gateway {
    /// Routes that replace a password.
    func addPasswordRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/password", .session,
            Operation(
                "changePassword", .accounts, "Replaces the password and ends all other sessions.",
                problems: [.conflict]), weight: 30
        ) { (change: PasswordChange, context) in
            let identity = try context.who
            let account = try await accountService.confirm(
                identity, password: change.current, field: "current")
            // A code is used up: not for a password that is refused.
            try accountService.check(change.new, for: account.email, field: "new")
            try await accountService.confirmSecondFactor(change.code, of: account)
            let hash = try await accountService.hash(change.new, for: account.email, field: "new")
            var kept: UniqueID?
            if case .session(let id) = identity.credential { kept = id }
            let session = kept
            try await accountService.change { try $0.setPassword(hash, of: account.user, keeping: session) }
            return NoContent()
        }
        routes.post(
            "/v1/auth/reset/confirm", .open,
            Operation(
                "confirmReset", .accounts,
                "Sets a new password by a link that is good once; ends all sessions.", problems: [.expired]),
            weight: 30
        ) { (reset: PasswordReset, _) in
            guard let digest = Secrets.digest(text: reset.token) else { throw AccountService.resetIsOver }
            let hash = try await accountService.hash(reset.password, for: nil, field: "password")
            let now = accountService.clock()
            try await accountService.change { session in
                guard let user = try session.useTicket(.reset, digest: digest, at: now)?.user else {
                    throw AccountService.resetIsOver
                }
                // Known only now; a refusal gives the link back.
                try accountService.check(
                    reset.password, for: try session.account(user)?.email, field: "password")
                try session.setPassword(hash, of: user)
                // Whoever has the link has the mailbox, or had it from the operator.
                try session.markVerified(user, at: now)
                try session.dropTickets(.reset, of: user)
            }
            return NoContent()
        }
    }
}

extension AccountService {
    fileprivate static let resetIsOver = Problem(
        .expired, "the link was used or is over; ask for another one")

    /// A link that sets a new password once, within a day.
    func resetLink(for user: UserID) -> NewLink {
        link(.reset, page: "reset", user: user, email: nil, seconds: 86_400)
    }

    /// A link that is good once, when it is stored.
    func link(
        _ kind: Ticket.Kind, page: String, user: UserID?, email: EmailAddress?, seconds: Int64
    ) -> NewLink {
        let (now, secret) = (clock(), Secrets.text())
        let ticket = Ticket(
            kind, id: newID(at: now), user: user, email: email?.folded, at: now, seconds: seconds)
        let answer = LinkAnswer(
            id: ticket.id, token: secret, link: "\(linkBase)/\(page)#token=\(secret)",
            expires: ticket.expires)
        return NewLink(answer: answer, ticket: ticket, digest: Secrets.digest(text: secret) ?? [])
    }
}

/// A link with what is stored of it.
struct NewLink: Sendable {
    let answer: LinkAnswer
    let ticket: Ticket
    let digest: [UInt8]

    /// Makes it good, in place of earlier ones of who is to use it.
    func store(_ session: borrowing Session) throws(StoreError) {
        if let user = ticket.user { try session.dropTickets(ticket.kind, of: user) }
        try session.addTicket(ticket, digest: digest)
    }
}
