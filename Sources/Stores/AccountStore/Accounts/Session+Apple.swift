public import Store

extension Session {
    /// Lets somebody whom Apple knows by a key sign in to an account, in place of whom it was before.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func linkApple(_ subject: String, to user: UserID) throws(StoreError) {
        if let other = try account(appleSubject: subject), other.user != user {
            throw .body(AccountRefused.appleTaken)
        }
        guard try execute(UpdateApple(user: user, subject: subject)) == 1 else {
            throw .body(AccountRefused.noSuchAccount)
        }
    }

    /// Takes that away, where there is another way to sign in.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``; ``AccountRefused`` as its ``StoreError/bodyError``.
    public func unlinkApple(_ user: UserID) throws(StoreError) {
        guard try first(LockUser(user)) != nil, let account = try account(user) else {
            throw .body(AccountRefused.noSuchAccount)
        }
        let passkeys = try passkeys(of: user)
        guard account.passwordHash != nil || !passkeys.isEmpty else {
            throw .body(AccountRefused.onlyWayIn)
        }
        try execute(UpdateApple(user: user, subject: nil))
    }
}

private struct UpdateApple: Statement {
    typealias Row = Void
    static let sql = "UPDATE accounts.account SET apple_subject = $2 WHERE user_id = $1"
    let user: UserID
    let subject: String?

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(subject)
    }
}
