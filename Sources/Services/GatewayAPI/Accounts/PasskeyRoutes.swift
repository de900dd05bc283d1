import AccountStore
import Accounts
import Credentials
import Encodings
import Hummingbird
import Instruments
import Store

extension Gateway {
    /// Routes of passkeys: `/v1/auth/passkeys…`, `/v1/account/passkeys…`.
    func addPasskeyRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.post("/v1/auth/passkeys/register/options", .session, weight: 20) { _, context in
            let (identity, proof) = (try context.who, try context.json(ProofBody.self))
            try await desk.proveBeforeAdding(identity, proof)
            return .json(try await desk.registrationOptions(identity))
        }
        routes.post("/v1/auth/passkeys/register", .session, creates: true) { _, context in
            let (identity, body) = (try context.who, try context.json(NewPasskeyBody.self))
            return .json(try await desk.register(body, for: identity), status: .created)
        }
        routes.post("/v1/auth/passkeys/sign-in/options", .open, weight: 10) { _, _ in
            .json(try await desk.signInOptions())
        }
        routes.post("/v1/auth/passkeys/sign-in", .open, weight: 20) { request, context in
            let body = try context.json(PasskeyBody.self)
            let new = desk.newSession(request, context)
            return desk.welcome(try await desk.signIn(body, opening: new), new)
        }
        routes.get("/v1/account/passkeys", .session) { _, context in
            let user = try context.who.user
            let passkeys = try await desk.database.withSession { session in try session.passkeys(of: user) }
            return .json(WholeList(items: passkeys.map { PasskeyAnswer($0) }))
        }
        routes.delete("/v1/account/passkeys/{id}", .session) { _, context in
            let (user, id) = (try context.who.user, try context.id())
            let isRemoved = try await desk.change(as: user) { session in
                try session.removePasskey(id, of: user)
            }
            guard isRemoved else { throw Problem.notFound("passkey \(id)") }
            return .noContent
        }
    }
}

extension AccountDesk {
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

    fileprivate func registrationOptions(_ identity: Identity) async throws -> RegistrationOptions {
        let account = try await account(identity)
        let known = try await database.withSession { session in try session.passkeys(of: account.user) }
        let challenge = try await ask(.passkeyRegistration, user: account.user)
        return RegistrationOptions(
            challenge: Base64URL.text(challenge), rp: .init(id: site, name: "Bitpal"),
            user: .init(
                id: Base64URL.text(account.user.rawValue.bytes), name: account.email.text,
                displayName: account.email.text),
            pubKeyCredParams: PasskeyPublicKey.algorithms.map { .init(alg: $0) },
            timeout: Self.patience * 1_000,
            excludeCredentials: known.map { .init(id: Base64URL.text($0.credential)) })
    }

    fileprivate func register(_ body: NewPasskeyBody, for identity: Identity) async throws -> PasskeyAnswer {
        try NameRule.check(body.name)
        let (now, user) = (clock(), identity.user)
        let clientData = try PasskeyBody.bytes(body.response.clientDataJSON, "response.clientDataJSON")
        let attestation = try PasskeyBody.bytes(body.response.attestationObject, "response.attestationObject")
        let id = newID(at: now)
        return try await passkeyChange { session in
            let (ceremony, asked) = try self.ceremony(.passkeyRegistration, clientData, session, at: now)
            guard asked == user else { throw Problem(.expired, "somebody else was asked") }
            let made = try ceremony.registration(clientData: clientData, attestation: attestation)
            let passkey = StoredPasskey(
                id: id, user: user, credential: made.id, publicKey: made.key.cose, counter: made.counter,
                name: body.name ?? "Passkey", created: now)
            try session.addPasskey(passkey)
            return PasskeyAnswer(passkey)
        }
    }

    fileprivate func signInOptions() async throws -> SignInOptions {
        let challenge = try await ask(.passkeySignIn, user: nil)
        return SignInOptions(
            challenge: Base64URL.text(challenge), rpId: site, timeout: Self.patience * 1_000)
    }

    fileprivate func signIn(_ body: PasskeyBody, opening new: NewSession) async throws -> StoredAccount {
        let (now, limits) = (clock(), configuration.sessions)
        return try await accept(body) { session, account in
            try session.open(new, of: account.user, at: now, limits: limits)
            return account
        }
    }

    /// Accepts a passkey's answer to a question, once.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - act: What follows from it in the same transaction.
    /// - Returns: What `act` returns.
    /// - Throws: `unauthenticated`, `expired` or `invalid-field`.
    func accept<Value: Sendable>(
        _ body: PasskeyBody, _ act: @escaping @Sendable (borrowing Session, StoredAccount) throws -> Value
    ) async throws -> Value {
        let now = clock()
        let credential = try PasskeyBody.bytes(body.id, "id")
        let clientData = try PasskeyBody.bytes(body.response.clientDataJSON, "response.clientDataJSON")
        let data = try PasskeyBody.bytes(body.response.authenticatorData, "response.authenticatorData")
        let signature = try PasskeyBody.bytes(body.response.signature, "response.signature")
        let handle = try body.response.userHandle.map { text throws(Problem) in
            try PasskeyBody.bytes(text, "response.userHandle")
        }
        return try await passkeyChange { session in
            let (ceremony, _) = try self.ceremony(.passkeySignIn, clientData, session, at: now)
            guard let passkey = try session.lockPasskey(credential: credential),
                handle.map({ $0 == passkey.user.rawValue.bytes }) ?? true,
                let account = try session.account(passkey.user), account.disabled == nil
            else { throw Problem(.unauthenticated, "the passkey is not known here") }
            let counter = try ceremony.assertion(
                clientData: clientData, authenticatorData: data, signature: signature,
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
