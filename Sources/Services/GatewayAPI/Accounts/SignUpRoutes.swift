import AccountStore
import Accounts
import AlertStore
import Credentials
import GatewayFrame
import Hummingbird
import Instruments
import Operations
package import Store
import Web
import Zones

extension Gateway {
    /// Routes that make an account: `/v1/auth/sign-up`, `/v1/auth/first-operator`,
    /// `/v1/auth/password-strength`.
    func addSignUpRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/sign-up", .open,
            Operation(
                "signUp", .accounts, "Makes an account, and signs in.",
                """
                Where addresses have to be confirmed the answer sets no cookie, its id is nobody's, and it \
                is the same for an address that has an account already; only the letter tells more. Of two \
                who sign up with an address that nobody has confirmed neither password counts: the letter's \
                link sets one.
                """, problems: [.conflict, .expired]
            ).audited(.accountCreate, .passwordDrop), weight: 30, headers: [.idempotencyKey]
        ) { (body: SignUp, request, context) in
            try await accountService.signUp(body, request, context)
        }
        routes.post(
            "/v1/auth/first-operator", .open,
            Operation(
                "makeFirstOperator", .accounts, "Makes the first operator, by the link that a start prints.",
                problems: [.conflict, .expired]
            ).audited(.accountCreate), weight: 30, headers: [.idempotencyKey]
        ) { (body: FirstOperator, request, context) in
            try await accountService.makeFirstOperator(body, request, context)
        }
        routes.post(
            "/v1/auth/password-strength", .open,
            Operation(
                "measurePassword", .accounts,
                "How hard a password is to guess, and whether it is accepted."
            ).unaudited("an opinion changes nothing"), weight: 2
        ) { (wish: PasswordStrengthRequest, _) in
            let email = wish.email.flatMap { try? EmailAddress(parsing: $0) }
            let opinion = accountService.configuration.policy.opinion(of: wish.password, email: email)
            return OK(
                PasswordStrengthAnswer(
                    score: opinion.score, accepted: opinion.refusal == nil,
                    reason: opinion.refusal?.description))
        }
    }
}

extension AccountService {
    fileprivate func signUp(
        _ body: SignUp, _ request: Request, _ context: GatewayContext
    ) async throws -> SignUpAnswer {
        let email = try Self.email(body.email)
        let repetition = try SignUpRepetition(request, context, of: email)
        let (new, verifies) = (newSession(request, context), configuration.verifiesEmail)
        if !verifies, let repetition,
            let again = try await signUpAgain(repetition, email, body.password, opening: new)
        {
            return again
        }
        var settings = UserSettings()
        try settings.apply(locale: body.locale, timeZone: body.timeZone)
        let ticket = try invitation(body.invitation)
        let hash = try await hash(body.password, for: email, field: "password")
        let now = clock()
        let account = StoredAccount(
            user: UserID(rawValue: newID(at: now)), email: email, passwordHash: hash, created: now)
        let (limits, chosen) = (configuration.sessions, settings)
        let actor = context.actor(of: account.user)
        let make: @Sendable (borrowing Session, UniqueID?) throws -> Void = { session, used in
            try session.createAccount(account)
            try session.audit(.signUp(account, by: used), by: actor)
            try session.setSettings(chosen, of: account.user)
            try repetition?.claim(by: account.user, session)
            if verifies {
                try writeVerification(to: account.user, in: session)
            } else {
                try session.open(new, of: account.user, at: now, limits: limits)
            }
        }
        guard verifies else {
            let again = try await once(repetition, email, body.password, opening: new) { session in
                let used = try session.use(ticket, for: email)
                try make(session, used)
            }
            return again ?? SignUpAnswer(account: AccountAnswer(account), cookie: cookie(of: new))
        }
        try await signUpByLetter(email, repetition, context.gatewayAsActor) { session, isKnown in
            let used = try session.use(ticket, for: email)
            if !isKnown { try make(session, used) }
        }
        // The same for everybody, with a key that nobody has: only the letter tells more.
        var answer = account
        answer.user = UserID(rawValue: newID(at: now))
        return SignUpAnswer(account: AccountAnswer(answer))
    }

    /// Makes an account whose address is to be confirmed, or writes to who has one: only the owner of the
    /// mailbox learns which (ASVS 5.0, 6.3.8).
    ///
    /// Where nobody confirms an address, who is let in at once cannot be kept from knowing.
    private func signUpByLetter(
        _ email: EmailAddress, _ repetition: SignUpRepetition?, _ actor: AuditActor,
        _ make: @escaping @Sendable (borrowing Session, _ isKnown: Bool) throws -> Void
    ) async throws {
        let once: @Sendable (borrowing Session) throws -> Void = { session in
            let known = try session.account(email: email)
            if let known, try repetition?.isSame(as: known, session) == true { return }
            try make(session, known != nil)
            if let known { try remind(known, in: session, by: actor) }
        }
        do {
            try await change { session in try once(session) }
        } catch let refused as Problem where refused.code == .duplicate {
            // Another request of this very moment made it: now it is known.
            try await change { session in try once(session) }
        }
    }

