public import Accounts
public import Instruments
public import Store

extension Session {
    /// Makes an account.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameters:
    ///   - account: Its key is new.
    ///   - appleSubject: By which Apple knows its owner, if they came from there.
    /// - Throws: ``StoreError``; ``AccountRefused/emailTaken`` as its ``StoreError/bodyError``.
    public func createAccount(
        _ account: StoredAccount, appleSubject: String? = nil
    ) throws(StoreError) {
        try execute(InsertUser(user: account.user, time: account.created))
        guard try execute(InsertAccount(account: account, appleSubject: appleSubject)) == 1 else {
            throw .body(AccountRefused.emailTaken)
        }
        try execute(InsertSettings(user: account.user))
    }

    /// An account by its key.
    public func account(_ user: UserID) throws(StoreError) -> StoredAccount? {
        try first(AccountByID(user: user))
    }

    /// An account by its address, whatever its capitals.
    public func account(email: EmailAddress) throws(StoreError) -> StoredAccount? {
        try first(AccountByEmail(email: email))
    }

    /// An account by the key that Apple knows its owner by.
    public func account(appleSubject: String) throws(StoreError) -> StoredAccount? {
        try first(AccountByApple(subject: appleSubject))
    }

    /// Accounts by their keys, oldest first.
    ///
    /// - Parameters:
    ///   - last: The key after which to begin; `nil` for the first.
    ///   - limit: At most so many.
    /// - Returns: A page of them; fewer than `limit` at the end.
    /// - Throws: ``StoreError``.
    public func accounts(after last: UserID? = nil, limit: Int) throws(StoreError) -> [StoredAccount] {
        try rows(AccountPage(last: last, limit: Int64(limit)))
    }

    /// Whether anybody who can sign in runs the installation.
    public func hasOperator() throws(StoreError) -> Bool { try first(OperatorExists()) ?? false }

    /// Replaces a password and ends all sessions but one.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused/noSuchAccount`` as its ``StoreError/bodyError``.
    public func setPassword(
        _ hash: String, of user: UserID, keeping session: UniqueID? = nil
    ) throws(StoreError) {
        guard try execute(UpdatePassword(user: user, hash: hash, old: nil)) == 1 else {
            throw .body(AccountRefused.noSuchAccount)
        }
        try closeSessions(of: user, keeping: session)
    }

    /// Takes the password away: one signs in by other means, or sets another by a letter.
    public func dropPassword(of user: UserID) throws(StoreError) {
        try execute(UpdatePassword(user: user, hash: nil, old: nil))
    }

    /// Replaces the hash of an unchanged password, unless it was changed meanwhile.
    public func rehash(_ hash: String, of user: UserID, from old: String) throws(StoreError) {
        try execute(UpdatePassword(user: user, hash: hash, old: old))
    }

    /// Notes that the address is its owner's.
    public func markVerified(_ user: UserID, at now: Timestamp) throws(StoreError) {
        try execute(UpdateVerified(user: user, time: now))
    }

    /// Takes away, or gives back, all that an account allows; all its sessions end.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func setDisabled(_ isDisabled: Bool, _ user: UserID, at now: Timestamp) throws(StoreError) {
        if isDisabled { try keepAnOperator(besides: user) }
        guard try execute(UpdateDisabled(user: user, time: isDisabled ? now : nil)) == 1 else {
            throw .body(AccountRefused.noSuchAccount)
        }
        if isDisabled { try closeSessions(of: user) }
    }

    /// Refuses to go on when no other operator can sign in; two who try at once wait for each other.
    func keepAnOperator(besides user: UserID) throws(StoreError) {
        let operators = try rows(LockOperators())
        if operators.contains(user), operators.count == 1 { throw .body(AccountRefused.lastOperator) }
    }
}

struct InsertUser: Statement {
    typealias Row = Void
    // The name is never shown; the address may change and is erased with the account.
    static let sql = "INSERT INTO accounts.app_user (user_id, name, created_at) VALUES ($1, $1::text, $2)"
    let user: UserID
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(time)
    }
}

struct InsertAccount: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.account
            (user_id, email, email_folded, password_hash, apple_subject, role, created_at, verified_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
        """
    let account: StoredAccount
    let appleSubject: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(account.user)
        parameters.append(account.email.text)
        parameters.append(account.email.folded)
        parameters.append(account.passwordHash)
        parameters.append(appleSubject)
        parameters.append(account.role.rawValue)
        parameters.append(account.created)
        parameters.append(timestamp: account.verified?.nanoseconds)
    }
}

struct AccountByID: Statement {
    static let sql = "SELECT \(AccountColumns.list) FROM accounts.account AS account WHERE user_id = $1"
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredAccount {
        try AccountColumns.read(&row)
    }
}

struct AccountByEmail: Statement {
    static let sql = "SELECT \(AccountColumns.list) FROM accounts.account AS account WHERE email_folded = $1"
    let email: EmailAddress

    func bind(_ parameters: inout Parameters) { parameters.append(email.folded) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredAccount {
        try AccountColumns.read(&row)
    }
}

struct AccountByApple: Statement {
    static let sql = "SELECT \(AccountColumns.list) FROM accounts.account AS account WHERE apple_subject = $1"
    let subject: String

    func bind(_ parameters: inout Parameters) { parameters.append(subject) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredAccount {
        try AccountColumns.read(&row)
    }
}

struct AccountPage: Statement {
    static let sql = """
        SELECT \(AccountColumns.list) FROM accounts.account AS account
        WHERE $1::uuid IS NULL OR user_id > $1 ORDER BY user_id LIMIT $2
        """
    let last: UserID?
    let limit: Int64

    func bind(_ parameters: inout Parameters) {
        parameters.append(last?.rawValue)
        parameters.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredAccount {
        try AccountColumns.read(&row)
    }
}

struct OperatorExists: Statement {
    static let sql = """
        SELECT EXISTS (SELECT FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL)
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}

struct LockOperators: Statement {
    static let sql = """
        SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
        ORDER BY user_id FOR NO KEY UPDATE
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> UserID { try row.user() }
}

struct UpdatePassword: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.account SET password_hash = $2
        WHERE user_id = $1 AND ($3::text IS NULL OR password_hash = $3)
        """
    let user: UserID
    let hash: String?
    let old: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(hash)
        parameters.append(old)
    }
}

struct UpdateVerified: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.account SET verified_at = $2 WHERE user_id = $1 AND verified_at IS NULL
        """
    let user: UserID
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(time)
    }
}

struct UpdateDisabled: Statement {
    typealias Row = Void
    static let sql = "UPDATE accounts.account SET disabled_at = $2 WHERE user_id = $1"
    let user: UserID
    let time: Timestamp?

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(timestamp: time?.nanoseconds)
    }
}

struct DeleteUser: Statement {
    typealias Row = Void
    static let sql = """
        DELETE FROM accounts.app_user AS app USING accounts.account AS account
        WHERE app.user_id = $1 AND account.user_id = app.user_id
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
}
