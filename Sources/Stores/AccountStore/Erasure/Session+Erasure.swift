import MarketStore
public import Store

extension Session {
    /// Begins to erase a user; ``endErasure(of:)`` has to follow in the same transaction, or nothing of it
    /// is kept.
    ///
    /// Nobody can add anything of the user's from here on, and what is kept for ever can be deleted.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func beginErasure(of user: UserID) throws(StoreError) {
        try keepAnOperator(besides: user)
        guard try first(LockForErasure(user: user)) != nil else { throw .body(AccountRefused.noSuchAccount) }
        try execute(BeginErasure(user: user))
    }

    /// Erases the account with everything of the schema `accounts`; live connections are told to end.
    ///
    /// What other schemas keep for the user must be erased before.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func endErasure(of user: UserID) throws(StoreError) {
        let lists = try rows(ListWatchlists(of: user))
        try execute(RemoveWishes(of: lists.map { "watchlist:\($0.id)" }))
        try execute(EraseTraces(user: user))
        guard try execute(DeleteUser(user: user)) == 1 else { throw .body(AccountRefused.noSuchAccount) }
    }
}

/// Nobody else can refer to the user from here on, who is locked as for a deletion.
private struct LockForErasure: Statement {
    static let sql = """
        SELECT app.user_id FROM accounts.app_user AS app JOIN accounts.account USING (user_id)
        WHERE app.user_id = $1 FOR UPDATE OF app
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> UserID { try row.user() }
}

private struct BeginErasure: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO accounts.erasure (user_id) VALUES ($1)"
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
}

/// What is known of the address and names no user: invitations, and attempts to sign in.
private struct EraseTraces: Statement {
    typealias Row = Void
    static let sql = """
        WITH account AS (SELECT user_id, email_folded FROM accounts.account WHERE user_id = $1),
        tickets AS (
            DELETE FROM accounts.ticket WHERE email = (SELECT email_folded FROM account)
        )
        DELETE FROM accounts.login_failure WHERE subject IN (
            SELECT sha256(convert_to(email_folded, 'UTF8')) FROM account
            UNION ALL SELECT sha256(convert_to('confirm ' || user_id, 'UTF8')) FROM account
            UNION ALL SELECT sha256(convert_to('code ' || user_id, 'UTF8')) FROM account)
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
}
