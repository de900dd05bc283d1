package import Instruments

/// How long to wait between attempts to sign in to one account.
///
/// Doubles from one second to a quarter of an hour and is never a lock. It stands before passwords only: who
/// has a session, a token or a passkey is not kept out by somebody else's attempts.
package struct LoginThrottle: Hashable, Sendable {
    /// The longest pause, in nanoseconds.
    static let longestPause: Int64 = 900_000_000_000
    /// Failures so old count no more, in nanoseconds.
    static let memory: Int64 = 86_400_000_000_000

    /// Failures since the last success, 0 or more.
    package var failures: Int
    /// When the last of them was.
    package var last: Timestamp

    /// Describes what happened.
    package init(failures: Int = 0, last: Timestamp = .zero) {
        self.failures = failures
        self.last = last
    }

    /// Nanoseconds until the next attempt is looked at; 0 for now.
    ///
    /// An attempt that comes earlier is refused and does not count as a failure.
    package func wait(at now: Timestamp) -> Int64 {
        guard failures > 0 else { return 0 }
        let pause =
            failures > 10 ? Self.longestPause : min(1_000_000_000 << (failures - 1), Self.longestPause)
        let passed = now.nanoseconds(since: last)
        // A clock that was set back keeps nobody out for longer than the pause.
        return passed < 0 ? pause : max(pause - passed, 0)
    }

    /// What a failure makes of it.
    package func failed(at now: Timestamp) -> LoginThrottle {
        let isOld = now.nanoseconds(since: last) > Self.memory
        return LoginThrottle(failures: isOld ? 1 : min(failures, 1_000) + 1, last: now)
    }
}
