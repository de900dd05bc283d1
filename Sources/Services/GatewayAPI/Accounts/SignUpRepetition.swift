import AccountStore
import Accounts
import Credentials
import GatewayFrame
import InstallationStore
import Hummingbird
import Store

/// By what a sign-up under an `Idempotency-Key` is known when it comes once more.
///
/// Nobody is signed in yet, so that the answer itself is not kept: it opens a session, and whoever repeats
/// the request is given a new one.
struct SignUpRepetition: Sendable {
    private let key: AnswerKey
    private let mark: [UInt8]

    /// `nil` for a request without a key.
    ///
    /// - Throws: `invalid-field`.
    init?(_ request: Request, _ context: GatewayContext, of email: EmailAddress) throws(Problem) {
        guard let text = request.headers[.idempotencyKey] else { return nil }
        key = try AnswerKey(text, of: email.folded)
        mark = key.mark(of: request, context.body)
    }

    /// Takes the key for the account that was made.
    func claim(by user: UserID, _ session: borrowing Session) throws(StoreError) {
        _ = try session.claimAnswer(key.name, of: user, for: mark)
    }

    /// Whether this very request made the account, and no other with the key.
    func isSame(as account: StoredAccount, _ session: borrowing Session) throws(StoreError) -> Bool {
        try session.findAnswer(key.name, of: account.user)?.request == mark
    }

    /// Whether this very request made the account; `false` when a request without the key did.
    ///
    /// - Throws: `idempotency-mismatch` for another request with the key.
    func made(_ account: StoredAccount, _ session: borrowing Session) throws -> Bool {
        let kept = try session.findAnswer(key.name, of: account.user)
        guard let kept else { return false }
        guard kept.request == mark else { throw Problem.mismatch }
        return true
    }
}

extension AccountService {
    /// Makes an account; where that is refused since the same request, sent twice at a time, has made it
    /// meanwhile, gives the answer to that one.
    func once(
        _ repetition: SignUpRepetition?, _ email: EmailAddress, _ password: String, opening new: NewSession,
        _ make: @escaping @Sendable (borrowing Session) throws -> Void
    ) async throws -> SignUpAnswer? {
        do {
            try await change { session in try make(session) }
            return nil
        } catch let refused as Problem {
            let again = try await signUpAgain(ifSame: repetition, email, password, opening: new)
            guard let again else { throw refused }
            return again
        }
    }

    /// As ``signUpAgain(_:_:_:opening:)``, but `nil` as well where another request had the key: whether there
    /// is an account of that address is not to be learnt by it.
    func signUpAgain(
        ifSame repetition: SignUpRepetition?, _ email: EmailAddress, _ password: String,
        opening new: NewSession
    ) async throws -> SignUpAnswer? {
        guard let repetition else { return nil }
        do {
            return try await signUpAgain(repetition, email, password, opening: new)
        } catch let problem as Problem where problem.code == .idempotencyMismatch {
            return nil
        }
    }

    /// The answer to a sign-up that was done already, the same password in it; `nil` when it was not, or the
    /// account is not open to it any more.
    func signUpAgain(
        _ repetition: SignUpRepetition, _ email: EmailAddress, _ password: String,
        opening new: NewSession
    ) async throws -> SignUpAnswer? {
        let account: StoredAccount? = try await change { session in
            guard let account = try session.account(email: email), account.disabled == nil,
                !account.hasSecondFactor, try repetition.made(account, session)
            else { return nil }
            return account
        }
        guard let account, let hash = account.passwordHash else { return nil }
        let check: PasswordCheck
        do throws(HashingRefused) {
            check = try await hasher.check(password, against: hash)
        } catch {
            throw Problem(error)
        }
        // It may have been changed since.
        guard check.isCorrect else { return nil }
        let (now, limits) = (clock(), configuration.sessions)
        try await change { try $0.open(new, of: account.user, at: now, limits: limits) }
        return SignUpAnswer(account: AccountAnswer(account), cookie: cookie(of: new), isRepeated: true)
    }
}
