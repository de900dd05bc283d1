package import Accounts
package import Instruments
import MarketStore
package import Store

/// An attempt that counts as failed before it is looked at, so that many at once are not better than one
/// after another.
package struct LoginAttempt: Hashable, Sendable {
    /// SHA-256 of what attempts are counted for.
    package var subject: [UInt8]
    /// What was known before it.
    package var before: LoginThrottle
    /// The same with it.
    package var counted: LoginThrottle

    /// Counts an attempt; its time is as it is stored, by which it is found again.
    package init(_ subject: [UInt8], before: LoginThrottle, at now: Timestamp) {
        (self.subject, self.before) = (subject, before)
        counted = before.failed(at: now.inMicroseconds)
    }
}

// What comes of an attempt changes by how much it counts and is never written back as it was before: others
// may have failed meanwhile, and whoever holds one attempt back would forget theirs.
extension Session {
    /// What failed attempts to sign in to an address make one wait for; whoever else asks waits.
    ///
    /// Inside a transaction only.
    ///
    /// - Parameter subject: SHA-256 of the folded address.
    /// - Returns: What is known; no failures for an address that is not.
    /// - Throws: ``StoreError``.
    package func lockLoginThrottle(_ subject: [UInt8]) throws(StoreError) -> LoginThrottle {
        try execute(
            """
            INSERT INTO accounts.login_failure (subject, failures, last_at) VALUES (\(subject), 0, now())
            ON CONFLICT (subject) DO NOTHING
            """)
        let throttle = try first(
            "SELECT failures, last_at FROM accounts.login_failure WHERE subject = \(subject) FOR UPDATE"
        ) { row in LoginThrottle(failures: Int(try row.int32()), last: try row.time()) }
        return throttle ?? LoginThrottle()
    }

    /// Stores what attempts made of it.
    package func setLoginThrottle(_ throttle: LoginThrottle, _ subject: [UInt8]) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.login_failure
            SET failures = \(Int32(clamping: throttle.failures)), last_at = \(throttle.last)
            WHERE subject = \(subject)
            """)
    }

    /// Takes back an attempt that was not looked at, or that lacks what is asked for next.
    ///
    /// Nobody waits for it, unless others came after it.
    package func takeBack(_ attempt: LoginAttempt) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.login_failure SET failures = failures - 1,
                last_at = CASE WHEN last_at = \(attempt.counted.last) THEN \(attempt.before.last)
                    ELSE last_at END
            WHERE subject = \(attempt.subject) AND failures > 0
            """)
    }

    /// Forgets the failures before an attempt that has succeeded, and itself; those since stay.
    package func forgive(_ attempt: LoginAttempt) throws(StoreError) {
        try execute(
            """
            UPDATE accounts.login_failure
            SET failures = greatest(failures - \(Int32(clamping: attempt.counted.failures)), 0)
            WHERE subject = \(attempt.subject)
            """)
    }

    /// Notes that somebody has signed in from a network, for ninety days: a row without failures whose time
    /// is when that ends.
    ///
    /// - Parameters:
    ///   - subject: What stands for the address and the network.
    ///   - now: The time.
    /// - Throws: ``StoreError``.
    package func know(_ subject: [UInt8], at now: Timestamp) throws(StoreError) {
        let end = now.adding(nanoseconds: 90 * 86_400_000_000_000)
        try execute(
            """
            INSERT INTO accounts.login_failure (subject, failures, last_at) VALUES (\(subject), 0, \(end))
            ON CONFLICT (subject) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    /// Whether that was noted, and has not ended.
    package func isKnown(_ subject: [UInt8], at now: Timestamp) throws(StoreError) -> Bool {
        try exists("SELECT FROM accounts.login_failure WHERE subject = \(subject) AND last_at > \(now)")
    }
}
