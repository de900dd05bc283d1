import AccountStore
import Accounts
import AlertStore
import Credentials
import Encodings
import Hummingbird
import Instruments
import Store

private struct CodeBody: Decodable {
    var code: String
}

private struct SecretAnswer: Encodable {
    var secret: String
    var uri: String
}

private struct RecoveryAnswer: Encodable {
    var recoveryCodes: [String]

    private enum CodingKeys: String, CodingKey { case recoveryCodes = "recovery_codes" }
}

extension Gateway {
    /// Routes of the authenticator app: `/v1/account/totp…`.
    func addOneTimePasswordRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.post("/v1/account/totp", .session, weight: 20, creates: true) { _, context in
            let (identity, proof) = (try context.who, try context.json(ProofBody.self))
            try await desk.proveBeforeAdding(identity, proof)
            return try await desk.beginOneTimePassword(identity)
        }
        routes.post("/v1/account/totp/confirm", .session, weight: 20) { _, context in
            let (identity, code) = (try context.who, try context.json(CodeBody.self).code)
            return try await desk.confirmOneTimePassword(identity, code)
        }
        routes.delete("/v1/account/totp", .session, weight: 20) { _, context in
            let (identity, proof) = (try context.who, try context.json(ProofBody.self))
            try await desk.proveAgain(identity, proof)
            try await desk.change { session in try session.removeOneTimePassword(of: identity.user) }
            return .noContent
        }
    }
}

extension AccountDesk {
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

    fileprivate func beginOneTimePassword(_ identity: Identity) async throws -> Response {
        let (vault, now, user) = (try sealing, clock(), identity.user)
        let account = try await account(identity)
        let secret = Secrets.bytes(OneTimePassword.secretSize)
        let sealed = try vault.seal(secret, for: .authenticator(of: user))
        try await change { session in
            guard try session.beginOneTimePassword(sealed: sealed, of: user, at: now) else {
                throw Problem(.conflict, "an authenticator is in use; remove it first")
            }
        }
        return .json(
            SecretAnswer(
                secret: Base32.text(secret), uri: OneTimePassword.address(secret: secret, of: account.email)),
            status: .created)
    }

    fileprivate func confirmOneTimePassword(_ identity: Identity, _ code: String) async throws -> Response {
        let (user, now) = (identity.user, clock())
        let codes = Secrets.recoveryCodes()
        guard try await accept(code, of: user, isConfirmed: false, at: now, codes.map(\.digest)) else {
            throw Self.wrongCode
        }
        return .json(RecoveryAnswer(recoveryCodes: codes.map(\.text)))
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
        return try await accept(code, of: user, isConfirmed: true, at: now, nil)
    }

    private func accept(
        _ code: String, of user: UserID, isConfirmed: Bool, at now: Timestamp, _ recovery: [[UInt8]]?
    ) async throws -> Bool {
        let vault = try sealing
        return try await change { session in
            guard let stored = try session.lockOneTimePassword(of: user),
                (stored.confirmed != nil) == isConfirmed
            else { return false }
            let secret = try vault.open(stored.sealed, for: .authenticator(of: user))
            let found = OneTimePassword.step(of: code, secret: secret, at: now, after: stored.lastStep)
            guard let step = found, try session.acceptOneTimePassword(step: step, of: user, at: now) else {
                return false
            }
            if let recovery { try session.setRecoveryCodes(recovery, of: user) }
            return true
        }
    }
}
