package import Accounts
package import Instruments
import MarketStore
package import Store

extension Session {
    /// Makes an account.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - account: Its key is new.
    ///   - appleSubject: By which Apple knows its owner, if they came from there.
    /// - Throws: ``StoreError``; ``AccountRefused/emailTaken`` as its ``StoreError/bodyError``.
    package func createAccount(
        _ account: StoredAccount, appleSubject: String? = nil
    ) throws(StoreError) {
        // The name is never shown; the address may change and is erased with the account.
        try execute(
            """
            INSERT INTO accounts.app_user (user_id, name, created_at)
            VALUES (\(account.user), \(account.user)::text, \(account.created))
            """)
        let inserted = try execute(
            """
            INSERT INTO accounts.account
                (user_id, email, email_folded, password_hash, apple_subject, role, created_at, verified_at)
            VALUES (\(account.user), \(account.email.text), \(account.email.folded), \(account.passwordHash),
                \(appleSubject), \(account.role.rawValue), \(account.created), \(account.verified))
            ON CONFLICT DO NOTHING
            """)
        guard inserted == 1 else { throw .body(AccountRefused.emailTaken) }
        let settings = UserSettings()
        try execute(
            """
            INSERT INTO accounts.setting
                (user_id, locale, time_zone, base_currency, theme, alerts, sounds, badges, onboarding)
            VALUES (\(account.user), \(settings.locale), \(settings.timeZone), \(settings.baseCurrency),
                \(settings.theme.rawValue), true, true, true, '{}')
            """)
    }

    /// An account by its key.
    package func account(_ user: UserID) throws(StoreError) -> StoredAccount? {
        try first(
            "SELECT \(StoredAccount.columns) FROM accounts.account AS account WHERE user_id = \(user)",
            StoredAccount.init)
    }

    /// An account by its address, whatever its capitals.
    package func account(email: EmailAddress) throws(StoreError) -> StoredAccount? {
        try first(
            "SELECT \(StoredAccount.columns) FROM accounts.account AS account WHERE email_folded = \(email.folded)",
            StoredAccount.init)
    }

    /// An account by the key that Apple knows its owner by.
    package func account(appleSubject: String) throws(StoreError) -> StoredAccount? {
        try first(
            "SELECT \(StoredAccount.columns) FROM accounts.account AS account WHERE apple_subject = \(appleSubject)",
            StoredAccount.init)
    }

    /// Accounts by their keys, oldest first.
    ///
    /// - Parameters:
    ///   - last: The key after which to begin; `nil` for the first.
    ///   - limit: At most so many.
    /// - Returns: A page of them; fewer than `limit` at the end.
    /// - Throws: ``StoreError``.
    package func accounts(after last: UserID? = nil, limit: Int) throws(StoreError) -> [StoredAccount] {
        try rows(
            """
            SELECT \(StoredAccount.columns) FROM accounts.account AS account
            WHERE \(last)::uuid IS NULL OR user_id > \(last) ORDER BY user_id LIMIT \(Int64(limit))
            """, StoredAccount.init)
    }

    /// Whether anybody who can sign in runs the installation.
    package func hasOperator() throws(StoreError) -> Bool {
        try exists("SELECT FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL")
    }

    /// Whom somebody acts for who works on the machine itself: the first operator who can sign in.
    ///
    /// Before there is one, ``UserID/localOperator``, whose things become the first operator's.
    package func terminalUser() throws(StoreError) -> UserID {
        try first(
            """
            SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
            ORDER BY created_at, user_id LIMIT 1
            """
        ) { row in try row.user() } ?? .localOperator
    }

    /// Makes everything that was made without an account the first operator's, where there is one.
    package func adoptTerminal() throws(StoreError) {
        try execute("SELECT FROM accounts.adopt_terminal()")
    }

    /// Replaces a password and ends all sessions but one.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError``.
    package func setPassword(
        _ hash: String, of user: UserID, keeping session: UniqueID? = nil
    ) throws(StoreError) {
        guard try updatePassword(hash, of: user) else { throw .body(AccountRefused.noSuchAccount) }
        try closeSessions(of: user, keeping: session)
    }

    /// Takes the password away: one signs in by other means, or sets another by a letter.
    package func dropPassword(of user: UserID) throws(StoreError) {
        try updatePassword(nil, of: user)
    }

    /// Replaces the hash of an unchanged password, unless it was changed meanwhile.
    package func rehash(_ hash: String, of user: UserID, from old: String) throws(StoreError) {
        try updatePassword(hash, of: user, from: old)
    }

    /// Notes that the address is its owner's.
    package func markVerified(_ user: UserID, at now: Timestamp) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.account SET verified_at = \(now) WHERE user_id = \(user) AND verified_at IS NULL
            """)
    }

    /// Takes away, or gives back, all that an account allows; all its sessions end.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func setDisabled(_ isDisabled: Bool, _ user: UserID, at now: Timestamp) throws(StoreError) {
        if isDisabled { try keepAnOperator(besides: user) }
        let time = isDisabled ? now : nil
        let updated = try execute(
            "UPDATE accounts.account SET disabled_at = \(time) WHERE user_id = \(user)")
        guard updated == 1 else { throw .body(AccountRefused.noSuchAccount) }
        if isDisabled { try closeSessions(of: user) }
    }

    /// Refuses to go on when no other operator can sign in; two who try at once wait for each other.
    func keepAnOperator(besides user: UserID) throws(StoreError) {
        let operators = try rows(
            """
            SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
            ORDER BY user_id FOR NO KEY UPDATE
            """
        ) { row in try row.user() }
        if operators.contains(user), operators.count == 1 { throw .body(AccountRefused.lastOperator) }
    }

    /// Replaces a password, or only the one that is named; false when there is none to replace.
    @discardableResult
    private func updatePassword(
        _ hash: String?, of user: UserID, from old: String? = nil
    ) throws(StoreError) -> Bool {
        try execute(
            """
            UPDATE accounts.account SET password_hash = \(hash)
            WHERE user_id = \(user) AND (\(old)::text IS NULL OR password_hash = \(old))
            """) == 1
    }
}
