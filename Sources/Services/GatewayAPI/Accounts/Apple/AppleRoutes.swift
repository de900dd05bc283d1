import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Logging
import Store
import Web

extension Gateway {
    /// Routes of Sign in with Apple: `/v1/auth/apple…`, `/v1/account/apple`.
    func addAppleRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/apple/options", .open,
            Operation(
                "beginAppleSignIn", .accounts,
                "A nonce for Sign in with Apple, good once and for ten minutes.",
                """
                The app or page gives it to Apple, as it is or as SHA-256 in hexadecimal. 403 where Sign in \
                with Apple is not configured.
                """
            ).unaudited("a question changes nothing"), weight: 10
        ) { _ in
            OK(try await accountService.appleQuestion())
        }
        routes.post(
            "/v1/auth/apple", .open,
            Operation(
                "signInWithApple", .accounts,
                "Signs in with an identity token of Apple, and signs up where nobody is known by it.",
                """
                By the rules of who may sign up, and only with an address that Apple has verified. An \
                address that an account has is 409 duplicate; who has that account signs in to it and links \
                with PUT /v1/account/apple. 401 second-factor-required asks for a code of the authenticator.
                """, problems: [.conflict, .expired]
            ).audited(.accountCreate), weight: 30
        ) { (proof: AppleSignIn, request, context) in
            try await accountService.signInWithApple(
                proof, opening: accountService.newSession(request, context), context)
        }
        addAppleReturn(to: routes)
        routes.put(
            "/v1/account/apple", .session,
            Operation(
                "linkApple", .accounts, "Lets who asks sign in with an Apple Account from now on.",
                """
                A session alone is not enough; password and code, or a passkey, show once more whose account \
                it is.
                """, problems: [.conflict, .expired]
            ).audited(.appleLink), weight: 20
        ) { (link: AppleLink, context) in
            try await accountService.linkApple(link, to: try context.who, by: try context.actor)
            return NoContent()
        }
        routes.delete(
            "/v1/account/apple", .session,
            Operation(
                "unlinkApple", .accounts, "Takes that away, where there is a password or a passkey.",
                problems: [.conflict, .notFound]
            ).audited(.appleUnlink)
        ) { context in
            let (user, actor) = (try context.who.user, try context.actor)
            try await accountService.change { session in
                try session.unlinkApple(user)
                try session.audit(AuditChange(.appleUnlink, account: user), by: actor)
            }
            return NoContent()
        }
    }
}

extension AccountService {
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

    fileprivate func appleQuestion() async throws -> AppleAuthorizationRequest {
        let (clients, now, nonce) = (try verifier.clients.sorted(), clock(), Secrets.text())
        let ticket = Ticket(.appleSignIn, id: newID(at: now), at: now, seconds: Self.applePatience)
        try await change { try $0.addTicket(ticket, digest: Secrets.digest(text: nonce) ?? []) }
        return AppleAuthorizationRequest(
            nonce: nonce, clients: clients, expires: ticket.expires,
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

    fileprivate func signInWithApple(
        _ proof: AppleSignIn, opening new: NewSession, _ context: GatewayContext
    ) async throws -> AppleSignInAnswer {
        let (token, digest) = try await token(proof.identityToken, proof.nonce)
        let found = try await database.withSession { try $0.account(appleSubject: token.subject) }
        guard let account = found else {
            return try await signUpWithApple((token, digest), proof, opening: new, context)
        }
        guard account.disabled == nil else { throw Problem(.unauthenticated, "the account is disabled") }
        if account.hasSecondFactor {
            guard let code = proof.code else {
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
        return .signedIn(welcome(account, new))
    }

    /// By the same rules as with a password.
    ///
    /// An address that an account has is never taken for proof that
    /// the account is theirs: who has it signs in to it and links.
    private func signUpWithApple(
        _ shown: (token: AppleToken, nonce: [UInt8]), _ proof: AppleSignIn, opening new: NewSession,
        _ context: GatewayContext
    ) async throws -> AppleSignInAnswer {
        let (token, digest) = shown
        var settings = UserSettings()
        try settings.apply(locale: proof.locale, timeZone: proof.timeZone)
        let invitation = try invitation(proof.invitation)
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
        let actor = context.actor(of: account.user)
        try await change { session in
            try session.useNonce(digest, at: now)
            let used = try session.use(invitation, for: email)
            try session.createAccount(account, appleSubject: token.subject)
            try session.audit(.signUp(account, by: used), by: actor)
            try session.setSettings(chosen, of: account.user)
            try session.open(new, of: account.user, at: now, limits: limits)
        }
        let answer = Created(UserAnswer(user: AccountAnswer(account)))
        return .signedUp(WithCookie(answer, cookie(of: new)))
    }

    fileprivate func linkApple(
        _ link: AppleLink, to identity: Identity, by actor: AuditActor
    ) async throws {
        let (token, digest) = try await token(link.identityToken, link.nonce)
        try await proveBeforeAdding(
            identity, ProofBody(password: link.password, code: link.code, passkey: link.passkey))
        let now = clock()
        try await change { session in
            try session.useNonce(digest, at: now)
            try session.linkApple(token.subject, to: identity.user)
            try session.audit(AuditChange(.appleLink, account: identity.user), by: actor)
        }
    }
}

extension Session {
    fileprivate func useNonce(_ digest: [UInt8], at now: Timestamp) throws {
        guard try useTicket(.appleSignIn, digest: digest, at: now) != nil else {
            throw AccountService.appleIsOver
        }
    }
}
