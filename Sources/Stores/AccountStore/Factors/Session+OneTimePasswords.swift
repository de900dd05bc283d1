package import Instruments
import MarketStore
package import Store

/// The secret that a user shares with an authenticator app.
package struct StoredOneTimePassword: Hashable, Sendable {
    /// The secret, sealed.
    package var sealed: [UInt8]
    /// Since when a code is asked for; `nil` until the app has shown one.
    package var confirmed: Timestamp?
    /// The newest step whose code was accepted.
    package var lastStep: Int64?
}

extension Session {
    /// Stores a secret that is to be confirmed; false when one is in force already.
    package func beginOneTimePassword(
        sealed: [UInt8], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(
            """
            INSERT INTO accounts.totp AS old (user_id, sealed, created_at)
            VALUES (\(user), \(sealed), \(now))
            ON CONFLICT (user_id) DO UPDATE
                SET sealed = excluded.sealed, created_at = excluded.created_at, last_step = NULL
                WHERE old.confirmed_at IS NULL
            """) == 1
    }

    /// A user's secret; whoever else asks inside a transaction waits.
    package func lockOneTimePassword(of user: UserID) throws(StoreError) -> StoredOneTimePassword? {
        try first(
            "SELECT sealed, confirmed_at, last_step FROM accounts.totp WHERE user_id = \(user) FOR UPDATE"
        ) { row in
            StoredOneTimePassword(
                sealed: try row.bytes(), confirmed: try row.timeOrNil(), lastStep: try row.int64OrNil())
        }
    }

    /// Notes that the code of a step was accepted; false when that step or a later one was already.
    package func acceptOneTimePassword(
        step: Int64, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(
            """
            UPDATE accounts.totp SET last_step = \(step), confirmed_at = coalesce(confirmed_at, \(now))
            WHERE user_id = \(user) AND (last_step IS NULL OR last_step < \(step))
            """) == 1
    }

    /// Removes the secret and all recovery codes.
    package func removeOneTimePassword(of user: UserID) throws(StoreError) {
        try execute("DELETE FROM accounts.totp WHERE user_id = \(user)")
        try deleteRecoveryCodes(of: user)
    }

    /// Replaces all recovery codes.
    package func setRecoveryCodes(_ digests: [[UInt8]], of user: UserID) throws(StoreError) {
        try deleteRecoveryCodes(of: user)
        for digest in digests {
            try execute("INSERT INTO accounts.recovery_code (user_id, digest) VALUES (\(user), \(digest))")
        }
    }

    /// Uses a recovery code up; false when the user has no such code, or used it.
    package func useRecoveryCode(
        digest: [UInt8], of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try execute(
            """
            UPDATE accounts.recovery_code SET used_at = \(now)
            WHERE user_id = \(user) AND digest = \(digest) AND used_at IS NULL
            """) == 1
    }

    /// Recovery codes that a user has left.
    package func recoveryCodesLeft(of user: UserID) throws(StoreError) -> Int {
        let count = try first(
            "SELECT count(*) FROM accounts.recovery_code WHERE user_id = \(user) AND used_at IS NULL"
        ) { row in try row.int64() }
        return Int(count ?? 0)
    }

    private func deleteRecoveryCodes(of user: UserID) throws(StoreError) {
        try execute("DELETE FROM accounts.recovery_code WHERE user_id = \(user)")
    }
}
