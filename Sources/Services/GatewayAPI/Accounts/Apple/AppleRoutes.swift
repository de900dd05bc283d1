import AccountStore
import Accounts
import Credentials
import Hummingbird
import Instruments
import Logging
import Store
import Web

private struct AppleBody: Decodable {
    var identityToken: String
    var nonce: String
    var code: String?
    var invitation: String?
    var locale: String?
    var timeZone: String?

    private enum CodingKeys: String, CodingKey {
        case nonce, code, invitation, locale
        case identityToken = "identity_token"
        case timeZone = "time_zone"
    }
}

private struct AppleLinkBody: Decodable {
    var identityToken: String
    var nonce: String
    var password: String?
    var code: String?
    var passkey: PasskeyBody?

    private enum CodingKeys: String, CodingKey {
        case nonce, password, code, passkey
        case identityToken = "identity_token"
    }
}

private struct AppleOptions: Encodable {
    var nonce: String
    var clients: [String]
    var expires: String
    /// Where a browser goes to; missing where only apps sign in.
    var authorization: String?
}

extension Gateway {
    /// Routes of Sign in with Apple: `/v1/auth/apple…`, `/v1/account/apple`.
    func addAppleRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.post("/v1/auth/apple/options", .open, weight: 10) { _, _ in
            .json(try await desk.appleOptions())
        }
        routes.post("/v1/auth/apple", .open, weight: 30) { request, context in
            let new = desk.newSession(request, context)
            return try await desk.signInWithApple(try context.json(AppleBody.self), opening: new)
        }
        addAppleReturn(to: routes)
        routes.put("/v1/account/apple", .session, weight: 20) { _, context in
            try await desk.linkApple(try context.json(AppleLinkBody.self), to: try context.who)
            return .noContent
        }
        routes.delete("/v1/account/apple", .session) { _, context in
            let user = try context.who.user
            try await desk.change { session in try session.unlinkApple(user) }
            return .noContent
        }
    }
}

extension AccountDesk {
    /// Seconds within which Apple's answer must come.
    private static let applePatience: Int64 = 600

    private var verifier: AppleVerifier {
        get throws(Problem) {
            guard let apple else {
                throw Problem(.forbidden, "Sign in with Apple is not configured here (apple.clients)")
            }
            return apple
        }
    }

    fileprivate func appleOptions() async throws -> AppleOptions {
        let (clients, now, nonce) = (try verifier.clients.sorted(), clock(), Secrets.text())
        let ticket = Ticket(.appleSignIn, id: newID(at: now), at: now, seconds: Self.applePatience)
        try await change { try $0.addTicket(ticket, digest: Secrets.digest(text: nonce) ?? []) }
        return AppleOptions(
            nonce: nonce, clients: clients, expires: ticket.expires.inAnswers,
            authorization: try verifier.page?.address(nonce: nonce, back: origin))
    }

    private func token(_ text: String, _ nonce: String) async throws -> (AppleToken, digest: [UInt8]) {
        guard let digest = Secrets.digest(text: nonce) else { throw Self.appleIsOver }
        do {
            return (try await verifier.verify(text, nonce: nonce, at: clock()), digest)
        } catch let fault as AppleTokenFault {
            throw Problem(.unauthenticated, "the identity token is not accepted: \(fault.rawValue)")
        } catch let problem as Problem {
            throw problem
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.warning("Apple's keys cannot be had", metadata: ["error": "\(error)"])
            var problem = Problem(.unavailable, "Apple's keys cannot be had right now; try again in a moment")
            problem.retryAfter = 60
            throw problem
        }
    }

    fileprivate static let appleIsOver = Problem(.expired, "the nonce was used or is over; begin again")

    fileprivate func signInWithApple(_ body: AppleBody, opening new: NewSession) async throws -> Response {
        let (token, digest) = try await token(body.identityToken, body.nonce)
        let found = try await database.withSession { try $0.account(appleSubject: token.subject) }
        guard let account = found else {
            return try await signUpWithApple(token, body, digest, opening: new)
        }
        guard account.disabled == nil else { throw Problem(.unauthenticated, "the account is disabled") }
        if account.hasSecondFactor {
            guard let code = body.code else {
                throw Problem(.secondFactorRequired, "a code of the authenticator app is needed as well")
            }
            try await confirm(code: code, of: account.user)
        }
        let (now, limits) = (clock(), configuration.sessions)
        try await change { session in
            try session.useNonce(digest, at: now)
            // It may have been disabled or unlinked meanwhile.
            guard let current = try session.account(appleSubject: token.subject), current.disabled == nil,
                current.user == account.user
            else { throw Problem(.unauthenticated, "the account is disabled") }
            try session.open(new, of: account.user, at: now, limits: limits)
        }
        return welcome(account, new)
    }

    /// By the same rules as with a password.
    ///
    /// An address that an account has is never taken for proof that
    /// the account is theirs: who has it signs in to it and links.
    private func signUpWithApple(
        _ token: AppleToken, _ body: AppleBody, _ digest: [UInt8], opening new: NewSession
    ) async throws -> Response {
        var settings = UserSettings()
        try settings.apply(locale: body.locale, timeZone: body.timeZone)
        let invitation = try invitation(body.invitation)
        guard let email = token.email else {
            throw Problem(.forbidden, "Apple told no verified address; allow it, or sign up with a password")
        }
        let now = clock()
        var made = StoredAccount(
            user: UserID(rawValue: newID(at: now)), email: email, passwordHash: nil, created: now,
            verified: now)
        made.hasApple = true
        let account = made
        let (limits, chosen) = (configuration.sessions, settings)
        try await change { session in
            try session.useNonce(digest, at: now)
            try session.use(invitation, for: email, at: now)
            try session.createAccount(account, appleSubject: token.subject)
            try session.setSettings(chosen, of: account.user)
            try session.open(new, of: account.user, at: now, limits: limits)
        }
        return welcome(account, new, status: .created)
    }

    fileprivate func linkApple(_ body: AppleLinkBody, to identity: Identity) async throws {
        let (token, digest) = try await token(body.identityToken, body.nonce)
        try await proveBeforeAdding(
            identity, ProofBody(password: body.password, code: body.code, passkey: body.passkey))
        let now = clock()
        try await change { session in
            try session.useNonce(digest, at: now)
            try session.linkApple(token.subject, to: identity.user)
        }
    }
}

extension Session {
    fileprivate func useNonce(_ digest: [UInt8], at now: Timestamp) throws {
        guard try useTicket(.appleSignIn, digest: digest, at: now) != nil else {
            throw AccountDesk.appleIsOver
        }
    }
}
