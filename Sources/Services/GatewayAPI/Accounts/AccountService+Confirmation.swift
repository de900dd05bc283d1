import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Store

// Who is signed in already shows once more whose account it is. Attempts count as those to sign in do, for
// each way by itself, and a wrong password here keeps nobody from signing in. Codes are counted for a user
// wherever they are asked for, to sign in, too: who guesses them has no more guesses by going another way.
extension AccountService {
    /// Whether the password of who is signed in is this one.
    ///
    /// - Throws: `throttled` or `forbidden`.
    func confirm(_ identity: Identity, password: String, field: String) async throws -> StoredAccount {
        let account = try await account(identity)
        guard let stored = account.passwordHash else {
            throw Problem(.conflict, "this account has no password")
        }
        let subject = Secrets.digest("confirm \(account.user)".utf8)
        let attempt = try await countAttempt(subject)
        let check: PasswordCheck
        do throws(HashingRefused) {
            check = try await hasher.check(password, against: stored)
        } catch {
            try await takeBack(attempt)
            throw Problem(error)
        }
        guard check.isCorrect else {
            var problem = Problem(.forbidden, "\(field) is not your password")
            problem.field = field
            throw problem
        }
        try await forgive(attempt)
        return account
    }

    /// Whether a code of the authenticator, or a recovery code, of an account is this one; it is used up.
    ///
    /// - Throws: `throttled` or `invalid-field`.
    func confirm(code: String, of user: UserID) async throws {
        guard try await accepts(code, of: user) else { throw Self.wrongCode }
    }

    /// The same as an answer: false for a wrong code.
    ///
    /// - Throws: `throttled`.
    func accepts(_ code: String, of user: UserID) async throws -> Bool {
        let attempt = try await countAttempt(Secrets.digest("code \(user)".utf8))
        guard try await useCode(code, of: user) else { return false }
        try await forgive(attempt)
        return true
    }

    /// The same where the account has an authenticator; nothing is asked of one that has none.
    ///
    /// - Throws: `throttled`, `invalid-field`, or `second-factor-required` without a code.
    func confirmSecondFactor(_ code: String?, of account: StoredAccount) async throws {
        guard account.hasSecondFactor else { return }
        guard let code else {
            throw Problem(.secondFactorRequired, "a code of the authenticator app is needed as well")
        }
        try await confirm(code: code, of: account.user)
    }

    /// Whether a passkey's answer is one of who is signed in.
    ///
    /// - Throws: `forbidden` or `expired`.
    func confirm(_ identity: Identity, passkey: PasskeyBody) async throws {
        let account: StoredAccount
        do {
            account = try await accept(passkey) { _, account in account }
        } catch let problem as Problem where problem.code == .unauthenticated {
            throw Problem(.forbidden, problem.detail)
        }
        guard account.user == identity.user else {
            throw Problem(.forbidden, "the passkey is of another account")
        }
    }
}
