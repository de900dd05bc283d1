import AccountStore
import Accounts
import Credentials
import Encodings
import GatewayFrame
import InstallationStore
import Instruments
import Shapes
import Store

private struct AuthenticatorCode: WireInput {
    static let shape = InputShape("AuthenticatorCode", Self.init(code:)) {
        InputField("code", .secret, "What the app shows now.", example: "123456")
    }

    var code: String
}

private struct AuthenticatorSecret: WireBody {
    static let shape = BodyShape<AuthenticatorSecret>("AuthenticatorSecret") {
        Field("secret", \.secret, "In Base32.", example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        Field(
            "uri", \.uri, "The address that apps scan.",
            example: """
                otpauth://totp/Bitpal:ann%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Bitpal\
                &algorithm=SHA1&digits=6&period=30
                """)
    }

    var secret: String
    var uri: String
}

private struct RecoveryCodes: WireBody {
    static let shape = BodyShape<RecoveryCodes>("RecoveryCodes") {
        Field(
            "recovery_codes", \.codes, "Each good once, shown only now.",
            example: ["04106-0R40M3", "1G24RK-0G50M6"])
    }

    var codes: [String]
}

extension Gateway {
    /// Routes of the authenticator app: `/v1/account/totp…`.
    func addOneTimePasswordRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.post(
            "/v1/account/totp", .session,
            Operation(
                "beginAuthenticator", .accounts,
                "Makes a secret for an authenticator app; in force once a code of it was confirmed.",
                """
                By a passkey's answer to a question of /v1/auth/passkeys/sign-in/options, or by the \
                password, with a code where an authenticator is in use; an account that has neither, only \
                Apple, sends an empty object.
                """, problems: [.expired]
            ).unaudited("it is not in force before it is confirmed"), weight: 20, creates: true
        ) { (proof: ProofBody, context) in
            let identity = try context.who
            try await accountService.proveBeforeAdding(identity, proof)
            return Created(try await accountService.beginOneTimePassword(identity))
        }
        routes.post(
            "/v1/account/totp/confirm", .session,
            Operation("confirmAuthenticator", .accounts, "Puts the authenticator in force.")
                .audited(.authenticatorAdd), weight: 20
        ) { (body: AuthenticatorCode, context) in
            OK(
                try await accountService.confirmOneTimePassword(
                    try context.who, body.code, by: try context.actor))
        }
        routes.delete(
            "/v1/account/totp", .session,
            Operation(
                "removeAuthenticator", .accounts, "Removes the authenticator and its recovery codes.",
                """
                By a passkey's answer to a question of /v1/auth/passkeys/sign-in/options, or by the password \
                with a code or a recovery code.
                """, problems: [.conflict, .expired]
            ).audited(.authenticatorRemove), weight: 20
        ) { (proof: ProofBody, context) in
            let (user, actor) = (try context.who.user, try context.actor)
            try await accountService.proveAgain(try context.who, proof)
            try await accountService.change { session in
                try session.removeOneTimePassword(of: user)
                try session.audit(AuditChange(.authenticatorRemove, account: user), by: actor)
            }
            return NoContent()
        }
    }
}

extension AccountService {
    static let wrongCode: Problem = {
        var problem = Problem(.invalidField, "the code is wrong or was used")
        (problem.field, problem.accepted) = ("code", "the six digits that the app shows now")
        return problem
    }()

    /// The keys that seal.
    ///
    /// - Throws: `unavailable` where none are configured.
    private var sealing: SecretVault {
        get throws(Problem) {
            guard let vault else { throw .noKeyFile }
            return vault
        }
    }

    fileprivate func beginOneTimePassword(_ identity: Identity) async throws -> AuthenticatorSecret {
        let (vault, now, user) = (try sealing, clock(), identity.user)
        let account = try await account(identity)
        let secret = Secrets.bytes(OneTimePassword.secretSize)
        let sealed = try vault.seal(secret, for: .authenticator(of: user))
        try await change { session in
            guard try session.beginOneTimePassword(sealed: sealed, of: user, at: now) else {
                throw Problem(.conflict, "an authenticator is in use; remove it first")
            }
        }
        return AuthenticatorSecret(
            secret: Base32.text(secret), uri: OneTimePassword.address(secret: secret, of: account.email))
    }

    fileprivate func confirmOneTimePassword(
        _ identity: Identity, _ code: String, by actor: AuditActor
    ) async throws -> RecoveryCodes {
        let user = identity.user
        let codes = Secrets.recoveryCodes()
        let digests = codes.map(\.digest)
        let isAccepted = try await accept(code, of: user, isConfirmed: false) { session in
            try session.setRecoveryCodes(digests, of: user)
            try session.audit(AuditChange(.authenticatorAdd, account: user), by: actor)
        }
        guard isAccepted else { throw Self.wrongCode }
        return RecoveryCodes(codes: codes.map(\.text))
    }

    /// Uses a code of the app, or a recovery code, up; false for one that is wrong or was used.
    func useCode(_ code: String, of user: UserID) async throws -> Bool {
        let now = clock()
        if let bytes = RecoveryCode.bytes(code) {
            let digest = Secrets.digest(bytes)
            return try await change { session in
                try session.useRecoveryCode(digest: digest, of: user, at: now)
            }
        }
        return try await accept(code, of: user, isConfirmed: true) { _ in }
    }

    /// Whether the app shows a code now, and what follows from it in the same transaction.
    private func accept(
        _ code: String, of user: UserID, isConfirmed: Bool,
        _ act: @escaping @Sendable (borrowing Session) throws -> Void
    ) async throws -> Bool {
        let (vault, now) = (try sealing, clock())
        return try await change { session in
            guard let stored = try session.lockOneTimePassword(of: user),
                (stored.confirmed != nil) == isConfirmed
            else { return false }
            let secret = try vault.open(stored.sealed, for: .authenticator(of: user))
            let found = OneTimePassword.step(of: code, secret: secret, at: now, after: stored.lastStep)
            guard let step = found, try session.acceptOneTimePassword(step: step, of: user, at: now) else {
                return false
            }
            try act(session)
            return true
        }
    }
}
