import MarketStore
package import Store

extension Session {
    /// Begins to erase a user; ``endErasure(of:)`` has to follow in the same transaction, or nothing of it
    /// is kept.
    ///
    /// Nobody can add anything of the user's from here on, and what is kept for ever can be deleted.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func beginErasure(of user: UserID) throws(StoreError) {
        try keepAnOperator(besides: user)
        // Nobody else can refer to the user from here on, who is locked as for a deletion.
        let isThere = try exists(
            """
            SELECT app.user_id FROM accounts.app_user AS app JOIN accounts.account USING (user_id)
            WHERE app.user_id = \(user) FOR UPDATE OF app
            """)
        guard isThere else { throw .body(AccountRefused.noSuchAccount) }
        try execute("INSERT INTO accounts.erasure (user_id) VALUES (\(user))")
    }

    /// Erases the account with everything of the schema `accounts`; live connections are told to end.
    ///
    /// What other schemas keep for the user must be erased before.
    ///
    /// - Returns: The key, nobody's, by which the audit log knows from now on who it was.
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func endErasure(of user: UserID) throws(StoreError) -> UserID {
        let lists = try watchlists(of: user)
        try removeSubscriptions(wantedBy: lists.map { "watchlist:\($0.id)" })
        // What is known of the address and names no user: invitations, and attempts to sign in.
        try execute(
            """
            WITH account AS (SELECT user_id, email_folded FROM accounts.account WHERE user_id = \(user)),
            tickets AS (
                DELETE FROM accounts.ticket WHERE email = (SELECT email_folded FROM account)
            )
            DELETE FROM accounts.login_failure WHERE subject IN (
                SELECT sha256(convert_to(email_folded, 'UTF8')) FROM account
                UNION ALL SELECT sha256(convert_to('confirm ' || user_id, 'UTF8')) FROM account
                UNION ALL SELECT sha256(convert_to('code ' || user_id, 'UTF8')) FROM account)
            OR substring(subject FOR 16) = (
                SELECT substring(sha256(convert_to(email_folded, 'UTF8')) FOR 16) FROM account)
            """)
        let pseudonym = try eraseFromAudit(user)
        let deleted = try execute(
            """
            DELETE FROM accounts.app_user AS app USING accounts.account AS account
            WHERE app.user_id = \(user) AND account.user_id = app.user_id
            """)
        guard deleted == 1 else { throw .body(AccountRefused.noSuchAccount) }
        return pseudonym
    }
}