    /// The digest of the invitation that is needed; `nil` where none is.
    func invitation(_ text: String?) throws(Problem) -> [UInt8]? {
        switch (configuration.signUp, text) {
        case (.closed, _): throw Problem(.forbidden, "nobody can sign up here; ask the operator")
        case (.invitation, nil): throw Problem(.forbidden, "signing up needs an invitation of the operator")
        case (.open, nil): return nil
        case (_, let text?):
            guard let digest = Secrets.digest(text: text) else {
                throw .invalid("invitation", nil, accepted: "the text of an invitation's link")
            }
            return digest
        }
    }

    fileprivate func makeFirstOperator(
        _ body: FirstOperator, _ request: Request, _ context: GatewayContext
    ) async throws -> SignUpAnswer {
        let email = try Self.email(body.email)
        let (repetition, new) = (
            try SignUpRepetition(request, context, of: email), newSession(request, context)
        )
        let again = try await signUpAgain(ifSame: repetition, email, body.password, opening: new)
        if let again { return again }
        guard let digest = Secrets.digest(text: body.token) else { throw Self.noLongerFirst }
        let hash = try await hash(body.password, for: email, field: "password")
        let now = clock()
        let account = StoredAccount(
            user: UserID(rawValue: newID(at: now)), email: email, passwordHash: hash, role: .operator,
            created: now, verified: now)
        let (limits, actor) = (configuration.sessions, context.actor(of: account.user))
        let made = try await once(repetition, email, body.password, opening: new) { session in
            guard try session.useTicket(.firstOperator, digest: digest, at: now) != nil,
                try !session.hasOperator()
            else { throw Self.noLongerFirst }
            try session.createAccount(account)
            try session.audit(.signUp(account, by: nil), by: actor)
            try repetition?.claim(by: account.user, session)
            try session.open(new, of: account.user, at: now, limits: limits)
        }
        return made ?? SignUpAnswer(account: AccountAnswer(account), cookie: cookie(of: new))
    }

    private static let noLongerFirst = Problem(
        .expired, "the link was used or is over; a start of Bitpal without an operator prints another one")
}

extension Session {
    /// Uses an invitation up, where one is needed; its key.
    func use(_ invitation: [UInt8]?, for email: EmailAddress) throws -> UniqueID? {
        guard let invitation else { return nil }
        guard let used = try useInvitation(digest: invitation),
            used.email.map({ $0 == email.folded }) ?? true
        else { throw Problem(.expired, "the invitation was used, is over, or is for another address") }
        return used.id
    }
}

extension AuditChange {
    /// Somebody made an account of their own.
    static func signUp(_ account: StoredAccount, by invitation: UniqueID?) -> AuditChange {
        var detail = ["role": account.role.rawValue]
        detail["invitation"] = invitation?.description
        return AuditChange(.accountCreate, account: account.user, with: detail)
    }
}

extension Gateway {
    /// The path of the one-time link that makes the first operator, with its secret; `nil` when somebody runs
    /// the installation already.
    ///
    /// Each call makes earlier links worthless.
    ///
    /// - Throws: `StoreError`.
    package static func firstOperatorPath(_ database: Database) async throws(StoreError) -> String? {
        try await firstOperatorPath(database, at: Timestamp(nanoseconds: WallClock.nanoseconds()))
    }

    /// Whether somebody runs the installation.
    package static func hasOperator(_ database: Database) async throws(StoreError) -> Bool {
        try await database.withSession { (session) throws(StoreError) in try session.hasOperator() }
    }

    static func firstOperatorPath(
        _ database: Database, at now: Timestamp
    ) async throws(StoreError) -> String? {
        let secret = Secrets.text()
        var random = SystemRandomNumberGenerator()
        let ticket = Ticket(
            .firstOperator, id: UniqueID(version7At: now.nanoseconds, using: &random), at: now,
            seconds: 7 * 86_400)
        let isNeeded = try await database.transaction { (session) throws(StoreError) in
            guard try !session.hasOperator(), let digest = Secrets.digest(text: secret) else { return false }
            try session.dropTickets(.firstOperator)
            try session.addTicket(ticket, digest: digest)
            return true
        }
        return isNeeded ? "/setup#token=\(secret)" : nil
    }
}

extension UserSettings {
    /// Sets what is given.
    ///
    /// - Throws: `invalid-field`.
    mutating func apply(locale: String? = nil, timeZone: String? = nil) throws(Problem) {
        do throws(FieldFault) {
            if let locale { try set(locale: locale) }
            if let timeZone { try set(timeZone: timeZone) }
        } catch {
            throw Problem(inWordsOf: error)
        }
        if let timeZone, ZoneDirectory.system.offsets(of: timeZone) == nil {
            throw .invalid("time_zone", timeZone, accepted: "a zone of the IANA database")
        }
    }
}
