package import Accounts
package import Instruments
import MarketStore
import Store

/// Who can sign in.
package struct StoredAccount: Hashable, Sendable {
    /// The key.
    package var user: UserID
    /// Where letters go.
    package var email: EmailAddress
    /// Argon2id; `nil` where one signs in with a passkey or with Apple only.
    package var passwordHash: String?
    package var role: Role
    package var created: Timestamp
    /// Since when the address is known to be theirs.
    package var verified: Timestamp?
    /// Since when nothing is allowed any more.
    package var disabled: Timestamp?
    /// Whether a code is asked for after the password.
    package var hasSecondFactor: Bool
    /// Whether an Apple Account opens it.
    package var hasApple: Bool

    package init(
        user: UserID, email: EmailAddress, passwordHash: String?, role: Role = .user, created: Timestamp,
        verified: Timestamp? = nil
    ) {
        self.user = user
        self.email = email
        self.passwordHash = passwordHash
        self.role = role
        self.created = created.inMicroseconds
        self.verified = verified?.inMicroseconds
        disabled = nil
        (hasSecondFactor, hasApple) = (false, false)
    }
}

extension StoredAccount {
    static let columns: SQL = """
        account.user_id, account.email, account.password_hash, account.role, account.created_at, \
        account.verified_at, account.disabled_at, EXISTS (SELECT FROM accounts.totp AS totp \
        WHERE totp.user_id = account.user_id AND totp.confirmed_at IS NOT NULL), \
        account.apple_subject IS NOT NULL
        """

    init(_ row: inout RowReader) throws(StoreError) {
        let user = try row.user()
        let text = try row.text()
        guard let email = try? EmailAddress(parsing: text) else { throw row.refusal() }
        self.init(
            user: user, email: email, passwordHash: try row.textOrNil(), role: try row.word(Role.self),
            created: try row.time(), verified: try row.timeOrNil())
        disabled = try row.timeOrNil()
        hasSecondFactor = try row.bool()
        hasApple = try row.bool()
    }
}
