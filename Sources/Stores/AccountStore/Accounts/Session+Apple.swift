package import Store

extension Session {
    /// Lets somebody whom Apple knows by a key sign in to an account, in place of whom it was before.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func linkApple(_ subject: String, to user: UserID) throws(StoreError) {
        if let other = try account(appleSubject: subject), other.user != user {
            throw .body(AccountRefused.appleTaken)
        }
        guard try updateApple(subject, of: user) else { throw .body(AccountRefused.noSuchAccount) }
    }

    /// Takes that away, where there is another way to sign in.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    package func unlinkApple(_ user: UserID) throws(StoreError) {
        guard try lockUser(user), let account = try account(user) else {
            throw .body(AccountRefused.noSuchAccount)
        }
        let passkeys = try passkeys(of: user)
        guard account.passwordHash != nil || !passkeys.isEmpty else {
            throw .body(AccountRefused.onlyWayIn)
        }
        try updateApple(nil, of: user)
    }

    @discardableResult
    private func updateApple(_ subject: String?, of user: UserID) throws(StoreError) -> Bool {
        try execute("UPDATE accounts.account SET apple_subject = \(subject) WHERE user_id = \(user)") == 1
    }
}
