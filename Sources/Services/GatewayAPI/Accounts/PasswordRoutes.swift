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
                problems: [.conflict]
            ).audited(.passwordChange), weight: 30
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
            let (keeping, actor) = (kept, try context.actor)
            try await accountService.change { session in
                try session.setPassword(hash, of: account.user, keeping: keeping)
                try session.audit(AuditChange(.passwordChange, account: account.user), by: actor)
            }
            return NoContent()
        }
        routes.post(
            "/v1/auth/reset/confirm", .open,
            Operation(
                "confirmReset", .accounts,
                "Sets a new password by a link that is good once; ends all sessions.", problems: [.expired]
            ).audited(.passwordReset), weight: 30
        ) { (reset: PasswordReset, context) in
            guard let digest = Secrets.digest(text: reset.token) else { throw AccountService.resetIsOver }
            let hash = try await accountService.hash(reset.password, for: nil, field: "password")
            let (now, actor) = (accountService.clock(), context.gatewayAsActor)
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
                try session.audit(AuditChange(.passwordReset, account: user), by: actor.proven(user))
            }
            return NoContent()
        }
    }
}

extension AccountService {
    fileprivate static let resetIsOver = Problem(
        .expired, "the link was used or is over; ask for another one")

    /// Makes a link that sets a new password once, within a day.
    ///
    /// Inside the transaction that writes to the audit log why.
    func makeResetLink(for user: UserID, in session: borrowing Session) throws -> LinkAnswer {
        let (now, secret) = (clock(), Secrets.text())
        let ticket = Ticket(.reset, id: newID(at: now), user: user, at: now, seconds: 86_400)
        try session.dropTickets(.reset, of: user)
        try session.addTicket(ticket, digest: Secrets.digest(text: secret) ?? [])
        return LinkAnswer(
            id: ticket.id, token: secret, link: link("reset", secret), expires: ticket.expires)
    }

    /// Where the page takes a secret that is good once.
    func link(_ page: String, _ secret: String) -> String { "\(linkBase)/\(page)#token=\(secret)" }
}
