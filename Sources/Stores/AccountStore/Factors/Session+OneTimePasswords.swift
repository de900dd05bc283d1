public import Instruments
public import Store

/// The secret that a user shares with an authenticator app.
public struct StoredOneTimePassword: Hashable, Sendable {
    /// The secret, sealed.
    public var sealed: [UInt8]
    /// Since when a code is asked for; `nil` until the app has shown one.
    public var confirmed: Timestamp?
    /// The newest step whose code was accepted.
    public var lastStep: Int64?
}

extension Session {
    /// Stores a secret that is to be confirmed; false when one is in force already.
    public func beginOneTimePassword(
        sealed: [UInt8], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(PutSecret(user: user, sealed: sealed, time: now)) == 1
    }

    /// A user's secret; whoever else asks inside a transaction waits.
    public func lockOneTimePassword(of user: UserID) throws(StoreError) -> StoredOneTimePassword? {
        try first(LockSecret(user: user))
    }

    /// Notes that the code of a step was accepted; false when that step or a later one was already.
    public func acceptOneTimePassword(
        step: Int64, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(AcceptStep(user: user, step: step, time: now)) == 1
    }

    /// Removes the secret and all recovery codes.
    public func removeOneTimePassword(of user: UserID) throws(StoreError) {
        try execute(DeleteSecret(user: user))
        try execute(DeleteRecoveryCodes(user: user))
    }

    /// Replaces all recovery codes.
    public func setRecoveryCodes(_ digests: [[UInt8]], of user: UserID) throws(StoreError) {
        try execute(DeleteRecoveryCodes(user: user))
        for digest in digests { try execute(InsertRecoveryCode(user: user, digest: digest)) }
    }

    /// Uses a recovery code up; false when the user has no such code, or used it.
    public func useRecoveryCode(
        digest: [UInt8], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(UseRecoveryCode(user: user, digest: digest, time: now)) == 1
    }

    /// Recovery codes that a user has left.
    public func recoveryCodesLeft(of user: UserID) throws(StoreError) -> Int {
        Int(try first(CountRecoveryCodes(user: user)) ?? 0)
    }
}

struct PutSecret: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO accounts.totp AS old (user_id, sealed, created_at) VALUES ($1, $2, $3)
        ON CONFLICT (user_id) DO UPDATE
            SET sealed = excluded.sealed, created_at = excluded.created_at, last_step = NULL
            WHERE old.confirmed_at IS NULL
        """
    let user: UserID
    let sealed: [UInt8]
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(bytes: sealed)
        parameters.append(time)
    }
}

struct LockSecret: Statement {
    static let sql = """
        SELECT sealed, confirmed_at, last_step FROM accounts.totp WHERE user_id = $1 FOR UPDATE
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredOneTimePassword {
        StoredOneTimePassword(
            sealed: try row.bytes(), confirmed: try row.timeOrNil(), lastStep: try row.int64OrNil())
    }
}

struct AcceptStep: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.totp SET last_step = $2, confirmed_at = coalesce(confirmed_at, $3)
        WHERE user_id = $1 AND (last_step IS NULL OR last_step < $2)
        """
    let user: UserID
    let step: Int64
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(step)
        parameters.append(time)
    }
}

struct DeleteSecret: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.totp WHERE user_id = $1"
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
}

struct DeleteRecoveryCodes: Statement {
    typealias Row = Void
    static let sql = "DELETE FROM accounts.recovery_code WHERE user_id = $1"
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
}

struct InsertRecoveryCode: Statement {
    typealias Row = Void
    static let sql = "INSERT INTO accounts.recovery_code (user_id, digest) VALUES ($1, $2)"
    let user: UserID
    let digest: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(bytes: digest)
    }
}

struct UseRecoveryCode: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE accounts.recovery_code SET used_at = $3
        WHERE user_id = $1 AND digest = $2 AND used_at IS NULL
        """
    let user: UserID
    let digest: [UInt8]
    let time: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(user)
        parameters.append(bytes: digest)
        parameters.append(time)
    }
}

struct CountRecoveryCodes: Statement {
    static let sql = """
        SELECT count(*) FROM accounts.recovery_code WHERE user_id = $1 AND used_at IS NULL
        """
    let user: UserID

    func bind(_ parameters: inout Parameters) { parameters.append(user) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
