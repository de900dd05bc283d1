import AccountStore
import Accounts
import Credentials
import Encodings
import GatewayFrame
import Instruments
import Shapes
import Store

extension Gateway {
    /// Routes of passkeys: `/v1/auth/passkeys…`, `/v1/account/passkeys…`.
    func addPasskeyRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/auth/passkeys/register/options", .session,
            Operation(
                "beginPasskey", .accounts,
                "What navigator.credentials.create is to be asked; good for five minutes.",
                """
                By a passkey's answer to a question of /v1/auth/passkeys/sign-in/options, or by the \
                password, with a code where an authenticator is in use; an account that has neither, only \
                Apple, sends an empty object.
                """, problems: [.conflict, .expired]
            ).unaudited("a question changes nothing"), weight: 20
        ) { (proof: ProofBody, context) in
            let identity = try context.who
            try await accountService.proveBeforeAdding(identity, proof)
            return OK(try await accountService.creationQuestion(identity))
        }
        routes.post(
            "/v1/auth/passkeys/register", .session,
            Operation("addPasskey", .accounts, "Adds the passkey that answered.", problems: [.expired])
                .audited(.passkeyAdd), creates: true
        ) { (new: NewPasskey, context) in
            Created(
                try await accountService.register(new, for: try context.who, by: try context.actor))
        }
        routes.post(
            "/v1/auth/passkeys/sign-in/options", .open,
            Operation(
                "beginPasskeySignIn", .accounts,
                "What navigator.credentials.get is to be asked; good for five minutes."
            ).unaudited("a question changes nothing"), weight: 10
        ) { _ in
            OK(try await accountService.question())
        }
        routes.post(
            "/v1/auth/passkeys/sign-in", .open,
            Operation(
                "signInByPasskey", .accounts, "Signs in with a passkey; no further factor is asked for.",
                problems: [.expired]
            ).unaudited(Self.sessions), weight: 20
        ) { (proof: PasskeyBody, request, context) in
            let new = accountService.newSession(request, context)
            return accountService.welcome(try await accountService.signIn(proof, opening: new), new)
        }
        addPasskeyListRoutes(accountService, to: routes)
    }

    private func addPasskeyListRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/account/passkeys", .session,
            Operation("listPasskeys", .accounts, "The user's passkeys, the first one first.")
        ) { context in
            let user = try context.who.user
            let passkeys = try await accountService.database.withSession { session in
                try session.passkeys(of: user)
            }
            return WholeList(items: passkeys.map(PasskeyAnswer.init(passkey:)))
        }
        routes.delete(
            "/v1/account/passkeys/{id}", .session,
            Operation("removePasskey", .accounts, "Removes a passkey.").audited(.passkeyRemove)
        ) { context in
            let (user, id, actor) = (try context.who.user, try context.id(), try context.actor)
            let isRemoved = try await accountService.change(as: user) { session in
                guard try session.removePasskey(id, of: user) else { return false }
                try session.audit(AuditChange(.passkeyRemove, .passkey, id, of: user), by: actor)
                return true
            }
            guard isRemoved else { throw Problem.notFound("passkey \(id)") }
            return NoContent()
        }
    }
}

extension AccountService {
    /// Seconds in which a question must be answered.
    private static let patience: Int64 = 300

    /// The site's id: the host of the page.
    private var site: String {
        let host = origin.drop { $0 != "/" }.dropFirst(2)
        return String(host.prefix { $0 != ":" })
    }

    private func ask(_ kind: Ticket.Kind, user: UserID?) async throws -> [UInt8] {
        let (now, challenge) = (clock(), Secrets.bytes(32))
        let ticket = Ticket(kind, id: newID(at: now), user: user, at: now, seconds: Self.patience)
        try await change { try $0.addTicket(ticket, digest: Secrets.digest(challenge)) }
        return challenge
    }

    /// The ceremony that an answer belongs to; its challenge is good once.
    private func ceremony(
        _ kind: Ticket.Kind, _ clientData: [UInt8], _ session: borrowing Session, at now: Timestamp
    ) throws -> (PasskeyCeremony, UserID?) {
        let challenge = try PasskeyCeremony.challenge(in: clientData)
        guard let ticket = try session.useTicket(kind, digest: Secrets.digest(challenge), at: now) else {
            throw Problem(.expired, "the question was answered or is over; begin again")
        }
        return (PasskeyCeremony(site: site, origins: [origin], challenge: challenge), ticket.user)
    }

