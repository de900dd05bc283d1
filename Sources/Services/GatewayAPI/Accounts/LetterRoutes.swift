import AccountStore
import Accounts
import Credentials
import GatewayFrame
import HTTPTypes
import Hummingbird
import InstallationStore
import Instruments
import Shapes
import Store

private struct PasswordResetRequest: WireInput {
    static let shape = InputShape("ResetWish", Self.init(email:)) {
        InputField("email", .text, example: "ann@example.org")
    }

    var email: String
}

private struct AddressProof: WireInput {
    static let shape = InputShape("AddressProof", Self.init(token:)) {
        InputField("token", .secret, "Of the letter's link.", example: .linkToken)
    }

    var token: String
}

/// 202 without a body: the same for every address.
private struct LetterAsked: RouteAnswer {
    static let documents = [AnswerDocument(status: 202, text: "Said for every address.")]

    var response: Response { Response(status: .accepted, headers: [.cacheControl: "no-store"]) }
}

extension Gateway {
    /// Routes that have to do with letters: `/v1/auth/reset`, `/v1/auth/verify`.
    func addLetterRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/reset", .open,
            Operation(
                "askReset", .accounts,
                """
                Sends a letter with a link that sets a new password, where mail is configured and the \
                address has an account.
                """
            ).unaudited("anybody may ask; nothing is changed before the link is used"), weight: 30
        ) { (wish: PasswordResetRequest, _) in
            let email = try AccountService.email(wish.email)
            if accountService.configuration.mail != nil { try await accountService.writeReset(to: email) }
            return LetterAsked()
        }
        routes.post(
            "/v1/auth/verify", .open,
            Operation(
                "verifyAddress", .accounts, "Confirms an address by the link in a letter.",
                problems: [.expired]
            ).audited(.accountVerify), weight: 10
        ) { (proof: AddressProof, context) in
            let (now, actor) = (accountService.clock(), context.gatewayAsActor)
            try await accountService.change { session in
                guard let digest = Secrets.digest(text: proof.token),
                    let user = try session.useTicket(.verification, digest: digest, at: now)?.user
                else { throw Problem(.expired, "the link was used or is over; sign in to get another one") }
                try session.markVerified(user, at: now)
                try session.audit(AuditChange(.accountVerify, account: user), by: actor.proven(user))
            }
            return NoContent()
        }
    }
}

extension AccountService {
    /// Letters to one user within an hour.
    private static let letterLimit = 3

    fileprivate func writeReset(to email: EmailAddress) async throws {
        try await change { session in
            guard let account = try session.account(email: email), account.disabled == nil else { return }
            try write(.reset, to: account.user, seconds: 3_600, in: session)
        }
    }

    /// Writes to somebody who has an account and signs up once more: the letter's link sets a password.
    ///
    /// Of two who signed up with an address that nobody has confirmed, nobody knows which is its owner:
    /// neither password counts, and the link of the letter before is worth nothing.
    func remind(_ account: StoredAccount, in session: borrowing Session, by actor: AuditActor) throws {
        guard account.disabled == nil else { return }
        if account.verified == nil {
            if account.passwordHash != nil {
                try session.dropPassword(of: account.user)
                try session.audit(AuditChange(.passwordDrop, account: account.user), by: actor)
            }
            try session.dropTickets(.verification, of: account.user)
        }
        // More than of others: whoever asks for those could use the number up, and no letter would open it.
        try write(.reset, to: account.user, seconds: 3_600, limit: 2 * Self.letterLimit, in: session)
    }

    /// Writes the letter that asks whether an address is its owner's.
    func writeVerification(to user: UserID, in session: borrowing Session) throws {
        try write(.verification, to: user, seconds: 86_400, in: session)
    }

    /// Writes a letter with a link that is good once, unless there were too many.
    private func write(
        _ kind: AccountLetter.Kind, to user: UserID, seconds: Int64, limit: Int = letterLimit,
        in session: borrowing Session
    ) throws {
        let now = clock()
        guard let vault,
            try session.letters(to: user, since: now.adding(nanoseconds: -3_600_000_000_000))
                < limit
        else { return }
        let secret = Secrets.bytes(32)
        let ticket = Ticket(
            kind == .reset ? .reset : .verification, id: newID(at: now), user: user, at: now, seconds: seconds
        )
        try session.addTicket(ticket, digest: Secrets.digest(secret))
        let id = newID(at: now)
        let sealed = try vault.seal(secret, for: .letter(id, to: user))
        try session.addLetter(
            AccountLetter(
                id: id, user: user, kind: kind, sealed: sealed, created: now,
                expires: ticket.expires))
    }
}
