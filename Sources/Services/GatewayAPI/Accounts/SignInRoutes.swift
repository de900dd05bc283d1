import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Shapes
import Store

private struct SignIn: WireInput {
    static let shape = InputShape("SignIn", Self.init(email:password:code:)) {
        InputField("email", .text, example: "ann@example.org")
        InputField("password", .secret, example: .password)
        InputField(
            "code", .optional(.secret), "Of the authenticator app, or a recovery code, where one is in use.")
    }

    var email: String
    var password: String
    var code: String?
}

extension DocumentNode {
    /// The password of examples.
    static let password: DocumentNode = "vacuum trombone quilt"
    /// The secret of a link, in examples.
    static let linkToken: DocumentNode = "mJbyX0SkIUEBoF1X3q2iF7m9nC4hIh1nXo8aQn3Jc0k"
}

extension Gateway {
    /// Routes that open and end sessions.
    func addSignInRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/sign-in", .open,
            Operation(
                "signIn", .accounts,
                "Signs in with a password, and with a code where an authenticator is in use.",
                """
                A wrong address, password or code is 401 unauthenticated, a missing code 401 \
                second-factor-required, too many attempts 429 throttled.
                """
            ).unaudited(Self.sessions), weight: 20
        ) { (body: SignIn, request, context) in
            let account = try await accountService.prove(
                body.email, body.password, code: body.code, from: context.client)
            let (now, limits) = (accountService.clock(), accountService.configuration.sessions)
            let new = accountService.newSession(request, context)
            try await accountService.change { session in
                try session.open(new, of: account.user, at: now, limits: limits)
            }
            return accountService.welcome(account, new)
        }
        routes.post(
            "/v1/auth/sign-out", .open,
            Operation("signOut", .accounts, "Ends this session.").unaudited(Self.sessions)
        ) { context in
            if let identity = context.identity, case .session(let id) = identity.credential {
                try await accountService.change { session in
                    _ = try session.closeSession(id, of: identity.user)
                }
            }
            return AccountService.farewell
        }
        routes.post(
            "/v1/auth/sign-out-everywhere", .session,
            Operation("signOutEverywhere", .accounts, "Ends all sessions of the user, this one too.")
                .unaudited(Self.sessions)
        ) { context in
            let user = try context.who.user
            try await accountService.change { session in _ = try session.closeSessions(of: user) }
            return AccountService.farewell
        }
    }
}

extension AccountService {
    /// Whose password, and code where one is needed, these are.
    ///
    /// Everybody waits the same for a wrong answer: whoever has no account is checked against a hash of
    /// nobody. An attempt counts before it is looked at, so that many at once are not better than one
    /// after another.
    ///
    /// - Parameters:
    ///   - emailText: The address that is given.
    ///   - password: The password that is given.
    ///   - code: Of the authenticator, where there is one.
    ///   - client: The IP address of who asks.
    /// - Returns: The account.
    /// - Throws: `throttled`, `unauthenticated` or `second-factor-required`.
    func prove(
        _ emailText: String, _ password: String, code: String?, from client: String
    ) async throws -> StoredAccount {
        guard let email = try? EmailAddress(parsing: emailText),
            password.unicodeScalars.count <= PasswordPolicy.longest
        else { throw wrong }
        let attempt = try await countSignIn(SignInSubjects(email, from: client))
        let found = try await database.withSession { session in try session.account(email: email) }
        let account = found.flatMap { $0.disabled == nil ? $0 : nil }
        let check: PasswordCheck
        do throws(HashingRefused) {
            check = try await hasher.check(password, against: account?.passwordHash)
        } catch {
            // It was not looked at, so it does not count.
            try await takeBack(attempt)
            throw Problem(error)
        }
        guard let account, check.isCorrect else { throw wrong }
        // Said as of a wrong password: who has just signed up with somebody's address would know by it
        // whether there was an account. The letter is sent again.
        if configuration.verifiesEmail, account.verified == nil {
            try await change { session in try writeVerification(to: account.user, in: session) }
            throw wrong
        }
        if account.hasSecondFactor {
            guard let code else {
                try await takeBack(attempt)
                throw Problem(.secondFactorRequired, "a code of the authenticator app is needed as well")
            }
            let isRight: Bool
            do {
                isRight = try await accepts(code, of: account.user)
            } catch let problem as Problem where problem.code == .throttled {
                try await takeBack(attempt)
                throw problem
            }
            guard isRight else { throw Problem(.unauthenticated, "the code is wrong or was used") }
        }
        try await forgive(attempt)
        // Where too many are hashed at once the old hash stays until the next time.
        if check.needsRehash, let old = account.passwordHash, let new = try? await hasher.hash(password) {
            try await database.withSession { session in try session.rehash(new, of: account.user, from: old) }
        }
        return account
    }

    private var wrong: Problem {
        guard configuration.verifiesEmail else { return .wrongPassword }
        return Problem(
            .unauthenticated,
            "the address or the password is wrong, or the address is not confirmed yet by the link in its letter"
        )
    }

    /// The account of who asks.
    func account(_ identity: Identity) async throws -> StoredAccount {
        let account = try await database.withSession { session in try session.account(identity.user) }
        guard let account else { throw Problem(.unauthenticated, "the account is no more") }
        return account
    }
}
