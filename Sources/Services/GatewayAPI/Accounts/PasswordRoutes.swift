import AccountStore
import Accounts
import Credentials
import Hummingbird
import Instruments
import Store

private struct ChangeBody: Decodable {
    var current: String
    var new: String
    var code: String?
}

private struct ResetBody: Decodable {
    var token: String
    var password: String
}

extension Gateway {
    /// Routes that replace a password.
    func addPasswordRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.post("/v1/auth/password", .session, weight: 30) { _, context in
            let (identity, body) = (try context.who, try context.json(ChangeBody.self))
            let account = try await desk.confirm(identity, password: body.current, field: "current")
            // A code is used up: not for a password that is refused.
            try desk.check(body.new, for: account.email, field: "new")
            try await desk.confirmSecondFactor(body.code, of: account)
            let hash = try await desk.hash(body.new, for: account.email, field: "new")
            var kept: UniqueID?
            if case .session(let id) = identity.credential { kept = id }
            let session = kept
            try await desk.change { try $0.setPassword(hash, of: account.user, keeping: session) }
            return .noContent
        }
        routes.post("/v1/auth/reset/confirm", .open, weight: 30) { _, context in
            let body = try context.json(ResetBody.self)
            guard let digest = Secrets.digest(text: body.token) else { throw AccountDesk.resetIsOver }
            let hash = try await desk.hash(body.password, for: nil, field: "password")
            let now = desk.clock()
            try await desk.change { session in
                guard let user = try session.useTicket(.reset, digest: digest, at: now)?.user else {
                    throw AccountDesk.resetIsOver
                }
                // Known only now; a refusal gives the link back.
                try desk.check(body.password, for: try session.account(user)?.email, field: "password")
                try session.setPassword(hash, of: user)
                // Whoever has the link has the mailbox, or had it from the operator.
                try session.markVerified(user, at: now)
                try session.dropTickets(.reset, of: user)
            }
            return .noContent
        }
    }
}

extension AccountDesk {
    fileprivate static let resetIsOver = Problem(
        .expired, "the link was used or is over; ask for another one")

    /// Makes a link that sets a new password once, within a day.
    func resetLink(for user: UserID) async throws -> LinkAnswer {
        try await link(.reset, page: "reset", user: user, email: nil, seconds: 86_400)
    }

    /// Makes a link that is good once.
    func link(
        _ kind: Ticket.Kind, page: String, user: UserID?, email: EmailAddress?, seconds: Int64
    ) async throws -> LinkAnswer {
        let (now, secret) = (clock(), Secrets.text())
        let ticket = Ticket(
            kind, id: newID(at: now), user: user, email: email?.folded, at: now, seconds: seconds)
        let digest = Secrets.digest(text: secret) ?? []
        try await change { session in
            if let user { try session.dropTickets(kind, of: user) }
            try session.addTicket(ticket, digest: digest)
        }
        return LinkAnswer(
            id: ticket.id.description, token: secret, link: "\(linkBase)/\(page)#token=\(secret)",
            expires: ticket.expires.inAnswers)
    }
}