    fileprivate func creationQuestion(_ identity: Identity) async throws -> PasskeyCreationOptions {
        let account = try await account(identity)
        let known = try await database.withSession { session in try session.passkeys(of: account.user) }
        let challenge = try await ask(.passkeyRegistration, user: account.user)
        return PasskeyCreationOptions(
            challenge: Base64URL.text(challenge), site: .init(id: site, name: "Bitpal"),
            user: .init(
                id: Base64URL.text(account.user.rawValue.bytes), name: account.email.text,
                displayName: account.email.text),
            algorithms: PasskeyPublicKey.algorithms.map { .init(number: $0) },
            timeout: Self.patience * 1_000,
            known: known.map { .init(id: Base64URL.text($0.credential)) })
    }

    fileprivate func register(
        _ new: NewPasskey, for identity: Identity, by actor: AuditActor
    ) async throws -> PasskeyAnswer {
        let (now, user) = (clock(), identity.user)
        let (clientData, attestation) = (new.response.clientDataJSON, new.response.attestationObject)
        let id = newID(at: now)
        return try await passkeyChange { session in
            let (ceremony, asked) = try self.ceremony(.passkeyRegistration, clientData, session, at: now)
            guard asked == user else { throw Problem(.expired, "somebody else was asked") }
            let made = try ceremony.registration(clientData: clientData, attestation: attestation)
            let passkey = StoredPasskey(
                id: id, user: user, credential: made.id, publicKey: made.key.cose, counter: made.counter,
                name: new.name ?? "Passkey", created: now)
            try session.addPasskey(passkey)
            try session.audit(AuditChange(.passkeyAdd, .passkey, id, of: user), by: actor)
            return PasskeyAnswer(passkey: passkey)
        }
    }

    fileprivate func question() async throws -> PasskeyRequestOptions {
        let challenge = try await ask(.passkeySignIn, user: nil)
        return PasskeyRequestOptions(
            challenge: Base64URL.text(challenge), site: site, timeout: Self.patience * 1_000)
    }

    fileprivate func signIn(_ proof: PasskeyBody, opening new: NewSession) async throws -> StoredAccount {
        let (now, limits) = (clock(), configuration.sessions)
        return try await accept(proof) { session, account in
            try session.open(new, of: account.user, at: now, limits: limits)
            return account
        }
    }

    /// Accepts a passkey's answer to a question, once.
    ///
    /// - Parameters:
    ///   - proof: The answer.
    ///   - act: What follows from it in the same transaction.
    /// - Returns: What `act` returns.
    /// - Throws: `unauthenticated` or `expired`.
    func accept<Value: Sendable>(
        _ proof: PasskeyBody, _ act: @escaping @Sendable (borrowing Session, StoredAccount) throws -> Value
    ) async throws -> Value {
        let now = clock()
        let answer = proof.response
        return try await passkeyChange { session in
            let (ceremony, _) = try self.ceremony(.passkeySignIn, answer.clientDataJSON, session, at: now)
            guard let passkey = try session.lockPasskey(credential: proof.id),
                answer.userHandle.map({ $0 == passkey.user.rawValue.bytes }) ?? true,
                let account = try session.account(passkey.user), account.disabled == nil
            else { throw Problem(.unauthenticated, "the passkey is not known here") }
            let counter = try ceremony.assertion(
                clientData: answer.clientDataJSON, authenticatorData: answer.authenticatorData,
                signature: answer.signature,
                by: try PasskeyPublicKey(cose: passkey.publicKey), after: passkey.counter)
            try session.touchPasskey(passkey.id, counter: counter, at: now)
            return try act(session, account)
        }
    }

    /// As ``change(_:)``, where a passkey's fault is a refusal.
    private func passkeyChange<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws -> Value {
        try await change { session in
            do {
                return try body(session)
            } catch let fault as PasskeyFault {
                throw Problem(.unauthenticated, fault.description)
            }
        }
    }
}
