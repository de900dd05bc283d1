import AccountStore
import Accounts
import GatewayFrame
import InstallationStore
import Instruments
import Shapes
import Store

/// What somebody who is signed in shows once more before something that cannot be taken back.
struct ProofBody: WireInput {
    static let shape = InputShape(
        "Proof",
        about: "What somebody who is signed in shows once more before something that cannot be taken back.",
        Self.init(password:code:passkey:)
    ) {
        InputField("password", .optional(.secret), example: "vacuum trombone quilt")
        InputField(
            "code", .optional(.secret), "Of the authenticator app, or a recovery code, where one is in use.")
        InputField("passkey", .optional(.object(PasskeyBody.self)))
    }

    var password: String?
    var code: String?
    var passkey: PasskeyBody?
}

extension Gateway {
    /// `DELETE /v1/account`: erases who asks, with everything.
    func addErasureRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.delete(
            "/v1/account", .session,
            Operation(
                "eraseAccount", .accounts,
                "Erases the account with everything of its user, at once and for ever.",
                """
                By a passkey's answer to a question of /v1/auth/passkeys/sign-in/options, or by the \
                password, with a code where an authenticator is in use; by a code alone where there is no \
                password. The last operator is refused.
                """, problems: [.conflict, .expired]
            ).audited(.accountErase), weight: 30
        ) { (proof: ProofBody, context) in
            let identity = try context.who
            try await accountService.proveAgain(identity, proof)
            try await accountService.erase(identity.user, by: try context.actor)
            return AccountService.farewell
        }
    }
}

extension AccountService {
    /// Whether who is signed in can still sign in: with a passkey, or with the password and, where one is in
    /// use, a code; with a code alone where there is no password.
    ///
    /// - Throws: `throttled`, `forbidden`, `second-factor-required` or `invalid-field`.
    func proveAgain(_ identity: Identity, _ proof: ProofBody) async throws {
        let account = try await account(identity)
        switch (proof.passkey, proof.password, proof.code) {
        case (let passkey?, nil, nil):
            try await confirm(identity, passkey: passkey)
        case (nil, let password?, let code):
            _ = try await confirm(identity, password: password, field: "password")
            try await confirmSecondFactor(code, of: account)
        case (nil, nil, let code?) where account.passwordHash == nil:
            try await confirm(code: code, of: identity.user)
        default:
            throw Problem.invalid(
                "password", nil,
                accepted: account.passwordHash == nil
                    ? "either passkey or code; with neither, set a password first by a letter"
                    : "either passkey, or password, with code where an authenticator is in use")
        }
    }

    /// As ``proveAgain(_:_:)``, before something that opens the account is added to it.
    ///
    /// A session alone, which may be somebody else's by now, is not enough.
    ///
    /// Who can only come from Apple has nothing to show here.
    func proveBeforeAdding(_ identity: Identity, _ proof: ProofBody) async throws {
        let account = try await account(identity)
        if account.passwordHash == nil, !account.hasSecondFactor {
            let passkeys = try await database.withSession { session in
                try session.passkeys(of: account.user)
            }
            if passkeys.isEmpty { return }
        }
        try await proveAgain(identity, proof)
    }

    /// Erases a user from every schema, at once.
    ///
    /// - Throws: `conflict` for the last operator.
    fileprivate func erase(_ user: UserID, by actor: AuditActor) async throws {
        let now = clock()
        var options = TransactionOptions()
        options.statementTimeout = .seconds(600)
        try await change(options) { session in try session.eraseUser(user, at: now, by: actor) }
    }
}
